import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeNppes } from '../../bench/nppes-rows.ts'
import { loadNppes } from './nppes.ts'
import { readPointer, type DirectoryPointer } from './pointer.ts'

// `npm run soak` kills at many moments of a longer load.
describe('a load that is killed', () => {
  let folder: string
  let week: string
  let before: DirectoryPointer

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ratebook-killed-'))
    const month = join(folder, 'month.csv')
    week = join(folder, 'week.csv')
    await writeNppes(month, 400)
    await writeNppes(week, 600, 200)
    await loadNppes(folder, [month])
    before = await readPointer(join(folder, 'directory'))
  }, 60_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('just before it publishes leaves what was loaded', async () => {
    const module = JSON.stringify(join(import.meta.dirname, 'nppes.ts'))
    const program = `import { loadNppes } from ${module}
        const progress = ({ stage }) => { if (stage === 'publish') process.kill(process.pid, 'SIGKILL') }
        await loadNppes(${JSON.stringify(folder)}, [${JSON.stringify(week)}], { progress })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
    expect(await readPointer(join(folder, 'directory'))).toEqual(before)
  }, 60_000)

  it('is taken up again by the next, which leaves nothing behind', async () => {
    const report = await loadNppes(folder, [week])
    expect(report.rows).toBe(800)
    expect(await readdir(join(folder, 'directory/work'))).toEqual([])
  }, 60_000)
})
