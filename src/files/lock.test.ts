import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lockIfFree, takeLock } from './lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('is held by one at a time', () => {
  const lock = takeLock(folder, 'a', 'the month')
  expect(() => takeLock(folder, 'a', 'the month')).toThrow(`(${process.pid}) is working on the month`)
  expect(lockIfFree(folder, 'a')).toBeUndefined()
  takeLock(folder, 'b', 'another').release()
  lock.release()
  takeLock(folder, 'a', 'the month').release()
})

it('is held without being kept, and free again when its holder is killed', async () => {
  const script = `import { takeLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.ts'))}
    takeLock(${JSON.stringify(folder)}, 'c', 'it'); await 0; gc(); setTimeout(() => console.log('held'), 50); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  expect(() => takeLock(folder, 'c', 'it')).toThrow(`(${child.pid})`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  takeLock(folder, 'c', 'it').release()
})
