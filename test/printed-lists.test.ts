import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { printedLists } from '../scripts/lists.ts'

it.each(Object.entries(printedLists()))('%s is what `npm run lists` prints today', (path, text) => {
  expect(readFileSync(join(import.meta.dirname, '..', path), 'utf8')).toBe(text)
})
