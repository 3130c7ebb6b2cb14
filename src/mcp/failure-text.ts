import { type Failure, type FailureCode, failures } from '../errors.ts'
import { nearest } from '../vocabulary/choice.ts'
import { states } from '../vocabulary/enums.ts'
import { payerNamed, payers } from '../vocabulary/payers.ts'
import { taxonomies } from '../vocabulary/taxonomy.ts'

const problemsShown = 20
const neighbours = 8

/** A failure in words that a model can act on: which argument, what is allowed, what to call first, where to mend it. */
export function failureText(failure: Failure, sent: unknown, baseUrl: string): string {
  const { title } = failures[failure.code]
  const problems = failure.details.problems ?? []
  if (failure.code === 'invalid_request' && problems.length > 0)
    return [
      'The arguments are not valid; nothing was charged. Mend them and call again:',
      ...problems.slice(0, problemsShown).map(({ path, message }) => {
        const help = helpFor(path, valueAt(sent, path))
        return `- ${path || 'arguments'}: ${message}${help && `. ${help}`}`
      }),
      ...(problems.length > problemsShown
        ? [`- … and ${problems.length - problemsShown} more problems`]
        : []),
    ].join('\n')
  return [`${title}.`, failure.message, remedies[failure.code]?.(baseUrl)].filter(Boolean).join(' ')
}

const narrower =
  'Name fewer states, specialties, payers or billing codes in one call, and combine the answers.'

/** What can be done about a failure that is not about the arguments. */
const remedies: { readonly [Code in FailureCode]?: (baseUrl: string) => string } = {
  insufficient_credit: () => 'Tell the user; calling again does not help before credits are added.',
  forbidden: (baseUrl) =>
    `What a key may use is set at ${baseUrl}/account/keys; what an organisation may use, by the operator of this service. tools/list shows the tools that are allowed.`,
  organization_suspended: () => 'Only the operator of this service can end that.',
  query_too_wide: () => narrower,
  query_timeout: () => narrower,
}

/** What to send instead, for the arguments whose lists are too long for a schema. */
function helpFor(path: string, wrong: unknown): string {
  const text = typeof wrong === 'string' ? wrong : ''
  if (/\bpayers\b/.test(path)) {
    const meant = payerNamed(text)
    const near = nearest(
      text,
      payers().map(({ payer }) => payer),
      neighbours,
    )
    return `${meant ? `Probably ${JSON.stringify(meant.payer)}. ` : text && `Near: ${near.join(', ')}. `}The resource search-rates-options-payers lists all payers with their states and periods`
  }
  if (/\btaxonomyCodes\b/.test(path)) {
    const meant = specialtiesLike(text).map(({ code, name }) => `${code} (${name})`)
    return `${meant.length > 0 ? `Perhaps ${meant.join(', ')}. ` : ''}The resource search-rates-options-taxonomies lists all codes; search_providers shows those of a provider`
  }
  if (/\bstates\b/.test(path)) return `States are two capital letters: ${states.join(', ')}`
  if (/\baggregations\b/.test(path))
    return 'The resource search-rates-options-aggregations lists all statistics'
  if (/\bnegotiatedTypes\b/.test(path))
    return 'The resource search-rates-options-negotiated-types explains each'
  if (/\b(npis|tins|ccns)\b/.test(path)) return 'Find identifiers with search_providers first'
  return ''
}

// "Cardiology" is no word of the code set, "Cardiovascular Disease" is: words count as alike from their first letters.
const stemLength = 5

/** The specialties whose names share words with a text, best first. */
export function specialtiesLike(text: string, most = neighbours): { code: string; name: string }[] {
  const asked = stems(text)
  if (asked.length === 0) return []
  const scored = taxonomies.flatMap(({ code, name }) => {
    const own = stems(name)
    const shared = asked.filter((stem) => own.some((word) => word === stem)).length
    return shared === 0 ? [] : [{ code, name, score: shared / asked.length - own.length / 100 }]
  })
  return scored.sort((a, b) => b.score - a.score || (a.code < b.code ? -1 : 1)).slice(0, most)
}

const stems = (text: string) =>
  (text.toLowerCase().match(/[a-z]{3,}/g) ?? [])
    .filter((word) => !['physician', 'and', 'the', 'specialist'].includes(word))
    .map((word) => word.slice(0, stemLength))

/** The value at a path such as `filters.payers[0]`. */
function valueAt(value: unknown, path: string): unknown {
  return (path.match(/[^.[\]]+/g) ?? []).reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[step] : undefined,
    value,
  )
}
