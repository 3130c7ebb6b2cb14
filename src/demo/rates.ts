import { demoRevenue, demoServices, demoStays, type DemoService, type Family } from './codes.ts'
import type { DemoMonth, DemoNetwork, DemoPayer } from './payers.ts'
import type { DemoPractice, DemoWorld } from './providers.ts'
import { Random } from './random.ts'

export interface DemoPrice {
  readonly negotiatedType: 'negotiated' | 'derived' | 'fee schedule' | 'percentage' | 'per diem'
  /** Hundredths of a dollar or of a percent. */
  readonly rate: number
  readonly billingClass: 'professional' | 'institutional'
  readonly setting: 'inpatient' | 'outpatient' | 'both'
  readonly serviceCodes: readonly string[]
  readonly modifiers: readonly string[]
  readonly expires: string
}

export interface DemoRate {
  readonly practices: readonly DemoPractice[]
  readonly prices: readonly DemoPrice[]
}

export interface DemoItem {
  readonly type: string
  readonly code: string
  readonly severity: string
  readonly rates: readonly DemoRate[]
}

const officePlaces = ['02', '10', '11', '12', '49', '50', '72']
const facilityPlaces = ['19', '21', '22', '23', '24']
const facilityOnly: ReadonlySet<Family> = new Set(['hospital visit', 'emergency', 'anesthesia'])
const tiers = 5
const evergreen = '9999-12-31'

/** Everything one network of a payer pays in a month: the rates of its practices for every code. */
export function* demoItems(
  world: DemoWorld,
  payer: DemoPayer,
  network: DemoNetwork,
  month: DemoMonth,
): Generator<DemoItem, void> {
  const members = networkMembers(world, payer, network)
  const by = <Key>(practices: readonly DemoPractice[], key: (practice: DemoPractice) => Key) =>
    Map.groupBy(practices, key)
  const groups = by(
    members.filter(({ kind }) => kind !== 'hospital'),
    (practice) => `${practice.state.state} ${tierOf(payer, practice)}`,
  )
  const systems = by(
    members.filter(({ kind }) => kind === 'hospital'),
    ({ system }) => system,
  )
  const [professional, outpatient, inpatient] = payer.multiples
  const level = network.level * month.level

  for (const service of demoServices) {
    const rates: DemoRate[] = []
    for (const [deal, all] of groups) {
      const practices = all.filter(({ families }) => families.has(service.family))
      if (practices.length === 0) continue
      const random = new Random(`${payer.payer} ${network.name} ${deal} ${service.code}`)
      const factor = professional * level * priceLevel(practices) * random.spread(0.22)
      rates.push({ practices, prices: professionalPrices(service, factor, random) })
    }
    if (service.outpatient > 0)
      for (const [system, practices] of systems) {
        const random = new Random(`${payer.payer} ${network.name} ${system} ${service.code}`)
        const factor = outpatient * level * priceLevel(practices) * random.spread(0.35)
        rates.push({ practices, prices: [institutional(service.outpatient * factor, 'outpatient')] })
      }
    if (rates.length > 0) yield { type: service.type, code: service.code, severity: '', rates }
  }

  for (const stay of demoStays) {
    const rates = [...systems].map(([system, practices]) => {
      const random = new Random(`${payer.payer} ${network.name} ${system} stay`)
      const own = new Random(`${payer.payer} ${network.name} ${system} ${stay.code} ${stay.severity}`)
      // A hospital's base rate holds for all its stays; few are bargained over one by one.
      const factor = inpatient * level * priceLevel(practices) * random.spread(0.25) * own.spread(0.05)
      return { practices, prices: [institutional(stay.amount * factor, 'inpatient')] }
    })
    if (rates.length > 0) yield { type: stay.type, code: stay.code, severity: stay.severity, rates }
  }

  for (const { code, unit, amount } of demoRevenue) {
    const rates = [...systems].map(([system, practices]) => {
      const random = new Random(`${payer.payer} ${network.name} ${system} ${code}`)
      const factor = unit === 'per diem' ? level * priceLevel(practices) : 1
      const price = institutional(
        amount * factor * random.spread(0.15),
        unit === 'per diem' ? 'inpatient' : 'outpatient',
      )
      return { practices, prices: [{ ...price, negotiatedType: unit }] }
    })
    if (rates.length > 0) yield { type: 'RC', code, severity: '', rates }
  }

  const rest = [...systems].map(([system, practices]) => {
    const random = new Random(`${payer.payer} ${network.name} ${system} everything else`)
    const price = institutional((40 + random.below(30)) * 100, 'both')
    return { practices, prices: [{ ...price, negotiatedType: 'percentage' as const }] }
  })
  if (rest.length > 0) yield { type: 'CSTM-ALL', code: 'CSTM-00', severity: '', rates: rest }
}

/** The practices of a network. Broad and narrow networks of a payer overlap, as real ones do. */
export function networkMembers(world: DemoWorld, payer: DemoPayer, network: DemoNetwork): DemoPractice[] {
  return world.practices.filter(
    ({ tin, state }) =>
      payer.states.includes(state.state) &&
      new Random(`${payer.payer} ${tin}`).next() * 100 < network.breadth,
  )
}

/** Which fee schedule a practice is on; one in eight has bargained for itself. */
function tierOf(payer: DemoPayer, { tin }: DemoPractice): string {
  const random = new Random(`${payer.payer} ${tin} tier`)
  return random.below(8) === 0 ? tin : `schedule ${random.below(tiers) + 1}`
}

const priceLevel = (practices: readonly DemoPractice[]) => practices[0]?.state.level ?? 1

function professionalPrices(service: DemoService, factor: number, random: Random): DemoPrice[] {
  // Drugs are bought, not bargained for: near their cost everywhere.
  const times = service.family === 'drug' ? 1 + (factor - 1) / 4 : factor
  const expires = random.below(4) === 0 ? '2027-06-30' : evergreen
  const negotiatedType =
    random.below(3) === 0 ? 'fee schedule' : random.below(12) === 0 ? 'derived' : 'negotiated'
  const price = (
    base: number,
    serviceCodes: readonly string[],
    modifiers: readonly string[] = [],
  ): DemoPrice => ({
    negotiatedType,
    rate: Math.max(1, Math.round(base * times)),
    billingClass: 'professional',
    setting: serviceCodes === officePlaces ? 'outpatient' : 'both',
    serviceCodes,
    modifiers,
    expires,
  })
  if (facilityOnly.has(service.family)) return [price(service.facility, facilityPlaces)]
  if (service.professionalComponent > 0)
    return [
      price(service.office, officePlaces),
      price(service.professionalComponent, facilityPlaces, ['26']),
      price(service.technicalComponent, officePlaces, ['TC']),
    ]
  if (service.office === service.facility) return [price(service.office, ['CSTM-00'])]
  return [price(service.office, officePlaces), price(service.facility, facilityPlaces)]
}

const institutional = (rate: number, setting: DemoPrice['setting']): DemoPrice => ({
  negotiatedType: 'negotiated',
  rate: Math.max(1, Math.round(rate)),
  billingClass: 'institutional',
  setting,
  serviceCodes: [],
  modifiers: [],
  expires: evergreen,
})
