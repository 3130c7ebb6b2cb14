import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choice, nearest, notAllowed } from './choice.ts'

const fruit = [
  'apple',
  'apricot',
  'banana',
  'cherry',
  'grape',
  'grapefruit',
  'lemon',
  'melon',
  'watermelon',
] as const
const messageOf = (schema: ReturnType<typeof choice>, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message

describe('nearest', () => {
  it('shows three neighbours, best first', () => {
    expect(nearest('aple', fruit)[0]).toBe('apple')
    expect(nearest('aple', fruit)).toHaveLength(3)
    expect(nearest('APPLE', fruit)[0]).toBe('apple')
  })

  it('prefers a value that holds what was typed', () => {
    expect(nearest('Texas', ['Tepas', 'Blue Cross of Texas', 'Kansas'], 2)).toContain('Blue Cross of Texas')
    expect(nearest('fruit', fruit)[0]).toBe('grapefruit')
  })

  it('is the same whatever the order of the list', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.shuffledSubarray([...fruit], { minLength: fruit.length }),
        (wrong, shuffled) => {
          expect(nearest(wrong, shuffled)).toEqual(nearest(wrong, fruit))
        },
      ),
    )
  })

  it('finds a value again after one slip', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fruit), fc.nat(30), (value, at) => {
        const place = at % value.length
        expect(nearest(`${value.slice(0, place)}${value.slice(place + 1)}`, fruit)).toContain(value)
      }),
    )
  })

  it('does not dwell on a text as long as a request body', () => {
    const started = performance.now()
    nearest('x'.repeat(1_000_000), fruit)
    expect(performance.now() - started).toBeLessThan(200)
  })
})

describe('the message for a value off the list', () => {
  const Fruit = choice('fruit', fruit)

  it('names the value and the nearest allowed ones', () => {
    expect(messageOf(Fruit, 'bananna')).toMatch(
      /^"bananna" is not a fruit; nearest: "banana", "[a-z]+", "[a-z]+"$/,
    )
  })

  it('names all of a short list', () => {
    expect(messageOf(choice('entity type', ['individual', 'group']), 'person')).toBe(
      '"person" is not an entity type; allowed: "individual", "group"',
    )
  })

  it('says what is missing, or no text', () => {
    expect(messageOf(Fruit, undefined)).toBe('fruit is missing')
    expect(messageOf(Fruit, null)).toBe('null is not a fruit: expected text')
    expect(messageOf(Fruit, 5)).toBe('5 is not a fruit: expected text')
  })

  it('stays short whatever was sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 5000 }), fc.jsonValue()), (wrong) => {
        expect(notAllowed('fruit', wrong, fruit).length).toBeLessThan(250)
      }),
    )
    expect(
      notAllowed(
        'fruit',
        Array.from({ length: 9999 }, () => 'pear'),
        fruit,
      ).length,
    ).toBeLessThan(120)
  })
})
