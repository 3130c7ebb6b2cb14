import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeNppes } from '../../bench/nppes-rows.ts'
import { loadNppes } from './nppes.ts'
import { readPointer } from './pointer.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratebook-killed-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const rounds = 12

it('leaves the loaded data whole however often a load is killed', async () => {
  const [month, week] = [join(folder, 'month.csv'), join(folder, 'week.csv')]
  await writeNppes(month, 20_000)
  await writeNppes(week, 60_000, 10_000)
  await loadNppes(folder, [month])
  const directory = join(folder, 'directory')
  const before = await readPointer(directory)
  const program = `import { loadNppes } from ${JSON.stringify(join(import.meta.dirname, 'nppes.ts'))}; await loadNppes(${JSON.stringify(folder)}, [${JSON.stringify(week)}])`
  let killed = 0
  for (let round = 0; round < rounds; round++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), 300 + round * 150)
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
    clearTimeout(timer)
    if (signal !== 'SIGKILL') break
    killed++
    expect(await readPointer(directory)).toEqual(before)
  }
  expect(killed).toBeGreaterThan(0)
  const report = await loadNppes(folder, [week])
  expect(report.rows).toBe(70_000)
  expect(await readdir(join(directory, 'work'))).toEqual([])
})
