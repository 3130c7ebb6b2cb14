import { plainAmount, plainAmountEnd, rateFromText } from './decimals.ts'
import { incomplete, objectEnd, quote, valueEnd } from './json.ts'
import { keyNumber, keys } from './keys.ts'
import type { Reading } from './reading.ts'
import type { Vocabulary } from './words.ts'

/** Reads one price strictly and normalises it: the first time its bytes are met, or when they are unusual. */
export class PriceParser {
  /** Results: the attributes' id, the note's text id (0 for none), the amount (NaN where it cannot be kept). */
  attributes = 0
  note = 0
  amount = Number.NaN
  /** Where the rate's number stands, for the memo; 0 where the price must not be remembered. */
  rateAt = 0
  isPercentage = false
  /** Where the note's text begins. */
  noteAt = 0

  readonly #reading: Reading
  readonly #vocabulary: Vocabulary

  constructor(reading: Reading, vocabulary: Vocabulary) {
    this.#reading = reading
    this.#vocabulary = vocabulary
  }

  /** The end of the price at `at`, which lies before `limit`. */
  parse(at: number, limit: number): number {
    const reading = this.#reading
    const { bytes } = reading.window
    const vocabulary = this.#vocabulary
    let negotiatedType = 0
    let billingClass = 0
    let setting = 0
    let expirationDate = 0
    let serviceCodes = 0
    let modifiers = 0
    let seen = 0
    let rate = 0
    let rateEnd = 0
    this.note = 0
    this.noteAt = 0
    this.isPercentage = false
    const end = objectEnd(bytes, at, limit, (keyAt, keyEnd, value) => {
      const key = keyNumber(bytes, keyAt, keyEnd) || reading.looseKey(keyAt, keyEnd)
      const after = valueEnd(bytes, value, limit, 4)
      if (after === incomplete) return incomplete
      if (key >= keys.negotiated_type && key <= keys.additional_information) {
        if ((seen & (1 << (key - keys.negotiated_type))) !== 0) {
          reading.odd('duplicate_key', keyAt, reading.excerpt(keyAt + 1, keyEnd - 1))
          seen |= 1 << 30
        }
        seen |= 1 << (key - keys.negotiated_type)
      }
      switch (key) {
        case keys.negotiated_type: {
          const text = reading.scalar(value, after, 'negotiated_type')
          negotiatedType = vocabulary.negotiatedTypes.id(reading, text, value, 'negotiated_type')
          this.isPercentage = text.toLowerCase() === 'percentage'
          break
        }
        case keys.billing_class: {
          const text = reading.scalar(value, after, 'billing_class')
          billingClass = vocabulary.billingClasses.id(reading, text, value, 'billing_class')
          break
        }
        case keys.setting: {
          const text = reading.scalar(value, after, 'setting')
          setting = vocabulary.settings.id(reading, text, value, 'setting')
          break
        }
        case keys.expiration_date: {
          const text = reading.scalar(value, after, 'expiration_date')
          expirationDate = vocabulary.dates.id(reading, text, value, 'expiration_date')
          break
        }
        case keys.service_code:
          serviceCodes = vocabulary.serviceCodes.id(reading, value, after, 'service_code')
          break
        case keys.billing_code_modifier:
          modifiers = vocabulary.modifiers.id(reading, value, after, 'billing_code_modifier')
          break
        case keys.additional_information:
          this.note = bytes[value] === 0x6e ? 0 : reading.text(value, after, 'additional_information')
          this.noteAt = value + 1
          break
        case keys.negotiated_rate:
          rate = value
          rateEnd = after
          break
        default:
          reading.unknownKey(keyAt, keyEnd)
      }
      return after
    })
    if (end === incomplete) return incomplete
    if (negotiatedType === 0) reading.odd('missing_field', at, 'negotiated_type')
    if (billingClass === 0) reading.odd('missing_field', at, 'billing_class')
    this.attributes = reading.pools.attributes(
      negotiatedType,
      billingClass,
      setting,
      expirationDate,
      serviceCodes,
      modifiers,
    )
    // With a key twice, or a number of another form, the bytes around the number do not tell the whole.
    this.rateAt = 0
    this.#readRate(at, rate, rateEnd, (seen & (1 << 30)) === 0)
    return end
  }

  #readRate(at: number, rate: number, end: number, memorable: boolean): void {
    const reading = this.#reading
    const { bytes } = reading.window
    this.amount = Number.NaN
    if (rate === 0) return reading.odd('rate_missing', at, 'negotiated_rate', 'absent')
    const inQuotes = bytes[rate] === quote
    if (inQuotes) reading.odd('number_as_text', rate, 'negotiated_rate')
    const start = inQuotes ? rate + 1 : rate
    const plain = plainAmount(bytes, start, end + 1)
    if (plain >= 0 && plainAmountEnd === (inQuotes ? end - 1 : end)) {
      this.amount = plain
      if (memorable) this.rateAt = start
      return
    }
    const text = inQuotes
      ? reading.string(rate, end, '').trim()
      : bytes.toString('latin1', rate, Math.min(end, rate + 500))
    const read = rateFromText(text)
    if (read === 'none') {
      reading.odd('rate_missing', rate, 'negotiated_rate', reading.excerpt(rate, end))
    } else if (read === 'beyond') {
      reading.odd('rate_out_of_range', rate, 'negotiated_rate', reading.excerpt(rate, end))
    } else {
      if (read.rounded) reading.odd('rate_rounded', rate, 'negotiated_rate', text)
      this.amount = read.amount
    }
  }
}
