import { negotiatedTypes, publishedCodeTypes, serviceCodes } from '../../vocabulary/published-words.ts'
import type { Effect, FindingKind } from '../findings.ts'
import { incomplete, listEnd, openList, quote, valueEnd } from './json.ts'
import type { Reading } from './reading.ts'

const rememberedMax = 10_000

/** A map that forgets everything when it has grown too large: a bounded short-cut, never the truth. */
class Remembered<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    if (this.size >= rememberedMax) this.clear()
    return super.set(key, value)
  }
}

/** A field whose values come from a list of CMS: normalises case, and marks what is off the list. */
class FixedWords {
  readonly #allowed: ReadonlySet<string>
  readonly #unknown: FindingKind
  readonly #upper: boolean
  readonly #known = new Remembered<{ id: number; cased: boolean; unknown: boolean }>()

  constructor(allowed: readonly string[], unknown: FindingKind, upper = false) {
    this.#allowed = new Set(allowed)
    this.#unknown = unknown
    this.#upper = upper
  }

  /** Whether the field was met with any value. */
  get met(): boolean {
    return this.#known.size > 0
  }

  id(reading: Reading, text: string, at: number, leaf: string): number {
    if (text === '') return 0
    let word = this.#known.get(text)
    if (!word) {
      const folded = this.#upper ? text.toUpperCase() : text.toLowerCase()
      word = {
        id: reading.pools.textOf(folded),
        cased: folded !== text,
        unknown: !this.#allowed.has(folded),
      }
      this.#known.set(text, word)
    }
    if (word.cased) reading.odd('value_case', at, leaf, text)
    if (word.unknown) reading.odd(this.#unknown, at, leaf, text)
    return word.id
  }
}

/** Dates as YYYY-MM-DD. */
class Dates {
  readonly #known = new Remembered<{ id: number; kind?: 'bad_date' | 'date_reshaped' }>()

  id(reading: Reading, text: string, at: number, leaf: string): number {
    if (text === '') return 0
    let date = this.#known.get(text)
    if (!date) {
      const iso = isoDate(text)
      date = { id: reading.pools.textOf(iso ?? text) }
      if (iso === undefined) date.kind = 'bad_date'
      else if (iso !== text) date.kind = 'date_reshaped'
      this.#known.set(text, date)
    }
    if (date.kind) reading.odd(date.kind, at, leaf, text)
    return date.id
  }
}

/** The day in a text: `2025-12-31`, with or without a time of day, `12/31/2025`, `20251231`. Undefined where it is no day. */
export function isoDate(text: string): string | undefined {
  const parts =
    /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T ].*)?$/.exec(text) ??
    /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})(?: .*)?$/.exec(text) ??
    /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/.exec(text)
  const { year = '', month = '', day = '' } = parts?.groups ?? {}
  const days = new Date(Date.UTC(2000, Number(month), 0)).getUTCDate()
  if (!parts || Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > days)
    return undefined
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

type Element = (reading: Reading, text: string, at: number, leaf: string) => string

/** A list of short texts (places of service, modifiers, networks), remembered by its raw bytes. */
class TextLists {
  readonly #element: Element
  readonly #known = new Remembered<{ id: number; effect: Effect | undefined }>()

  constructor(element: Element) {
    this.#element = element
  }

  /** The id of the list at `at`. `listed` is where it ends. */
  id(reading: Reading, at: number, listed: number, leaf: string): number {
    const raw = reading.window.bytes.toString('latin1', at, listed)
    const known = this.#known.get(raw)
    if (known) {
      if (known.effect) reading.book.repeat(known.effect, 1)
      return known.id
    }
    const mark = reading.book.startUnit()
    const id = reading.pools.list(this.#texts(reading, at, listed, leaf))
    this.#known.set(raw, { id, effect: reading.book.endUnit(mark) })
    return id
  }

  #texts(reading: Reading, at: number, listed: number, leaf: string): string[] {
    const { bytes } = reading.window
    const texts: string[] = []
    const take = (value: number, end: number, where: string) => {
      const byte = bytes[value]!
      if (byte === 0x6e) return reading.odd('null_in_list', value, where)
      const text = reading.scalar(value, end, where)
      if (text !== '') texts.push(this.#element(reading, text, value, where))
      else if (byte === quote) reading.odd('empty_in_list', value, where)
    }
    if (bytes[at] === openList) {
      listEnd(bytes, at, listed, (value, index) => {
        const end = valueEnd(bytes, value, listed, 0)
        if (end !== incomplete) take(value, end, `${leaf}[${index}]`)
        return end
      })
    } else if (bytes[at] === 0x6e) {
      reading.odd('null_value', at, leaf)
    } else if (listed - at === 2 && bytes[at] === quote) {
      reading.odd('empty_in_list', at, leaf)
    } else {
      reading.odd('single_for_list', at, leaf, reading.excerpt(at, listed))
      take(at, listed, leaf)
    }
    return texts
  }
}

const places = new Set(serviceCodes.filter((code) => code !== 'none'))

function placeOfService(reading: Reading, text: string, at: number, leaf: string): string {
  let code = text.toUpperCase()
  if (/^\d$/.test(code)) {
    reading.odd('service_code_padded', at, leaf, text)
    code = `0${code}`
  }
  if (!places.has(code)) reading.odd('service_code_unknown', at, leaf, text)
  return code
}

function modifier(reading: Reading, text: string, at: number, leaf: string): string {
  const code = text.toUpperCase()
  if (!/^[A-Z0-9]{2}$/.test(code)) reading.odd('modifier_unknown', at, leaf, text)
  return code
}

/** The normalised vocabulary of one reading. */
export class Vocabulary {
  readonly arrangements = new FixedWords(['ffs', 'bundle', 'capitation'], 'arrangement_unknown')
  readonly codeTypes = new FixedWords(publishedCodeTypes, 'code_type_unknown', true)
  readonly negotiatedTypes = new FixedWords(negotiatedTypes, 'negotiated_type_unknown')
  readonly billingClasses = new FixedWords(['professional', 'institutional', 'both'], 'billing_class_unknown')
  readonly settings = new FixedWords(['inpatient', 'outpatient', 'both'], 'setting_unknown')
  readonly tinTypes = new FixedWords(['ein', 'npi'], 'tin_type_unknown')
  readonly dates = new Dates()
  readonly serviceCodes = new TextLists(placeOfService)
  readonly modifiers = new TextLists(modifier)
  readonly networks = new TextLists((_reading, text) => text)
}
