import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withIndex } from '../../test/support/small-index.ts'
import { match, type Hit } from './match.ts'
import type { OpenedIndex } from './opened-index.ts'
import { nameKey, words } from './words.ts'

const names = [
  'JOHN SMITH',
  'JOHN A SMITH',
  'JOAN SMITH',
  'MARIA GARCIA',
  'MARIA DE LA CRUZ',
  'WILLIAM ANDERSON',
  "ST MARY'S MEDICAL CENTER",
  'SAINT JOSEPH HOSPITAL OF ORANGE',
  'UNIVERSITY HEALTHCARE ASSOCIATES LLC',
  'PRESBYTERIAN HOSPITAL',
  'JOHNS HOPKINS HOSPITAL',
  'ANDREW OFFERMAN',
]
const both = { display: true, others: true }
const ask = (index: OpenedIndex, text: string, more: Partial<Parameters<typeof match>[1]> = {}): Hit[] =>
  match(index, { text, filters: [], fields: both, limit: 10, ...more })
const among = (use: (index: OpenedIndex) => void) =>
  withIndex(
    names.map((name) => ({ names: [name] })),
    [],
    use,
  )
const top = (index: OpenedIndex, text: string, typing = false) =>
  names[ask(index, text, { typing })[0]?.row ?? -1]

describe('match', () => {
  it.each([
    ['john smith', 'JOHN SMITH'],
    ['smith john', 'JOHN SMITH'],
    ['smith, john a', 'JOHN A SMITH'],
    ['jhon smith', 'JOHN SMITH'],
    ['jhon smtih', 'JOHN SMITH'],
    ['johnsmith', 'JOHN SMITH'],
    ['maria delacruz', 'MARIA DE LA CRUZ'],
    ['wiliam andersen', 'WILLIAM ANDERSON'],
    ['willaim andresson', 'WILLIAM ANDERSON'],
    ['saint marys med ctr', "ST MARY'S MEDICAL CENTER"],
    ['stmarys medical', "ST MARY'S MEDICAL CENTER"],
    ['hosp st joseph', 'SAINT JOSEPH HOSPITAL OF ORANGE'],
    ['univ health care assoc', 'UNIVERSITY HEALTHCARE ASSOCIATES LLC'],
    ['presb', 'PRESBYTERIAN HOSPITAL'],
    ['presbiterian hosptial', 'PRESBYTERIAN HOSPITAL'],
    ['johns hopkins hospital baltimore', 'JOHNS HOPKINS HOSPITAL'],
    ['Joan Smith, MD', 'JOAN SMITH'],
  ])('takes %j for %j', (text, expected) => among((index) => expect(top(index, text)).toBe(expected)))

  it.each([
    ['andrew of', 'ANDREW OFFERMAN'],
    ['william and', 'WILLIAM ANDERSON'],
    ['university healthcare as', 'UNIVERSITY HEALTHCARE ASSOCIATES LLC'],
    ['st mary med', "ST MARY'S MEDICAL CENTER"],
    ['jo', 'JOHN SMITH'],
  ])('suggests for the half-typed %j', (text, expected) =>
    among((index) => expect(top(index, text, true)).toBe(expected)),
  )

  it('finds nothing in an empty index, for no words, and for words unlike any', () => {
    withIndex([], [], (index) => expect(ask(index, 'smith')).toEqual([]))
    among((index) => {
      expect(ask(index, ' - ')).toEqual([])
      expect(ask(index, 'zzyzxqq')).toEqual([])
    })
  })

  it('looks where it is told: display names, other names, or both', () => {
    withIndex([{ names: ['ALPHA CLINIC', 'OMEGA CLINIC'] }], [], (index) => {
      expect(ask(index, 'omega', { fields: { display: true, others: false } })).toEqual([])
      expect(ask(index, 'omega', { fields: { display: false, others: true } })).toHaveLength(1)
      expect(ask(index, 'alpha', { fields: { display: false, others: true } })).toEqual([])
      expect(ask(index, 'omega')).toHaveLength(1)
    })
  })

  it('breaks ties by rank', () =>
    withIndex(
      Array.from({ length: 30 }, () => ({ names: ['ANN LEE'] })),
      [],
      (index) =>
        expect(ask(index, 'lee ann', { limit: 20 }).map(({ row }) => row)).toEqual([...Array(20).keys()]),
    ))

  it('keeps places for the far more frequent name that a slip would hide', () => {
    const many = Array.from({ length: 400 }, () => ({ names: ['MARK MILLER'] }))
    const few = Array.from({ length: 12 }, () => ({ names: ['MARK MILER'] }))
    withIndex([...many, ...few], [], (index) => {
      const found = ask(index, 'mark miler').map(({ row }) => (row < 400 ? 'MILLER' : 'MILER'))
      expect(found.slice(0, 7)).toEqual(Array(7).fill('MILER'))
      expect(found.slice(7)).toEqual(Array(3).fill('MILLER'))
    })
  })

  it('takes a word beside the name, and a state, for what they are', () => {
    const clinics = ['TX', 'CA', 'NY'].map((state) => ({
      names: ['RIVER CLINIC'],
      beside: [state === 'NY' ? 'ALBANY' : 'SALEM'],
      facets: { state: [state] },
    }))
    withIndex(clinics, ['state'], (index) => {
      expect(ask(index, 'river clinic ca')[0]?.row).toBe(1)
      expect(ask(index, 'river clinic albany')[0]?.row).toBe(2)
      expect(ask(index, 'river clinic salem tx')[0]?.row).toBe(0)
    })
  })
})

const word = fc.constantFrom(
  ...'smith smyth jones johnson garcia medical center clinic valley north lee ann john joan maria hospital care family'.split(
    ' ',
  ),
)
const corpus = fc.array(
  fc.record({
    names: fc.array(
      fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(' ')),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
    state: fc.constantFrom('CA', 'TX', 'NY'),
  }),
  { minLength: 1, maxLength: 40 },
)
const indexed = <Result>(
  entries: readonly { names: string[]; state: string }[],
  use: (index: OpenedIndex) => Result,
) =>
  withIndex(
    entries.map(({ names, state }) => ({ names, facets: { state: [state] } })),
    ['state'],
    use,
  )
const rounds = { numRuns: 25 }

describe('whatever is in the index', () => {
  it('any order of a name’s words gives the same top, and it is that name', () => {
    fc.assert(
      fc.property(corpus, fc.nat(), fc.gen(), (entries, pick, draw) =>
        indexed(entries, (index) => {
          const name = entries[pick % entries.length]?.names[0] ?? ''
          const list = name.split(' ')
          const mixed = draw(fc.shuffledSubarray, list, { minLength: list.length }).join(' ')
          const [first] = ask(index, name)
          expect(ask(index, mixed)[0]).toEqual(first)
          const found = entries[first?.row ?? -1]?.names.map((one) => nameKey(words(one)))
          expect(found).toContain(nameKey(words(name)))
        }),
      ),
      rounds,
    )
  })

  it('every result passes the filter, and a filter never finds more', () => {
    fc.assert(
      fc.property(
        corpus,
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('CA', 'TX', 'PR'),
        (entries, asked, state) =>
          indexed(entries, (index) => {
            const text = asked.join(' ')
            const filters = [index.columns.test('state', [state])]
            const all = ask(index, text, { limit: 3_000 })
            const filtered = ask(index, text, { limit: 3_000, filters })
            for (const { row } of filtered) expect(entries[row]?.state).toBe(state)
            expect(filtered.length).toBeLessThanOrEqual(Math.max(all.length, 0))
          }),
      ),
      rounds,
    )
  })

  it('a beginning of a name finds it, and the answer keeps to its limit without repeats', () => {
    fc.assert(
      fc.property(
        corpus,
        fc.nat(),
        fc.integer({ min: 2, max: 30 }),
        fc.integer({ min: 1, max: 12 }),
        (entries, pick, length, limit) =>
          indexed(entries, (index) => {
            const row = pick % entries.length
            const typed = (entries[row]?.names[0] ?? '').slice(0, length).trim()
            const found = ask(index, typed, { limit: 3_000, typing: true })
            expect(found.map((hit) => hit.row)).toContain(row)
            const short = ask(index, typed, { limit, typing: true })
            expect(short.length).toBeLessThanOrEqual(limit)
            expect(new Set(short.map((hit) => hit.row)).size).toBe(short.length)
          }),
      ),
      rounds,
    )
  })

  it('the same question gets the same answer', () => {
    fc.assert(
      fc.property(corpus, fc.string({ maxLength: 20 }), (entries, text) =>
        indexed(entries, (index) => {
          expect(ask(index, text)).toEqual(ask(index, text))
        }),
      ),
      rounds,
    )
  })
})
