import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folded, initials, isLight, longFormsNear, nameKey, typedWords, words } from './words.ts'

describe('words', () => {
  it.each([
    ["ST. MARY'S MED. CTR.", ['saint', 'marys', 'medical', 'center']],
    ['Hôpital Général, L.L.C.', ['hopital', 'general', 'llc']],
    ['SMITH-JONES, J.P., M.D.', ['smith', 'jones', 'jp', 'md']],
    ['Scott & White', ['scott', 'and', 'white']],
    ['UNIV HOSP', ['university', 'hospital']],
    ['  Muñoz   O’Brien ', ['munoz', 'obrien']],
    ['1ST CHOICE', ['1st', 'choice']],
    ['—', []],
  ])('reads %j as %j', (text, expected) => expect(words(text)).toEqual(expected))

  it('keeps what was typed beside what it stands for', () =>
    expect(typedWords('univ hosp')).toEqual(['univ', 'hosp']))

  it('folds any text to bare words, and folding twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = folded(text)
        expect(once).toMatch(/^([a-z0-9]+( [a-z0-9]+)*)?$/)
        expect(folded(once)).toBe(once)
      }),
    )
  })

  it('takes A and AN for words, THE and LLC for trimmings', () => {
    expect(['a', 'an', 'the', 'llc', 'md'].map(isLight)).toEqual([false, false, true, true, true])
  })

  it('names hospitals by their first letters', () => {
    expect(initials(words('Massachusetts General Hospital'))).toBe('mgh')
    expect(initials(words('Mayo Clinic'))).toBeUndefined()
  })

  it('gives the same key to the same words in any order, with or without trimmings', () => {
    expect(nameKey(words('The Mayo Clinic, Inc.'))).toBe(nameKey(words('clinic mayo')))
    expect(nameKey(words('mayo clinic'))).not.toBe(nameKey(words('mayo clinics')))
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[b-y]{3,6}$/), { minLength: 1 }),
        fc.gen(),
        (list, draw) => {
          const mixed = draw(fc.shuffledSubarray, list, { minLength: list.length })
          expect(nameKey(mixed)).toBe(nameKey(list))
        },
      ),
    )
  })

  it('sees through a slip in an abbreviation', () => {
    expect(longFormsNear('rehag')).toContain('rehabilitation')
    expect(longFormsNear('mme')).toContain('memorial')
  })
})
