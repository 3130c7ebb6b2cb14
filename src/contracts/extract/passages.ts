import { careClauses } from './care-clauses.ts'
import { claimClauses } from './claim-clauses.ts'
import type { ContractView } from './contract-view.ts'
import { flat, type Found } from './found.ts'
import { type Paragraph, unnumbered } from './paragraphs.ts'
import type { PassageSubject } from './passage-subject.ts'
import { policySubjects } from './payment-policies.ts'
import { setsPrice } from './pricing-terms.ts'
import { termClauses } from './term-clauses.ts'

/** A paragraph that states a rule, with what it is about. */
export interface FoundPassage extends Found {
  readonly subject: PassageSubject
}

const subjects = [...policySubjects, ...termClauses, ...claimClauses, ...careClauses]
const ownHeading = 5
const sectionHeading = 1
const enough = 2.5
const strong = 5
// A rule of three pages is a text whose paragraphs were lost.
const paragraphMost = 10_000

/** The paragraphs that state a rule and set no price. Every subject's words are counted, and the one with most is it. */
export function passages(view: ContractView): FoundPassage[] {
  return view.paragraphs.flatMap((paragraph): FoundPassage[] => {
    const { text, start, end } = paragraph
    if (!statesRule(paragraph)) return []
    let best: { subject: PassageSubject; weight: number; headed: boolean } | undefined
    for (const subject of subjects) {
      const headed = subject.heading?.test(paragraph.heading) ?? false
      const body = subject.words.reduce((sum, [words, weight]) => (words.test(text) ? sum + weight : sum), 0)
      const weight =
        body + (headed ? ownHeading : 0) + (subject.heading?.test(paragraph.section) ? sectionHeading : 0)
      if (weight > (best?.weight ?? 0)) best = { subject, weight, headed }
    }
    if (!best || best.weight < enough) return []
    const sure = best.headed ? 'heading' : best.weight >= strong ? 'strong' : 'weak'
    return [
      {
        subject: best.subject,
        value: flat(text).slice(0, 10_000),
        start,
        end,
        rule: `${best.subject.is === 'clause' ? 'clauses' : 'paymentPolicies'}.${sure}`,
      },
    ]
  })
}

const background =
  /^(?:recitals?|whereas|background|preamble|signatures?|in\s+witness|witness|re:|dear\b|now,?\s+therefore)/i
const sentence = /[.;:]["”)]?$/

/** Whether a paragraph can be a rule: a whole sentence that is no background, definition, price or signature. */
function statesRule({ text, heading, section }: Paragraph): boolean {
  const said = unnumbered(text)
  if (said.length < 20 || text.length > paragraphMost || !sentence.test(text) || text.includes('\t'))
    return false
  if (
    background.test(said) ||
    /^(?:recitals?|background|preamble|definitions?)\b/i.test(section) ||
    /^definitions?$/i.test(heading)
  )
    return false
  if (/^["“][^"”]{2,60}["”]\s+(?:means|shall\s+mean|has\s+the\s+meaning|is\s+defined)/i.test(said))
    return false
  if (/\/s\/|_{4}/.test(text) || isPreamble(said)) return false
  return !setsPrice(text)
}

const isPreamble = (text: string) =>
  /\b(?:made|entered\s+into|agreement|contract|letter|amendment)\b[^.]{0,200}\b(?:by\s+and\s+)?(?:between|among)\b/i.test(
    text.slice(0, 300),
  ) && /["“(]/.test(text)
