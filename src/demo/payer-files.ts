import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { reportedName, type DemoMonth, type DemoNetwork, type DemoPayer } from './payers.ts'
import type { DemoPractice, DemoWorld } from './providers.ts'
import { demoItems, networkMembers, type DemoItem, type DemoPrice } from './rates.ts'

const note = 'SYNTHETIC: made up for a demonstration, true of no one'
const chunkLength = 256 * 1024

/** Writes a demo payer's month: an index, and an in-network file for each network. Answers the index's path. */
export async function writePayerMonth(
  folder: string,
  world: DemoWorld,
  payer: DemoPayer,
  month: DemoMonth,
): Promise<string> {
  const home = join(folder, payer.slug)
  await mkdir(home, { recursive: true })
  const files = payer.networks.map((network) => ({ network, name: fileName(payer, network, month) }))
  for (const { network, name } of files)
    await pipeline(
      Readable.from(pieces(inNetworkText(world, payer, network, month)), { objectMode: false }),
      createGzip({ level: 6 }),
      createWriteStream(join(home, name)),
    )
  const index = join(home, `${month.month}-01_${payer.slug}_index.json`)
  await pipeline([indexText(payer, month, files)], createWriteStream(index))
  return index
}

const fileName = (payer: DemoPayer, network: DemoNetwork, month: DemoMonth) =>
  `${month.month}-01_${payer.slug}_${network.planTypes[0]?.toLowerCase()}_in-network-rates.json.gz`

/** An index of the payer's schema version. Addresses under .invalid lead nowhere, by the standard of names. */
function indexText(
  payer: DemoPayer,
  month: DemoMonth,
  files: readonly { readonly network: DemoNetwork; readonly name: string }[],
): string {
  const second = payer.schema === '2.0.0'
  const index = {
    reporting_entity_name: reportedName(payer),
    reporting_entity_type: 'synthetic payer',
    ...(second && { last_updated_on: `${month.month}-01`, version: payer.schema }),
    reporting_structure: files.map(({ network, name }) => ({
      reporting_plans: network.planTypes.map((type, i) => ({
        plan_name: `${payer.name} ${type} (SYNTHETIC)`,
        plan_id_type: second ? 'hios' : 'HIOS',
        plan_id: `00000XX${String(i).padStart(3, '0')}`,
        plan_market_type: i === 0 ? 'group' : 'individual',
        ...(second && { issuer_name: reportedName(payer) }),
      })),
      in_network_files: [
        {
          description: `${network.name} in-network file`,
          location: `https://demo.ratebook.invalid/${payer.slug}/${name}`,
        },
      ],
    })),
  }
  return `${JSON.stringify(index, null, 2)}\n`
}

/** The text of an in-network file in parts, in the payer's schema version and layout. */
export function* inNetworkText(
  world: DemoWorld,
  payer: DemoPayer,
  network: DemoNetwork,
  month: DemoMonth,
): Generator<string, void> {
  const second = payer.schema === '2.0.0'
  const members = networkMembers(world, payer, network)
  const numbers = new Map(members.map(({ tin }, i) => [tin, i + 1]))
  const header = {
    reporting_entity_name: reportedName(payer),
    reporting_entity_type: 'synthetic payer',
    last_updated_on: `${month.month}-01`,
    version: payer.schema,
  }
  yield `${JSON.stringify(header).slice(0, -1)},\n`
  if (payer.shape === 'references first') yield* referencesText(members, numbers, second && network.name)
  if (payer.shape === 'references first') yield ',\n'
  yield '"in_network":[\n'
  let first = true
  for (const item of demoItems(world, payer, network, month)) {
    yield `${first ? '' : ',\n'}${itemText(item, second, payer.shape === 'inline groups' ? undefined : numbers)}`
    first = false
  }
  yield ']'
  if (payer.shape === 'references last') {
    yield ',\n'
    yield* referencesText(members, numbers, second && network.name)
  }
  yield '}\n'
}

function* referencesText(
  members: readonly DemoPractice[],
  numbers: ReadonlyMap<string, number>,
  networkName: string | false,
): Generator<string, void> {
  yield '"provider_references":[\n'
  for (const [i, practice] of members.entries()) {
    const reference = {
      provider_group_id: numbers.get(practice.tin),
      ...(networkName && { network_name: [networkName] }),
      provider_groups: [groupOf(practice, Boolean(networkName))],
    }
    yield `${i > 0 ? ',\n' : ''}${JSON.stringify(reference)}`
  }
  yield ']'
}

const groupOf = ({ npis, tin, name }: DemoPractice, named: boolean) => ({
  npi: npis,
  tin: { type: 'ein', value: `${tin.slice(0, 2)}-${tin.slice(2)}`, ...(named && { business_name: name }) },
})

function itemText(item: DemoItem, second: boolean, numbers: ReadonlyMap<string, number> | undefined): string {
  return JSON.stringify({
    negotiation_arrangement: 'ffs',
    name: `SYNTHETIC ${item.type} ${item.code}`,
    billing_code_type: item.type,
    billing_code_type_version: item.type === 'MS-DRG' ? '43' : '2026',
    billing_code: !second && item.severity ? item.code + item.severity : item.code,
    ...(second && item.severity && { severity_of_illness: item.severity }),
    description: `SYNTHETIC service, code ${item.code}`,
    negotiated_rates: item.rates.map(({ practices, prices }) => ({
      ...(numbers
        ? { provider_references: practices.map(({ tin }) => numbers.get(tin)) }
        : { provider_groups: practices.map((practice) => groupOf(practice, second)) }),
      negotiated_prices: prices.map((price) => priceOf(price, second)),
    })),
  })
}

const priceOf = (price: DemoPrice, second: boolean) => ({
  negotiated_type: price.negotiatedType,
  negotiated_rate: price.rate / 100,
  expiration_date: price.expires,
  ...(price.serviceCodes.length > 0 && { service_code: price.serviceCodes }),
  billing_class: price.billingClass,
  ...(second && { setting: price.setting }),
  ...(price.modifiers.length > 0 && { billing_code_modifier: price.modifiers }),
  additional_information: note,
})

/** Small parts joined to chunks that a compressor likes. */
function* pieces(parts: Iterable<string>): Generator<Buffer, void> {
  let held = ''
  for (const part of parts) {
    held += part
    if (held.length < chunkLength) continue
    yield Buffer.from(held)
    held = ''
  }
  if (held !== '') yield Buffer.from(held)
}
