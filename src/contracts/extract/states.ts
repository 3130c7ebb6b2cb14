import { stateNames } from '../state-names.ts'
import type { Range } from './contract-view.ts'
import { distinct, flat, type Found } from './found.ts'
import type { Covered } from './scope.ts'

const names = [...stateNames.keys()]
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replaceAll(' ', String.raw`\s+`))
  .join('|')
const stateWord = new RegExp(
  String.raw`\b(${names})\b(?!\s+(?:Medicaid|Department|law|Revised|statut|Code|Bureau|corporation|licen[sc]e|prompt|nonprofit|not-for|limited|professional|mutual|Public|Hospital-|Workers))`,
  'g',
)
/** What stands before the name of a state in which something holds: `in`, a list of states, a label. */
const leading = new RegExp(
  String.raw`(?:\b(?:in|throughout|within|across|of\s+residents\s+of)\s+(?:the\s+)?(?:(?:States?|Commonwealth|counties)\s+(?:of\s+)?)?|\b(?:counties|county|counties\s+of)\b[^.;]{0,60},\s*|\b(?:States?|Service\s+Area|Geographic\s+Area|Covered\s+States?|Market|Territory|Coverage\s+Area|Area)\s*(?:\(s\))?\s*(?:[:\t]|\bis\b|\bincludes\b)\s*|\b(?:${names})(?:,|,?\s+(?:and|or))\s+(?:the\s+(?:State|Commonwealth)\s+of\s+)?)$`,
  'i',
)
const leadingBare = new RegExp(String.raw`\b(?:programs?|plans?)\s+of\s+$`, 'i')
const outOfScope =
  /\b(?:laws?\s+of|governed\s+by|organized|incorporated|licen[sc]\w*|enrolled|courts?|venue|arbitrat\w+|mediat\w+|corporation|offices?\s+(?:in|at))\b[^.;]{0,60}$/i

/** `Florida Blue` and `Health Plan of Nevada` are names. */
function isPartOfName(
  text: string,
  { start, end }: Range,
  value: string,
  parties: Covered['parties'],
): boolean {
  const [before, after] = [
    flat(text.slice(Math.max(0, start - 120), start)),
    flat(text.slice(end, end + 120)),
  ]
  return parties.some((party) => {
    const at = party.value.indexOf(value)
    return (
      at >= 0 &&
      before.endsWith(party.value.slice(0, at).trim()) &&
      after.startsWith(party.value.slice(at + value.length).trim())
    )
  })
}

/** States in which the contract holds: its service area, not the law that governs it, nor where a party is licensed. */
export function states({ view, parties }: Covered): Found[] {
  const found: Found[] = []
  for (const { index: start, 0: raw } of view.text.matchAll(stateWord)) {
    const range = { start, end: start + raw.length }
    const value = flat(raw)
    const sentence = view.sentenceAround(range)
    const before = view.text.slice(Math.max(sentence.start, start - 160), start)
    const isList =
      found.at(-1) !== undefined &&
      /^(?:,|,?\s+(?:and|or))\s+$/.test(view.text.slice(found.at(-1)!.end, start))
    if (!isList && !leading.test(before) && !leadingBare.test(before)) continue
    if (!isList && outOfScope.test(before)) continue
    if (isPartOfName(view.text, range, value, parties)) continue
    found.push({ value, normalized: stateNames.get(value)!, ...range, rule: 'states.inScope' })
  }
  return distinct(found)
}
