import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { containedKinds, groupFlags } from '../../src/ingestion/reader/output.ts'
import { readStage, type StageReader } from '../../src/ingestion/reader/stage.ts'

/** The content of a stage in the words of the naive reader: one line per price. */
export function stageLines(folder: string, short: (text: string) => string = (text) => text) {
  const stage = readStage(folder)
  const text = texts(stage)
  const lists = parts(stage.wholes('lists', 'end'), stage.words('lists', 'texts')).map((ids) =>
    [...ids].map(text),
  )
  const groups = groupTexts(stage, text)
  const references = [...stage.words('references', 'id')].map(text)
  const groupLists = (ends: Float64Array, flat: Uint32Array) =>
    parts(ends, flat).map((ids) => [...ids].map((id) => groups[id]!).sort())

  const setReferences = parts(stage.wholes('sets', 'references_end'), stage.words('sets', 'references'))
  const setGroups = groupLists(stage.wholes('sets', 'groups_end'), stage.words('sets', 'groups'))
  const sets = setReferences.map((ids, set) =>
    short(
      `${[...ids]
        .map((id) => references[id]!)
        .sort()
        .join(',')}|${setGroups[set]!.join(';')}`,
    ),
  )

  const definitionGroups = groupLists(
    stage.wholes('definitions', 'groups_end'),
    stage.words('definitions', 'groups'),
  )
  const definitionColumn = columns(stage, 'definitions', ['reference', 'networks', 'location'])
  const definitions = definitionGroups.map((list, row) =>
    JSON.stringify([
      references[definitionColumn.reference![row]!],
      lists[definitionColumn.networks![row]!],
      text(definitionColumn.location![row]!),
      short(list.join(';')),
    ]),
  )

  const notes = new Map(
    [...stage.wholes('notes', 'price')].map((price, row) => [
      price,
      text(stage.words('notes', 'text')[row]!),
    ]),
  )
  const attribute = columns(stage, 'attributes', [
    'negotiated_type',
    'billing_class',
    'setting',
    'expiration_date',
    'service_codes',
    'modifiers',
  ])
  const priceAttributes = stage.words('prices', 'attributes')
  const amounts = stage.wholes('prices', 'amount')
  const about = itemTexts(stage, text, short)
  const ratesEnd = stage.wholes('items', 'rates_end')
  const pricesEnd = stage.wholes('items', 'prices_end')
  const rate = columns(stage, 'rates', ['index', 'set', 'prices'])
  const lines: string[] = []
  let price = 0
  let place = 0
  for (const [item, line] of about.entries()) {
    for (; place < ratesEnd[item]!; place++) {
      for (let count = rate.prices![place]!; count > 0; count--, price++) {
        const row = priceAttributes[price]!
        const attributes = [
          text(attribute.negotiated_type![row]!),
          text(attribute.billing_class![row]!),
          text(attribute.setting![row]!),
          text(attribute.expiration_date![row]!),
          lists[attribute.service_codes![row]!],
          lists[attribute.modifiers![row]!],
          notes.get(price) ?? '',
        ]
        lines.push(
          `${line} ${rate.index![place]} ${sets[rate.set![place]!]} ${JSON.stringify(attributes)} ${amounts[price]}`,
        )
      }
    }
    if (price !== pricesEnd[item]) throw new Error(`item ${item}: prices do not add up`)
  }
  return {
    file: stage.file,
    lines,
    definitions,
    amounts: amounts.reduce((sum, next) => sum + BigInt(next), 0n),
  }
}

function texts(stage: StageReader): (id: number) => string {
  const bytes = Buffer.from(stage.bytes('texts', 'bytes').buffer)
  const ends = stage.wholes('texts', 'end')
  return (id) => {
    const end = ends[id]
    if (end === undefined) throw new Error(`no text ${id}`)
    return bytes.toString('utf8', id === 0 ? 0 : ends[id - 1]!, end)
  }
}

function parts<Flat extends Uint32Array | Float64Array>(ends: Float64Array, flat: Flat): Flat[] {
  return [...ends].map((end, row) => flat.subarray(row === 0 ? 0 : ends[row - 1]!, end) as Flat)
}

function columns(
  stage: StageReader,
  table: 'definitions' | 'attributes' | 'rates' | 'items' | 'contained' | 'groups',
  names: string[],
) {
  return Object.fromEntries(names.map((name) => [name, stage.words(table, name)]))
}

function groupTexts(stage: StageReader, text: (id: number) => string): string[] {
  const column = columns(stage, 'groups', ['tin_type', 'tin', 'business_name'])
  const flags = stage.bytes('groups', 'flags')
  return parts(stage.wholes('groups', 'npis_end'), stage.wholes('groups', 'npis')).map((npis, row) =>
    JSON.stringify([
      text(column.tin_type![row]!),
      text(column.tin![row]!),
      text(column.business_name![row]!),
      (flags[row]! & groupFlags.tinLevel) !== 0,
      (flags[row]! & groupFlags.quarantinedNpis) !== 0,
      [...npis],
    ]),
  )
}

function itemTexts(
  stage: StageReader,
  text: (id: number) => string,
  short: (text: string) => string,
): string[] {
  const names = [
    'arrangement',
    'code_type',
    'code_type_version',
    'code',
    'name',
    'description',
    'severity_of_illness',
  ]
  const column = columns(stage, 'items', ['index', ...names])
  const code = columns(stage, 'contained', ['code_type', 'code_type_version', 'code', 'description'])
  const kinds = stage.bytes('items', 'contained_kind')
  const contained = parts(stage.wholes('items', 'contained_end'), stage.words('items', 'contained'))
  return contained.map((ids, row) =>
    short(
      JSON.stringify([
        column.index![row],
        ...names.map((name) => text(column[name]![row]!)),
        kinds[row] === containedKinds.bundledCodes
          ? 'bundle'
          : kinds[row] === containedKinds.coveredServices
            ? 'covered'
            : '',
        [...ids].map((id) => [
          text(code.code_type![id]!),
          text(code.code_type_version![id]!),
          text(code.code![id]!),
          text(code.description![id]!),
        ]),
      ]),
    ),
  )
}

/** The files of two stages that are not the same, byte for byte. */
export function stageDifferences(one: string, other: string): string[] {
  return readdirSync(one).filter(
    (name) => !readFileSync(join(one, name)).equals(readFileSync(join(other, name))),
  )
}
