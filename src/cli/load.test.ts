import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadCommand } from './load.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratebook-load-'))
  vi.stubEnv('RATEBOOK_DATA', folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

async function printed(...words: string[]): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  log.mockClear()
  await loadCommand().parseAsync(words, { from: 'user' })
  return log.mock.calls.map(([text]) => String(text)).join('\n')
}

it('prints a report for people, and one for programs', async () => {
  const file = join(folder, 'taxonomy.csv')
  await writeFile(
    file,
    'Code,Classification,Display Name\n207R00000X,Internal Medicine,Internal Medicine Physician\nx,y,z\n',
  )
  const text = await printed('nucc', file)
  expect(text).toContain('taxonomy.csv: nucc-taxonomy, 1 rows')
  expect(text).toContain('problem: taxonomy.csv, line 3, Code: "x" is no taxonomy code')
  expect(text).toMatch(/taxonomy: published taxonomy-[0-9a-f]{12}, 1 rows/)
  const report = JSON.parse(await printed('nucc', file, '--json')) as Record<string, unknown>
  expect(report).toMatchObject({ dataset: 'taxonomy', changed: false, rows: 1 })
})

it('says what could not be loaded, and changes nothing', async () => {
  await expect(printed('hospitals', join(folder, 'absent.csv'))).rejects.toThrow('There is no file')
  const page = join(folder, 'page.csv')
  await writeFile(page, '<!doctype html>\n<title>Not found</title>\n')
  await expect(printed('nppes', page)).rejects.toThrow('None of the sources could be loaded')
})
