type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A repeatable source of choices: the same seed prints the same text. */
export function choices(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    state = (state ^ (state >>> 13)) >>> 0
    return state % below
  }
}

/** Keys whose values are numbers to the reader, and so may be written in any form of a number. */
const numeric = new Set(['negotiated_rate', 'npi', 'NPI', 'provider_group_id', 'provider_references'])

/** Prints a document in one of its many layouts: key order, white space, escapes, forms of numbers. */
export function jsonText(document: Json, seed: number): string {
  const choose = choices(seed)
  const compact = choose(3) === 0
  const space = () => (compact ? '' : ['', ' ', '\n', '\t', '\r\n  '][choose(5)]!)
  const character = (char: string) => {
    if (char === '"' || char === '\\' || char < ' ') return JSON.stringify(char).slice(1, -1)
    if (compact || choose(8) > 0) return char
    return char.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }
  const string = (text: string) => `"${Array.from(text, character).join('')}"`
  const number = (value: number) => {
    const text = String(value)
    if (text.includes('e')) return text
    const [whole = '', fraction = ''] = text.split('.')
    switch (choose(6)) {
      case 0:
        return fraction === '' ? `${whole}.0` : `${text}00`
      case 1:
        return `${text}e0`
      case 2:
        return fraction === '' && value !== 0 ? `${whole}0E-1` : text
      case 3:
        return fraction === '' && !whole.startsWith('-') && value > 0 ? `0.${whole}e+${whole.length}` : text
      default:
        return text
    }
  }
  const print = (value: Json, key: string): string => {
    if (typeof value === 'string') return string(value)
    if (typeof value === 'number') return numeric.has(key) ? number(value) : String(value)
    if (Array.isArray(value)) {
      return `[${space()}${value.map((element) => print(element, key) + space()).join(`,${space()}`)}]`
    }
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value)
      for (let last = members.length - 1; last > 0; last--) {
        const other = choose(last + 1)
        ;[members[last], members[other]] = [members[other]!, members[last]!]
      }
      const printed = members.map(
        ([name, member]) => `${string(name)}${space()}:${space()}${print(member, name)}${space()}`,
      )
      return `{${space()}${printed.join(`,${space()}`)}}`
    }
    return String(value)
  }
  return `${space()}${print(document, '')}${space()}`
}

/**
 * Where a text stops being the beginning of any JSON: the index of the first character that cannot stand there,
 * its length where it only ends too early, undefined where it is JSON. Written for clearness, as a judge.
 */
export function jsonErrorAt(text: string): number | undefined {
  let at = 0
  const fail = (): never => {
    throw at
  }
  const space = () => {
    while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++
  }
  const take = (wanted: string) => {
    for (const char of wanted) {
      if (text.charAt(at) !== char) fail()
      at++
    }
  }
  const one = (allowed: RegExp) => {
    if (!allowed.test(text.charAt(at))) fail()
    at++
  }
  const digits = () => {
    one(/^\d$/)
    while (/^\d$/.test(text.charAt(at))) at++
  }
  const string = () => {
    take('"')
    while (text.charAt(at) !== '"') {
      if (at >= text.length || text.charAt(at) < ' ') fail()
      if (text.charAt(at++) !== '\\') continue
      const escape = text.charAt(at)
      one(/^["\\/bfnrtu]$/)
      if (escape === 'u') for (let count = 0; count < 4; count++) one(/^[0-9a-fA-F]$/)
    }
    at++
  }
  const number = () => {
    if (text.charAt(at) === '-') at++
    if (text.charAt(at) === '0') at++
    else digits()
    if (text.charAt(at) === '.') {
      at++
      digits()
    }
    if (/^[eE]$/.test(text.charAt(at))) {
      at++
      if (/^[+-]$/.test(text.charAt(at))) at++
      digits()
    }
  }
  const container = (close: string, element: () => void) => {
    at++
    space()
    if (text.charAt(at) === close) return at++
    for (;;) {
      element()
      space()
      if (text.charAt(at) === close) return at++
      take(',')
      space()
    }
  }
  const value = (): void => {
    const char = text.charAt(at)
    if (char === '{') {
      container('}', () => {
        string()
        space()
        take(':')
        space()
        value()
      })
    } else if (char === '[') container(']', value)
    else if (char === '"') string()
    else if (char === 't') take('true')
    else if (char === 'f') take('false')
    else if (char === 'n') take('null')
    else number()
  }
  try {
    space()
    value()
    space()
    return at === text.length ? undefined : at
  } catch (problem) {
    if (typeof problem === 'number') return problem
    throw problem
  }
}
