import type { ContractView } from './contract-view.ts'
import { datePattern, isoDate, smallNumber, termEnd } from './dates.ts'
import type { Found } from './found.ts'
import { signatures } from './signatures.ts'

export interface FoundTerms {
  readonly signedDate?: Found
  readonly start?: Found
  readonly end?: Found
  readonly executionStatus?: Found
}

/** When the contract was signed, from when to when it is in force, and whether it is signed. */
export function terms(view: ContractView): FoundTerms {
  const start = firstDate(view, starts)
  const end =
    firstDate(view, ends, (date) => start === undefined || date > start.normalized!) ??
    (start && computedEnd(view, start))
  return { ...(start && { start }), ...(end && { end }), ...signatures(view) }
}

interface DateRule {
  readonly rule: string
  readonly patterns: readonly RegExp[]
}

const date = `(${datePattern})`
const label = String.raw`["”)]?\s*(?:[:\t]|\.{3,}|\.|,|\bis\b|\bshall\s+be\b|\bmeans\b|\bof\s+this\s+\w+\s+(?:is|shall\s+be)\b)?\s*(?:the\s+)?`
const on = String.raw`(?:\s+(?:as\s+of|on|from|beginning(?:\s+on)?|the|this))*\s+(?:the\s+)?`
const pattern = (text: string) => new RegExp(text, 'gi')

// What another agreement's date is called: the one that this one amends or replaces.
const anotherAgreement =
  /\b(?:dated|agreement\s+of|amends|amended|replaces?|law\s+of|act\s+of|rule\s+of|certain)\s+[^.]{0,20}$|\bwith\s+an\s+effective\s+date\s+of\s+$/i

const starts: readonly DateRule[] = [
  {
    rule: 'effectivePeriod.start.stated',
    patterns: [
      pattern(String.raw`\b(?:effective|commencement|start)\s+date${label}${date}`),
      pattern(String.raw`${date}\s*\(\s*(?:the\s+)?["“](?:Effective|Commencement|Start)\s+Date`),
      pattern(String.raw`\beffective${on}${date}`),
      pattern(String.raw`\beffective\s*(?:[:\t]|\.{3,})\s*${date}`),
      pattern(
        String.raw`\b(?:with\s+effect|takes?\s+effect|applies|in\s+force|commenc(?:es?|ing)|begins?(?:ning)?|starts?(?:ing)?)${on}${date}`,
      ),
      pattern(String.raw`\bfrom\s+${date}\s+(?:to|through|until)\s`),
      pattern(String.raw`\b(?:period|term)\b[^.\n]{0,20}\s+${date}\s+(?:to|through|until)\s`),
    ],
  },
  {
    rule: 'effectivePeriod.start.made',
    patterns: [
      pattern(
        String.raw`\b(?:made|entered\s+into|dated)(?:\s+and\s+(?:entered\s+into|effective))?\s+(?:as\s+of|on|this|effective)\s+(?:the\s+)?${date}`,
      ),
    ],
  },
]
const ends: readonly DateRule[] = [
  {
    rule: 'effectivePeriod.end.stated',
    patterns: [
      pattern(String.raw`\b(?:expiration|termination|end)\s+date${label}${date}`),
      pattern(String.raw`\bexpir(?:e|es|ing)\s*(?:[:\t]|\.{3,}|on)?\s*${date}`),
      pattern(
        String.raw`\b(?:through(?:\s+and\s+including)?|until|end(?:s|ing)?(?:\s+on)?)\s+(?:the\s+)?${date}`,
      ),
      pattern(String.raw`${date.replace('(', '(?:')}\s+to\s+${date}`),
    ],
  },
]

/** The first date in the document that a rule's words stand before; the next rule is asked where there is none. */
function firstDate(
  view: ContractView,
  rules: readonly DateRule[],
  holds: (date: string) => boolean = () => true,
): Found | undefined {
  for (const { rule, patterns } of rules) {
    const found = patterns.flatMap((words) =>
      [...view.text.matchAll(words)].flatMap((match): Found[] => {
        const value = match[1]!
        const start = match.index + match[0].lastIndexOf(value)
        const normalized = isoDate(value)
        if (normalized === undefined || !holds(normalized)) return []
        if (anotherAgreement.test(view.text.slice(Math.max(0, start - 60), start))) return []
        return [{ value, normalized, start, end: start + value.length, rule }]
      }),
    )
    const [first] = found.sort((a, b) => a.start - b.start)
    if (first) return first
  }
  return undefined
}

const count = String.raw`((?:\w+\s+)?\(\d{1,2}\)|one|two|three|four|five|six|twelve|\d{1,2})[\s-]+(year|month)s?`
const lengths = [
  pattern(String.raw`\b(?:initial|first)\s+(?:term|period)\b[^.\n]{0,60}?\b${count}`),
  pattern(String.raw`\bterm\s+of\s+(?:this\s+\w+\s+(?:is|shall\s+be)\s+)?${count}`),
  pattern(String.raw`\bfor\s+(?:an?\s+)?(?:initial\s+)?(?:term|period)\s+of\s+${count}`),
  pattern(String.raw`\bterm\b["”)]?\s*(?:[:\t.]|is|shall\s+be|runs\s+for)\s*(?:the\s+term\s+is\s+)?${count}`),
  pattern(String.raw`\b(?:agreement|contract)\s+runs\s+for\s+${count}`),
  pattern(String.raw`${count}\s+from\s+the\s+(?:effective|commencement)\s+date`),
]

/** `an initial term of three (3) years`, counted from the first day. */
function computedEnd(view: ContractView, start: Found): Found | undefined {
  for (const words of lengths)
    for (const match of view.text.matchAll(words)) {
      const length = smallNumber(match[1]!)
      if (length === undefined || /\b(?:successive|additional|further|renew)/i.test(match[0])) continue
      return {
        value: match[0],
        normalized: termEnd(start.normalized!, length, match[2]!.toLowerCase() as 'year' | 'month'),
        start: match.index,
        end: match.index + match[0].length,
        rule: 'effectivePeriod.end.computed',
      }
    }
  return undefined
}
