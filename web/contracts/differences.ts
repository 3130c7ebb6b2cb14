import { type ContractEntities, rootFields } from '../../src/operations/contract-entities.ts'
import {
  entitiesOf,
  type Entity,
  entityTitle,
  fieldNames,
  listNames,
  lists,
  rootNames,
  rootValue,
  valueText,
} from './entity-words.ts'

/** One thing that differs between two revisions. */
export interface Difference {
  readonly where: string
  /** Absent where something was added. */
  readonly before?: string
  /** Absent where something was taken out. */
  readonly after?: string
}

/** What changed from one revision to another, in the order of the page. */
export function differences(before: ContractEntities, after: ContractEntities): Difference[] {
  const roots = rootFields
    .map((field) => ({ field, was: rootValue(before, field), is: rootValue(after, field) }))
    .filter(({ was, is }) => was !== is)
    .map(({ field, was, is }) => ({
      where: rootNames[field],
      ...(was !== null && { before: was }),
      ...(is !== null && { after: is }),
    }))
  const entities = lists.flatMap((list) => {
    const old = new Map(entitiesOf(before, list).map((entity) => [entity.id, entity]))
    const now = new Map(entitiesOf(after, list).map((entity) => [entity.id, entity]))
    return [
      ...[...old.values()]
        .filter(({ id }) => !now.has(id))
        .map((entity) => ({ where: listNames[list], before: entityTitle(entity) })),
      ...[...now.values()].flatMap((entity) => {
        const was = old.get(entity.id)
        return was
          ? fieldDifferences(listNames[list], was, entity)
          : [{ where: listNames[list], after: entityTitle(entity) }]
      }),
    ]
  })
  return [...roots, ...entities]
}

function fieldDifferences(list: string, was: Entity, is: Entity): Difference[] {
  return Object.keys(fieldNames)
    .filter((field) => was[field] !== is[field])
    .map((field) => ({
      where: `${list}, ${entityTitle(was)}: ${fieldNames[field]!.toLowerCase()}`,
      ...(was[field] !== undefined && { before: valueText(was[field]) }),
      ...(is[field] !== undefined && { after: valueText(is[field]) }),
    }))
}
