import { isEinPrefix, npiCheckDigitHolds, tinFromText } from '../../vocabulary/provider-numbers.ts'
import { checkDigitHolds } from './check-digits.ts'
import { canonicalDecimal } from './decimals.ts'
import { incomplete, listEnd, objectEnd, openList, openObject, quote, scalarEnd, valueEnd } from './json.ts'
import { keyNumber, keys } from './keys.ts'
import { groupFlags, type ReadFilter } from './output.ts'
import type { Reading } from './reading.ts'
import { scratchPlace } from './interner.ts'
import type { GroupScan } from './window.ts'
import type { Vocabulary } from './words.ts'

/** Reads one provider group strictly: a TIN and its NPIs. */
export class GroupParser {
  /** Results: the group's id, and whether a filter wants it. */
  id = 0
  wanted = true

  readonly #reading: Reading
  readonly #vocabulary: Vocabulary
  readonly #filter: ReadFilter | undefined
  readonly #scan: GroupScan = { npis: 0, tinAt: 0, tinEnd: 0, nameAt: 0, nameEnd: 0 }
  readonly #ein = scratchPlace(16)
  #npis = new Float64Array(1024)
  #count = 0
  #zeroes = 0
  #invalid = 0
  #texts = 0
  #firstText = 0

  constructor(reading: Reading, vocabulary: Vocabulary, filter: ReadFilter | undefined) {
    this.#reading = reading
    this.#vocabulary = vocabulary
    this.#filter = filter?.npis || filter?.tins ? filter : undefined
  }

  /** Reads the group of `at…limit`. */
  parse(at: number, limit: number): number {
    const reading = this.#reading
    if (!this.#filter && reading.window.readGroup(at, limit, this.#scan)) {
      this.#takeUsual(this.#scan)
      return limit
    }
    const { bytes } = reading.window
    let tinAt = 0
    let tinEnd = 0
    let npisSeen = false
    this.#count = 0
    this.#zeroes = 0
    this.#invalid = 0
    this.#texts = 0
    const end = objectEnd(bytes, at, limit, (keyAt, keyEnd, value) => {
      const key = keyNumber(bytes, keyAt, keyEnd) || reading.looseKey(keyAt, keyEnd)
      if (key === keys.npi) {
        if (npisSeen) {
          reading.odd('duplicate_key', keyAt, 'npi')
          this.#count = 0
          this.#zeroes = 0
        }
        npisSeen = true
        return this.#readNpis(value, limit)
      }
      const after = valueEnd(bytes, value, limit, 4)
      if (after === incomplete) return incomplete
      if (key === keys.tin) {
        if (tinAt > 0) reading.odd('duplicate_key', keyAt, 'tin')
        tinAt = value
        tinEnd = after
      } else reading.unknownKey(keyAt, keyEnd)
      return after
    })
    if (end === incomplete) return incomplete
    this.#finish(at, tinAt, tinEnd)
    return end
  }

  /** Takes a group in which nothing has to be judged: NPIs that hold, and an EIN. */
  #takeUsual({ npis, tinAt, tinEnd, nameAt, nameEnd }: GroupScan): void {
    const reading = this.#reading
    const { pools, window } = reading
    const { bytes } = window
    reading.book.addPublished(1, npis)
    const type = this.#vocabulary.tinTypes.id(reading, 'ein', tinAt, 'tin.type')
    const name = nameAt === 0 ? 0 : pools.text(window, nameAt, nameEnd)
    if (!isEinPrefix((bytes[tinAt]! - 0x30) * 10 + bytes[tinAt + 1]! - 0x30))
      reading.odd('ein_prefix', tinAt - 1, 'tin.value', reading.excerpt(tinAt, tinEnd))
    let tin: number
    if (tinEnd - tinAt === 9) tin = pools.text(window, tinAt, tinEnd)
    else {
      // 12-3456789
      bytes.copy(this.#ein.bytes, 0, tinAt, tinAt + 2)
      bytes.copy(this.#ein.bytes, 2, tinAt + 3, tinEnd)
      tin = pools.text(this.#ein, 0, 9)
    }
    this.id = pools.readGroup(type, tin, name, groupFlags.validTin, npis)
    this.wanted = true
  }

  #readNpis(at: number, limit: number): number {
    const reading = this.#reading
    const { bytes } = reading.window
    if (bytes[at] === openList)
      return listEnd(bytes, at, limit, (value, index) => this.#readNpi(value, limit, index))
    if (bytes[at] === 0x6e) reading.odd('null_value', at, 'npi')
    else if (bytes[at] === openObject) reading.odd('wrong_type', at, 'npi')
    else {
      reading.odd('single_for_list', at, 'npi')
      return this.#readNpi(at, limit, 0)
    }
    return valueEnd(bytes, at, limit, 5)
  }

  /** Takes the NPI at `at`, in the usual ten digits or in any other form. */
  #readNpi(at: number, limit: number, index: number): number {
    const { bytes } = this.#reading.window
    const inQuotes = bytes[at] === quote
    const start = inQuotes ? at + 1 : at
    if (start + 11 < limit) {
      let npi = 0
      let digits = 0
      for (; digits < 10; digits++) {
        const digit = bytes[start + digits]! - 0x30
        if (digit < 0 || digit > 9) break
        npi = npi * 10 + digit
      }
      const next = bytes[start + 10]!
      // The number ends at a comma, a bracket or white space; anything else is another form, or an error.
      const ends = inQuotes
        ? next === quote
        : next === 0x2c || next === 0x5d || next === 0x20 || next === 0x0a
      if (digits === 10 && ends && npi >= 1_000_000_000) {
        if (inQuotes && this.#texts++ === 0) this.#firstText = at
        this.#push(npi)
        return inQuotes ? start + 11 : start + 10
      }
    }
    return this.#readUnusualNpi(at, limit, index)
  }

  #readUnusualNpi(at: number, limit: number, index: number): number {
    const reading = this.#reading
    const { bytes } = reading.window
    const byte = bytes[at]!
    const end =
      byte === openObject || byte === openList ? valueEnd(bytes, at, limit, 5) : scalarEnd(bytes, at, limit)
    if (end === incomplete) return incomplete
    const leaf = `npi[${index}]`
    if (byte === 0x6e) reading.odd('null_in_list', at, leaf)
    else if (byte === quote || byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      const text = byte === quote ? reading.string(at, end, leaf).trim() : bytes.toString('latin1', at, end)
      if (byte === quote && this.#texts++ === 0) this.#firstText = at
      const decimal = canonicalDecimal(text)
      if (text === '') reading.odd('empty_in_list', at, leaf)
      else if (decimal === '0') this.#zeroes++
      else if (decimal !== undefined && /^[1-9]\d{9}$/.test(decimal) && !/^0\d/.test(text)) {
        this.#push(Number(decimal))
      } else {
        this.#invalid++
        reading.odd('npi_invalid', at, leaf, reading.excerpt(at, end))
      }
    } else reading.odd('wrong_type', at, leaf, reading.excerpt(at, end))
    return end
  }

  #push(npi: number): void {
    if (this.#count === this.#npis.length) {
      const npis = new Float64Array(this.#count * 2)
      npis.set(this.#npis)
      this.#npis = npis
    }
    this.#npis[this.#count++] = npi
  }

  #finish(at: number, tinAt: number, tinEnd: number): void {
    const reading = this.#reading
    reading.book.addPublished(1, this.#count + this.#zeroes + this.#invalid)
    if (this.#texts > 0) reading.odd('number_as_text', this.#firstText, 'npi', '', this.#texts)
    let flags = this.#invalid > 0 ? groupFlags.quarantinedNpis : 0
    if (this.#count === 0 && this.#zeroes > 0 && this.#invalid === 0) flags |= groupFlags.tinLevel
    else if (this.#zeroes > 0) reading.odd('npi_zero_among_others', at, 'npi', '', this.#zeroes)
    else if (this.#count === 0) reading.odd('group_without_npi', at, '')
    this.#sortNpis(at)
    const npis = this.#npis
    let wrongDigits = 0
    for (let index = 0; index < this.#count; index++) if (!checkDigitHolds(npis[index]!)) wrongDigits++
    if (wrongDigits > 0) {
      const first = npis.subarray(0, this.#count).find((npi) => !npiCheckDigitHolds(npi))
      reading.odd('npi_check_digit', at, 'npi', String(first), wrongDigits)
    }
    const tin = this.#readTin(at, tinAt, tinEnd)
    if (tin.valid) flags |= groupFlags.validTin
    this.wanted = this.#isWanted(tin.text)
    this.id = this.wanted ? reading.pools.group(tin.type, tin.value, tin.name, flags, npis, this.#count) : 0
  }

  /** Ascending and distinct. */
  #sortNpis(at: number): void {
    const npis = this.#npis
    const published = this.#count
    let sorted = true
    for (let index = 1; index < published && sorted; index++) sorted = npis[index - 1]! < npis[index]!
    if (sorted) return
    npis.subarray(0, published).sort()
    let kept = 1
    for (let index = 1; index < published; index++)
      if (npis[index] !== npis[kept - 1]) npis[kept++] = npis[index]!
    this.#count = kept
    if (kept < published) this.#reading.odd('npi_repeated', at, 'npi', '', published - kept)
  }

  /** Whether a filter wants something of the group. Of a TIN that is not asked for, only the NPIs that are stay. */
  #isWanted(tin: string): boolean {
    const filter = this.#filter
    if (!filter || filter.tins?.has(tin)) return true
    let kept = 0
    for (let index = 0; index < this.#count; index++)
      if (filter.npis?.has(this.#npis[index]!)) this.#npis[kept++] = this.#npis[index]!
    this.#count = kept
    return kept > 0
  }

  #readTin(
    at: number,
    tinAt: number,
    tinEnd: number,
  ): { type: number; value: number; name: number; text: string; valid: boolean } {
    const reading = this.#reading
    const { bytes } = reading.window
    const tin = { type: 0, value: 0, name: 0, text: '', valid: false }
    let type = ''
    let valueAt = tinAt
    if (tinAt > 0 && bytes[tinAt] === openObject) {
      objectEnd(bytes, tinAt, tinEnd, (keyAt, keyEnd, value) => {
        const key = keyNumber(bytes, keyAt, keyEnd) || reading.looseKey(keyAt, keyEnd)
        const after = valueEnd(bytes, value, tinEnd, 5)
        if (key === keys.type) {
          type = reading.scalar(value, after, 'tin.type')
          tin.type = this.#vocabulary.tinTypes.id(reading, type, value, 'tin.type')
          if (type === 'npi') reading.pools.noteTinType('regNpi', tin.type)
        } else if (key === keys.value) {
          valueAt = value
          tin.text = reading.scalar(value, after, 'tin.value')
        } else if (key === keys.business_name) tin.name = reading.text(value, after, 'tin.business_name')
        else reading.unknownKey(keyAt, keyEnd)
        return after
      })
    } else if (tinAt > 0) {
      reading.odd('wrong_type', tinAt, 'tin', reading.excerpt(tinAt, tinEnd))
      tin.text = reading.scalar(tinAt, tinEnd, 'tin')
    }
    if (tin.text === '') {
      reading.odd('tin_missing', at, 'tin')
      return tin
    }
    const digits = tinFromText(tin.text)
    if (digits === undefined || /^0+$/.test(digits)) {
      reading.odd('tin_invalid', valueAt, 'tin.value', tin.text)
    } else {
      const isNpi = digits.length === 10
      if (!isNpi && !isEinPrefix(Number(digits.slice(0, 2))))
        reading.odd('ein_prefix', valueAt, 'tin.value', tin.text)
      tin.text = digits
      tin.valid = true
      if ((type.toLowerCase() === 'ein' && isNpi) || (type.toLowerCase() === 'npi' && !isNpi)) {
        reading.odd('tin_type_mismatch', valueAt, 'tin', `${type} ${digits}`)
      }
    }
    tin.value = reading.pools.textOf(tin.text)
    return tin
  }
}
