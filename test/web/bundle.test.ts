import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const budgetBytes = 250_000

describe('the first load of the explorer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ratebook-bundle-'))
  let chunks: Record<string, Chunk> = {}

  beforeAll(async () => {
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    const options = ['--outDir', folder, '--manifest', '--emptyOutDir', '--logLevel', 'error']
    // In a process of its own: the one of the tests calls itself a test, and React would come with its checks.
    await run(process.execPath, [vite, 'build', ...options], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    })
    chunks = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** The scripts that these modules need before they can run. */
  const scriptsOf = (...names: string[]): Set<string> => {
    const found = new Set<string>()
    const add = (name: string) => {
      const chunk = chunks[name]!
      if (found.has(chunk.file)) return
      found.add(chunk.file)
      chunk.imports?.forEach(add)
    }
    names.forEach(add)
    return found
  }
  const zippedBytes = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0)

  it('stays under 250 kB of zipped script', () => {
    const bytes = zippedBytes(scriptsOf('index.html', 'pages/explore.tsx'))
    console.log(`The explorer loads ${Math.round(bytes / 1_000)} kB of zipped script before charts.`)
    expect(bytes).toBeLessThan(budgetBytes)
  })

  it('comes without the charts, which are split off', () => {
    const first = scriptsOf('index.html', 'pages/explore.tsx')
    for (const chart of ['parts/spread-chart.tsx', 'parts/state-map.tsx', 'parts/time-chart.tsx'])
      expect(first).not.toContain(chunks[chart]!.file)
    const text = [...first].map((file) => readFileSync(join(folder, file), 'utf8')).join('')
    expect(text).not.toContain('albers')
  })
})
