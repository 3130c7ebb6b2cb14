// A process of its own that ingests, to be killed: node ingest-child.ts RATES SOURCE…
import { ingest } from '../../src/ingestion/ingest.ts'
import { extendPayers } from '../../src/vocabulary/payers.ts'
import { demoPayerEntries } from '../../src/demo/payers.ts'

extendPayers(demoPayerEntries())
const [ratesFolder = '', ...sources] = process.argv.slice(2)
const { months } = await ingest({ ratesFolder, sources, threads: 2 })
console.log(JSON.stringify(months.map(({ build }) => build)))
