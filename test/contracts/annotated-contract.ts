import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ClauseCategory,
  clauseCategories,
  type PolicyCategory,
  type PricingTermType,
} from '../../src/operations/contract-entities.ts'
import type { ContractLabels } from '../../src/contracts/extract/labels.ts'

/** A piece of a contract as it stands on paper: a heading, a paragraph, lines, or a table. */
export type Piece =
  | { readonly is: 'heading' | 'paragraph'; readonly text: string }
  | { readonly is: 'lines'; readonly lines: readonly string[] }
  | { readonly is: 'table'; readonly rows: readonly (readonly string[])[] }

/** How the document looks. */
export interface Layout {
  readonly format: 'pdf' | 'docx' | 'html' | 'txt'
  readonly columns: number
  readonly header: string
  readonly footer: string
  /** Characters in a line of plain text. */
  readonly width: number
  /** Whether long words are broken at the end of a line. */
  readonly hyphenate: boolean
}

/** Labels with nothing left out. */
export type WholeLabels = {
  [Kind in keyof Required<ContractLabels>]: Exclude<ContractLabels[Kind], undefined>
}

export interface AnnotatedContract {
  readonly name: string
  readonly layout: Layout
  readonly pieces: readonly Piece[]
  readonly labels: WholeLabels
}

/** The contracts of one part of the labelled set. README.md beside them tells how they are written. */
export function annotatedContracts(part: 'tuning' | 'held-out'): AnnotatedContract[] {
  const folder = join(import.meta.dirname, part)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.contract'))
    .sort()
    .map((file) => annotatedContract(file.replace('.contract', ''), readFileSync(join(folder, file), 'utf8')))
}

const fieldLine = /^(format|columns|header|footer|width|hyphenate|signed|start|end|status): (.*)$/

export function annotatedContract(name: string, source: string): AnnotatedContract {
  const [head = '', ...body] = source.trimEnd().split(/\n[ \t]*\n/)
  const fields = Object.fromEntries(
    head.split('\n').map((line) => {
      const [, field, value] = fieldLine.exec(line) ?? []
      if (field === undefined) throw new Error(`${name}: "${line}" is no field of the head`)
      return [field, value!]
    }),
  )
  const labels = emptyLabels()
  labels.signedDate = fields['signed'] ?? null
  labels.effectivePeriod = { start: fields['start'] ?? null, end: fields['end'] ?? null }
  labels.executionStatus = (fields['status'] ?? null) as WholeLabels['executionStatus']
  return {
    name,
    layout: {
      format: fields['format'] as Layout['format'],
      columns: Number(fields['columns'] ?? 1),
      header: fields['header'] ?? '',
      footer: fields['footer'] ?? '',
      width: Number(fields['width'] ?? 90),
      hyphenate: fields['hyphenate'] === 'yes',
    },
    pieces: body.map((block) => pieceOf(block, labels, name)),
    labels: deduplicated(labels),
  }
}

function pieceOf(block: string, labels: WholeLabels, name: string): Piece {
  const lines = block.split('\n')
  if (lines[0]!.startsWith('| '))
    return {
      is: 'table',
      rows: lines.map((line) =>
        plain(line, labels, name)
          .slice(1)
          .replace(/\|\s*$/, '')
          .split('|')
          .map(trimmed),
      ),
    }
  if (lines[0]!.trim() === '=')
    return { is: 'lines', lines: lines.slice(1).map((line) => plain(line, labels, name)) }
  const text = lines.join(' ')
  if (text.startsWith('# ')) return { is: 'heading', text: plain(text.slice(2), labels, name) }
  const [, policy, category, rest] = /^\{(policy )?(\w+)\} ([\s\S]*)$/.exec(text) ?? []
  const said = plain(rest ?? text, labels, name)
  if (policy !== undefined) labels.paymentPolicies.push({ category: category as PolicyCategory, text: said })
  else if (category !== undefined) {
    if (!clauseCategories.includes(category as ClauseCategory)) throw new Error(`${name}: {${category}}`)
    labels.clauses.push({ category: category as ClauseCategory, text: said })
  }
  return { is: 'paragraph', text: said }
}

const trimmed = (text: string) => text.trim()

/** The text without its marks, which become labels: `[[kind|words|what they mean]]`. */
function plain(text: string, labels: WholeLabels, name: string): string {
  return text.replaceAll(/\[\[([^\]]*)\]\]/g, (_, mark: string) => {
    const [kind = '', words = '', meaning] = mark.split('|')
    label(labels, name, kind, words, meaning)
    return words
  })
}

const lists = {
  administrator: 'administrators',
  provider: 'providers',
  entity: 'contractingEntities',
  lob: 'linesOfBusiness',
  plan: 'plans',
  product: 'products',
  network: 'networks',
  state: 'states',
  channel: 'benefitChannels',
  taxonomy: 'taxonomies',
  tin: 'tins',
  npi: 'npis',
  ccn: 'ccns',
} as const

function label(
  labels: WholeLabels,
  name: string,
  kind: string,
  words: string,
  meaning: string | undefined,
): void {
  if (kind === 'payer')
    labels.payers.push({ name: words, ...(meaning !== undefined && { payerpricePayer: meaning }) })
  else if (kind === 'specialty') {
    labels.specialties.push(words)
    if (meaning !== undefined) labels.taxonomies.push(meaning)
  } else if (kind === 'location') {
    const [address = '', , , postalCode = ''] = meaning!.split('; ')
    labels.locations.push({ address, postalCode })
  } else if (kind === 'price') {
    const [termType, ...rest] = meaning!.split(' ')
    const said = rest.join(' ')
    labels.pricingTerms.push({
      termType: termType as PricingTermType,
      ...(termType!.startsWith('percent') && { percent: Number(said) }),
      ...((termType === 'per_diem' || termType === 'case_rate') && { amount: Number(said) }),
      ...(termType === 'fee_schedule' && { reference: said }),
    })
  } else if (kind in lists) {
    const list = lists[kind as keyof typeof lists]
    // A name is labelled as it is written; a mark of scope by what it means.
    labels[list].push(kind === 'administrator' || kind === 'network' ? words : (meaning ?? words))
  } else throw new Error(`${name}: [[${kind}]] is no mark`)
}

const emptyLabels = (): WholeLabels => ({
  payers: [],
  administrators: [],
  providers: [],
  contractingEntities: [],
  linesOfBusiness: [],
  plans: [],
  products: [],
  networks: [],
  states: [],
  benefitChannels: [],
  specialties: [],
  taxonomies: [],
  tins: [],
  npis: [],
  ccns: [],
  locations: [],
  signedDate: null,
  effectivePeriod: { start: null, end: null },
  executionStatus: null,
  clauses: [],
  paymentPolicies: [],
  pricingTerms: [],
})

/** A value that was marked twice is one label. */
function deduplicated(labels: WholeLabels): WholeLabels {
  const once = <One>(list: readonly One[]) => [
    ...new Map(list.map((one) => [JSON.stringify(one), one])).values(),
  ]
  return Object.fromEntries(
    Object.entries(labels).map(([kind, list]) => [
      kind,
      Array.isArray(list) && kind !== 'pricingTerms' ? once(list as unknown[]) : list,
    ]),
  ) as WholeLabels
}
