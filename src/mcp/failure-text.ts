import { type Failure, type FailureCode, failures } from '../errors.ts'
import { nearest } from '../vocabulary/choice.ts'
import { states } from '../vocabulary/enums.ts'
import { payerNamed, payers } from '../vocabulary/payers.ts'
import { taxonomies } from '../vocabulary/taxonomy.ts'
import { listed } from './payers-with-data.ts'

const problemsShown = 20
const neighbours = 8

/**
 * A failure in words that a model can act on: which argument, what is allowed, what to call first, where to mend it.
 * `loaded` are the payers that have data.
 */
export function failureText(
  failure: Failure,
  sent: unknown,
  baseUrl: string,
  loaded: readonly string[] = [],
): string {
  const { title } = failures[failure.code]
  const problems = failure.details.problems ?? []
  if (failure.code === 'invalid_request' && problems.length > 0) {
    const shown = problems.slice(0, problemsShown)
    return [
      'The arguments are not valid; nothing was charged. Mend them and call again:',
      ...shown.map(({ path, message }) => {
        const meant = meantBy(path, valueAt(sent, path))
        // Neighbours by spelling help with a slip of the keys, not with another word for the thing.
        const says = meant ? message.replace(/; nearest: .*$/, '') : message
        return `- ${path || 'arguments'}: ${says}${meant && `. ${meant}`}`
      }),
      ...(problems.length > problemsShown
        ? [`- … and ${problems.length - problemsShown} more problems`]
        : []),
      ...new Set(shown.map(({ path }) => whereToLook(path, loaded)).filter(Boolean)),
    ].join('\n')
  }
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

const payerPath = /\bpayers\b/
const everyPayer = /^(all|any|every|\*)\b/i

/** What a wrong value probably means, for the arguments whose lists are too long for a schema. */
function meantBy(path: string, wrong: unknown): string {
  if (typeof wrong !== 'string') return ''
  if (payerPath.test(path)) {
    if (everyPayer.test(wrong)) return 'There is no word for all payers: name each'
    const meant = payerNamed(wrong)
    const near = nearest(
      wrong,
      payers().map(({ payer }) => payer),
      neighbours,
    )
    return meant ? `Probably ${JSON.stringify(meant.payer)}` : `Near: ${near.join(', ')}`
  }
  if (/\btaxonomyCodes\b/.test(path)) {
    const meant = specialtiesLike(wrong).map(({ code, name }) => `${code} (${name})`)
    return meant.length > 0 ? `Perhaps ${meant.join(', ')}` : ''
  }
  return ''
}

/** Where the allowed values of an argument stand; said once, however many are wrong. */
function whereToLook(path: string, loaded: readonly string[]): string {
  if (payerPath.test(path))
    return `Payers with data here: ${listed(loaded) || 'none'}. The resource search-rates-options-payers lists all payers with their states and periods.`
  if (/\btaxonomyCodes\b/.test(path))
    return 'The resource search-rates-options-taxonomies lists all taxonomy codes; search_providers shows those of a provider.'
  if (/\bstates\b/.test(path)) return `States are two capital letters: ${states.join(', ')}.`
  if (/\baggregations\b/.test(path))
    return 'The resource search-rates-options-aggregations lists all statistics.'
  if (/\bnegotiatedTypes\b/.test(path))
    return 'The resource search-rates-options-negotiated-types explains each negotiated type.'
  if (/\b(npis|tins|ccns)\b/.test(path)) return 'Find identifiers with search_providers first.'
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
