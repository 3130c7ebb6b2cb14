import type { ContractView } from './contract-view.ts'
import { datePattern, isoDate, smallNumber, termEnd } from './dates.ts'
import type { Found } from './found.ts'

export interface FoundTerms {
  readonly signedDate?: Found
  readonly start?: Found
  readonly end?: Found
  readonly executionStatus?: Found
}

/** When the contract was signed, from when to when it is in force, and whether it is signed. */
export function terms(view: ContractView): FoundTerms {
  const start = first(view, [
    [
      `effective\\s+date(?:\\s+of\\s+this\\s+\\w+)?["”)\\s]*(?:is|shall\\s+be|means|:|\\t)?\\s*(?:the\\s+)?(${datePattern})`,
      0.95,
    ],
    [
      `(?:is|are|be|become[s]?|and)?\\s*effective\\s+(?:as\\s+of|on|from|beginning(?:\\s+on)?)?\\s*(?:the\\s+)?(${datePattern})`,
      0.92,
    ],
    [
      `(?:commenc(?:e|es|ing)|begin(?:s|ning)?|start(?:s|ing)?)\\s+(?:as\\s+of|on)\\s+(?:the\\s+)?(${datePattern})`,
      0.85,
    ],
    [
      `(?:made|entered\\s+into)(?:\\s+and\\s+entered\\s+into)?\\s+(?:as\\s+of|on|this|effective)\\s+(?:the\\s+)?(${datePattern})`,
      0.75,
    ],
    [`(${datePattern})\\s*\\(\\s*(?:the\\s+)?["“]Effective\\s+Date`, 0.95],
  ])
  const end =
    first(view, [
      [
        `(?:expiration|termination|end)\\s+date["”)\\s]*(?:is|shall\\s+be|means|:|\\t)?\\s*(?:the\\s+)?(${datePattern})`,
        0.95,
      ],
      [
        `(?:through(?:\\s+and\\s+including)?|until|expir(?:e|es|ing)(?:\\s+on)?|end(?:s|ing)?\\s+on)\\s+(?:the\\s+)?(${datePattern})`,
        0.88,
      ],
    ]) ??
    (start && computedEnd(view, start))
  const block = signatureBlock(view)
  const signedDate = signed(view, block)
  const executionStatus = execution(view, block)
  return {
    ...(start && { start }),
    ...(end && (!start || end.normalized! >= start.normalized!) && { end }),
    ...(signedDate && { signedDate }),
    ...(executionStatus && { executionStatus }),
  }
}

function first(view: ContractView, patterns: readonly (readonly [string, number])[]): Found | undefined {
  for (const [pattern, confidence] of patterns)
    for (const match of view.text.matchAll(new RegExp(pattern, 'gi'))) {
      const normalized = isoDate(match[1]!)
      if (normalized === undefined) continue
      const start = match.index + match[0].indexOf(match[1]!)
      return { value: match[1]!, normalized, start, end: start + match[1]!.length, confidence }
    }
  return undefined
}

/** `an initial term of three (3) years`, counted from the first day. */
function computedEnd(view: ContractView, start: Found): Found | undefined {
  const match =
    /(?:initial\s+)?term\s+of\s+(?:this\s+Agreement\s+(?:is|shall\s+be)\s+)?((?:\w+\s+)?\(?\d{1,2}\)?|\w+)\s+(year|month)s?/i.exec(
      view.text,
    ) ??
    /(?:for|period\s+of)\s+(?:an?\s+initial\s+(?:term|period)\s+of\s+)?((?:\w+\s+)?\(\d{1,2}\)|one|two|three|four|five)\s+(year|month)s?/i.exec(
      view.text,
    )
  const count = match && smallNumber(match[1]!)
  if (!match || !count) return undefined
  const normalized = termEnd(start.normalized!, count, match[2]!.toLowerCase() as 'year' | 'month')
  return {
    value: match[0],
    normalized,
    start: match.index,
    end: match.index + match[0].length,
    confidence: 0.7,
  }
}

/** From where the parties sign. */
function signatureBlock(view: ContractView): number | undefined {
  const witness = [
    ...view.text.matchAll(
      /IN\s+WITNESS\s+WHEREOF|(?:have|has)\s+(?:caused\s+this|executed\s+this|signed\s+this)|ACCEPTED\s+AND\s+AGREED|^SIGNATURES?$|signature\s+page/gim,
    ),
  ].at(-1)
  if (witness) return witness.index
  const by = /^(?:By|Signature|Signed)\s*[:\t]/im.exec(view.text)
  return by ? Math.max(0, by.index - 200) : undefined
}

function signed(view: ContractView, block: number | undefined): Found | undefined {
  if (block === undefined) return undefined
  const part = view.text.slice(block)
  const found: Found[] = []
  const patterns = [
    `(?:Date(?:\\s+Signed)?|Dated|Signed\\s+on|Date\\s+of\\s+Signature)\\s*[:\\t]?\\s*(${datePattern})`,
    `(?:executed|signed|caused[^.]{0,120}?)\\s+(?:as\\s+of|on|this)\\s+(?:the\\s+)?(${datePattern})`,
    `/s/[^\\n]{1,80}?(${datePattern})`,
  ]
  for (const pattern of patterns)
    for (const match of part.matchAll(new RegExp(pattern, 'gi'))) {
      const normalized = isoDate(match[1]!)
      if (normalized === undefined) continue
      const start = block + match.index + match[0].lastIndexOf(match[1]!)
      found.push({ value: match[1]!, normalized, start, end: start + match[1]!.length, confidence: 0.88 })
    }
  // A contract is signed when the last party has signed.
  return found.sort((a, b) => (a.normalized! < b.normalized! ? 1 : -1))[0]
}

function execution(view: ContractView, block: number | undefined): Found | undefined {
  if (block === undefined) return undefined
  const part = view.text.slice(block)
  const lines = [...part.matchAll(/(?:\bBy|\bSignature|\bSigned)\s*[:\t][ \t]*([^\n\t]*)/gi)]
  if (lines.length === 0) return undefined
  const isSigned = ([, name = '']: RegExpExecArray) =>
    /\/s\/|[A-Za-z]{2}/.test(name.replace(/^(Name|Title|Date)\b.*/i, ''))
  const count = lines.filter(isSigned).length
  const normalized = count === lines.length ? 'executed' : count === 0 ? 'unsigned' : 'partially_executed'
  const [line] = lines
  const start = block + line!.index
  return { value: normalized, normalized, start, end: start + line![0].trimEnd().length, confidence: 0.85 }
}
