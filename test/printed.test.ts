import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printedDocs } from '../scripts/docs.ts'
import { failures } from '../src/errors.ts'

const root = join(import.meta.dirname, '..')
const text = (path: string) => readFileSync(join(root, path), 'utf8')

describe('printed files', () => {
  it.each(Object.entries(printedDocs()))(
    '%s is what the code prints today (npm run docs)',
    (path, printed) => {
      expect(text(path)).toBe(printed)
    },
  )

  it('docs/errors.md explains every failure, and no other', () => {
    const explained = [...text('docs/errors.md').matchAll(/^### `(\w+)` \((\d+)\)$/gm)].map(
      ([, code, status]) => [code, Number(status)],
    )
    expect(explained).toEqual(Object.entries(failures).map(([code, { status }]) => [code, status]))
  })
})
