import type { PayerEntry } from '../vocabulary/payers.ts'

/** How a payer of the demo lays out its files; real ones differ as much. */
export type FileShape = 'references first' | 'references last' | 'inline groups'

export interface DemoNetwork {
  readonly name: string
  readonly planTypes: readonly string[]
  /** How many of a hundred practices take part. */
  readonly breadth: number
  /** Price level against the payer's others. */
  readonly level: number
}

export interface DemoPayer {
  readonly payer: string
  readonly name: string
  readonly slug: string
  readonly states: readonly string[]
  /** Multiples of Medicare, typical of commercial payers: professional, outpatient, inpatient. */
  readonly multiples: readonly [professional: number, outpatient: number, inpatient: number]
  readonly schema: '1.0.0' | '2.0.0'
  readonly shape: FileShape
  readonly networks: readonly DemoNetwork[]
}

const shapes = [
  ['2.0.0', 'references first'],
  ['1.0.0', 'references first'],
  ['1.0.0', 'inline groups'],
  ['2.0.0', 'references last'],
] as const

const payer = (
  nth: number,
  word: string,
  kind: string,
  states: string,
  multiples: readonly [number, number, number],
): DemoPayer => {
  const [schema, shape] = shapes[nth % shapes.length] ?? shapes[0]
  const broad: DemoNetwork = {
    name: `Demo ${word} Choice PPO`,
    planTypes: ['PPO', nth % 2 === 0 ? 'HDHP' : 'EPO'],
    breadth: 78,
    level: 1,
  }
  const narrow: DemoNetwork = {
    name: `Demo ${word} Select HMO`,
    planTypes: [nth % 3 === 0 ? 'POS' : 'HMO'],
    breadth: 48,
    level: 0.9,
  }
  return {
    payer: `Demo ${word}`,
    name: `Demo ${word} ${kind}`,
    slug: `demo-${word.toLowerCase().replaceAll(' ', '-')}`,
    states: states.split(' '),
    multiples,
    schema,
    shape,
    networks: [broad, narrow],
  }
}

/** Twelve payers that do not exist. */
export const demoPayers: readonly DemoPayer[] = [
  payer(0, 'Atlantic', 'Health Plan', 'NY PA GA FL', [1.28, 2.6, 2.3]),
  payer(1, 'Pacific', 'Health Plan', 'CA CO', [1.32, 2.8, 2.5]),
  payer(2, 'Summit', 'Insurance', 'CO TX', [1.4, 2.9, 2.4]),
  payer(3, 'Prairie', 'Cooperative', 'IL CO TX', [1.22, 2.4, 2.1]),
  payer(4, 'Lantern', 'Benefit Trust', 'TX GA', [1.25, 2.5, 2.2]),
  payer(5, 'Cobalt', 'Care', 'FL GA', [1.2, 2.3, 2]),
  payer(6, 'Juniper', 'Assurance', 'NY PA', [1.36, 2.7, 2.4]),
  payer(7, 'Marigold', 'Mutual', 'CA TX FL', [1.3, 2.6, 2.3]),
  payer(8, 'Harbor Light', 'Plan', 'NY IL', [1.27, 2.55, 2.25]),
  payer(9, 'Northwind', 'Plan', 'IL PA', [1.24, 2.45, 2.2]),
  payer(10, 'Copper Canyon', 'Care', 'CO CA', [1.33, 2.75, 2.45]),
  payer(11, 'Everywhere', 'Network', 'CA TX FL NY IL PA GA CO', [1.35, 2.65, 2.35]),
]

/** What a demo payer's files give as `reporting_entity_name`. */
export const reportedName = ({ name }: DemoPayer) => `${name} (SYNTHETIC)`

/** The demo's payers for the registry. */
export const demoPayerEntries = (): PayerEntry[] =>
  demoPayers.map((each) => ({
    payer: each.payer,
    name: reportedName(each),
    states: [...each.states],
    aliases: [each.name],
    synthetic: true,
  }))

/** The months of the demo, oldest first, and how prices stand in each against the first. */
export const demoMonths = [
  { month: '2026-08', level: 1 },
  { month: '2026-09', level: 1.003 },
  { month: '2026-10', level: 1.03 },
] as const
export type DemoMonth = (typeof demoMonths)[number]
