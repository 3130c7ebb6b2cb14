/**
 * kill -9 of the server under load, round after round on one store: every acknowledged call must be in the usage
 * table, no credit may be lost or spent twice, and the next start must come up without repair.
 *
 *   node bench/gate-kill.ts [--rounds 10] [--seconds 3]
 *   RATEBOOK_TEST_DATABASE_URL=postgres://… node bench/gate-kill.ts     the same with records in PostgreSQL
 */
import { parseArgs } from 'node:util'
import { killRounds } from './support/gate-kills.ts'
import { freshStore } from './support/store.ts'

const { values: given } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, seconds: { type: 'string', default: '3' } },
})
const store = await freshStore()
const { errors, lines } = await killRounds(store.env, {
  rounds: Number(given.rounds),
  underLoadMs: Number(given.seconds) * 1_000,
})
console.log(lines.join('\n'))
console.log(errors.length === 0 ? 'Nothing was lost, nothing spent twice.' : errors.join('\n'))
await store.remove()
process.exitCode = errors.length === 0 ? 0 : 1
