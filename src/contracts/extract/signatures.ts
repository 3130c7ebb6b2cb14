import type { ContractView } from './contract-view.ts'
import { datePattern, isoDate } from './dates.ts'
import type { Found } from './found.ts'

/** Whether the contract is signed, and when the last party signed it. */
export function signatures(view: ContractView): { signedDate?: Found; executionStatus?: Found } {
  const block = signatureBlock(view)
  if (block === undefined) return saidToBeSigned(view)
  const executionStatus = execution(view, block)
  const signedDate = executionStatus?.normalized === 'unsigned' ? undefined : lastSigned(view, block)
  return { ...(signedDate && { signedDate }), ...(executionStatus && { executionStatus }) }
}

const line =
  /(?<!Date\s)\b(?:By|Signature|Signed(?:\s+(?:for|by)\s+[\w ]{1,40})?|For\s+the\s+[\w ]{1,30})[ ]*[:\t][ \t]*([^\n\t]*)|\/s\/[^\n\t]*/gi
const opening =
  /IN\s+WITNESS\s+WHEREOF|(?:have|has)\s+(?:caused\s+this|executed\s+this|signed\s+this)|ACCEPTED\s+AND\s+AGREED|^[ \t]*SIGNATURES?[ \t]*$|signature\s+page[ \t]*$|^[ \t]*SIGNED\b/gim

interface SignatureLine {
  readonly index: number
  readonly text: string
  readonly signed: boolean
}

const linesFrom = (view: ContractView, block: number): SignatureLine[] =>
  [...view.text.slice(block).matchAll(line)]
    .filter(
      ({ 0: text, 1: name }) => /^(?:by|signature|signed|\/s\/)/i.test(text) || /\/s\/|_{3}/.test(name ?? ''),
    )
    .map(({ index, 0: text, 1: name }) => ({
      index: block + index,
      text,
      signed:
        name === undefined || /\/s\/|\p{L}{2}/u.test(name.replace(/\b(?:Name|Title|Date|Its)\b.*/i, '')),
    }))

/** From where the parties sign: the words that open the signatures, or the first line to sign on. */
function signatureBlock(view: ContractView): number | undefined {
  const openings = [...view.text.matchAll(opening)].map(({ index }) => index)
  const last = openings.findLast((at) => linesFrom(view, at).length > 0)
  const first = linesFrom(view, 0).find(({ text }) => /\/s\/|_{3}|[:\t]\s*$/.test(text))
  if (last === undefined) return first?.index
  return first ? Math.min(last, first.index) : last
}

function execution(view: ContractView, block: number): Found | undefined {
  const lines = linesFrom(view, block)
  const [first] = lines
  if (!first) return undefined
  const count = lines.filter(({ signed }) => signed).length
  const normalized = count === lines.length ? 'executed' : count === 0 ? 'unsigned' : 'partially_executed'
  return {
    value: normalized,
    normalized,
    start: first.index,
    end: first.index + first.text.trimEnd().length,
    rule: 'executionStatus.lines',
  }
}

const signedWords: readonly (readonly [string, RegExp])[] = [
  [
    'signedDate.labelled',
    new RegExp(
      String.raw`\b(?:Date(?:\s+Signed|\s+of\s+Signature)?|Dated|Signed(?:\s+on)?)\s*(?:[:\t]|\.{3,})?\s*(${datePattern})`,
      'gi',
    ),
  ],
  [
    'signedDate.said',
    new RegExp(
      String.raw`\b(?:executed|signed|caused[^.]{0,120}?)\s+(?:as\s+of|on|this)\s+(?:the\s+)?(${datePattern})`,
      'gi',
    ),
  ],
  ['signedDate.alone', new RegExp(String.raw`(?:^|\t)[ ]*(${datePattern})[ ]*(?=\t|$)`, 'gim')],
]

const saidWords = new RegExp(
  String.raw`(?:^|[.;]\s+)(?:This\s+(?:Agreement|Contract|Amendment|Addendum|Letter)\s+(?:is|was|has\s+been)\s+)?(?:duly\s+)?(?:signed|executed)(?:\s+(?:by|between)\s+(?:[\w, ]{1,60}?\s)?part(?:y|ies))?\s*,?\s+(?:on|as\s+of|this)\s+(?:the\s+)?(${datePattern})`,
  'gim',
)

/** Where nothing is there to sign on, a sentence of its own may say when the parties signed. */
function saidToBeSigned(view: ContractView): { signedDate?: Found; executionStatus?: Found } {
  const match = [...view.text.matchAll(saidWords)].at(-1)
  const normalized = match && isoDate(match[1]!)
  if (!match || normalized === undefined) return {}
  const end = match.index + match[0].length
  const start = end - match[1]!.length
  const words = match[0].search(/\p{L}/u)
  return {
    signedDate: { value: match[1]!, normalized, start, end, rule: 'signedDate.sentence' },
    executionStatus: {
      value: 'executed',
      normalized: 'executed',
      start: match.index + words,
      end,
      rule: 'executionStatus.sentence',
    },
  }
}

/** A contract is signed when the last party has signed. */
function lastSigned(view: ContractView, block: number): Found | undefined {
  const part = view.text.slice(block)
  for (const [rule, words] of signedWords) {
    const found = [...part.matchAll(words)].flatMap((match): Found[] => {
      const value = match[1]!
      const normalized = isoDate(value)
      const start = block + match.index + match[0].lastIndexOf(value)
      return normalized === undefined ? [] : [{ value, normalized, start, end: start + value.length, rule }]
    })
    const [latest] = found.sort((a, b) => (a.normalized! < b.normalized! ? 1 : -1))
    if (latest) return latest
  }
  return undefined
}
