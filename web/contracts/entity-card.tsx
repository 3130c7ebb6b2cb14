import { useState } from 'react'
import {
  type EditOperation,
  entityFields,
  type EntityList,
  entityLists,
} from '../../src/operations/contract-edits.ts'
import type { Evidence } from '../../src/operations/contract-entities.ts'
import { percentText } from '../parts/format.ts'
import { type Entity, entityTitle, fieldNames, valueText, words } from './entity-words.ts'
import { FieldForm } from './field-form.tsx'
import type { Place } from './places.ts'

/** What a page knows about showing and correcting. */
export interface Reading {
  readonly chosen: string | undefined
  /** Marks the words that an entity, or a field of the contract, rests on. */
  choose(key: string, evidenceIds: readonly string[]): void
  pageOf(evidenceIds: readonly string[]): number | undefined
  confidenceOf(key: string): number | undefined
  /** How it differs from what was extracted, or from what is saved. */
  markOf(entity: Entity): 'added' | 'changed' | 'corrected' | undefined
  readonly edit: ((...operations: EditOperation[]) => void) | undefined
  /** Makes evidence of words in the document: at a place, or wherever they stand. */
  quote(words: string, place: Place | undefined): Promise<Evidence>
}

/** An entity: its words, where they stand, and a way to correct it. */
export function EntityCard({
  entity,
  list,
  reading,
}: {
  entity: Entity
  /** Absent for what cannot be edited. */
  list?: EntityList
  reading: Reading
}) {
  const [isOpen, setOpen] = useState(false)
  const title = entityTitle(entity)
  const mark = reading.markOf(entity)
  const { edit } = reading
  const fields = list ? entityFields[entityLists[list]] : {}
  const details = Object.keys(fieldNames).filter(
    (field) =>
      entity[field] !== undefined &&
      !['name', 'value', 'rawText', 'address', 'city', 'state', 'postalCode'].includes(field),
  )

  const done = (values: Readonly<Record<string, string>>) => {
    setOpen(false)
    const operations = Object.entries(values)
      .filter(([field, text]) => text !== textOf(entity[field]))
      .map(([fieldPath, text]): EditOperation =>
        text === ''
          ? { operation: 'delete', entityId: entity.id, fieldPath }
          : {
              operation: 'set',
              entityId: entity.id,
              fieldPath,
              value: likeBefore(text, entity[fieldPath]),
            },
      )
    if (operations.length > 0) edit?.(...operations)
  }

  return (
    <li
      className={`entity ${reading.chosen === entity.id ? 'chosen' : ''} ${mark === 'added' || mark === 'changed' ? 'changed' : ''}`}
    >
      <div className="row">
        <Quoted title={title} of={entity.id} evidenceIds={entity.evidenceIds ?? []} reading={reading} />
        {mark && <span className="badge">{mark}</span>}
        {edit && list && !isOpen && (
          <span className="row deeds">
            <button
              type="button"
              className="link small"
              aria-label={`Correct ${title}`}
              onClick={() => setOpen(true)}
            >
              Correct
            </button>
            <button
              type="button"
              className="link small"
              aria-label={`Remove ${title}`}
              onClick={() => edit({ operation: 'remove_entity', entityId: entity.id, fieldPath: '' })}
            >
              Remove
            </button>
          </span>
        )}
      </div>
      {details.length > 0 && (
        <div className="row small soft">
          {details.map((field) => (
            <span key={field}>
              {fieldNames[field]}: {words(valueText(entity[field]))}
            </span>
          ))}
        </div>
      )}
      {isOpen && (
        <FieldForm
          label={`Correct ${title}`}
          action="Keep"
          onCancel={() => setOpen(false)}
          onDone={done}
          fields={Object.entries(fields).map(([name, need]) => ({
            name,
            label: fieldNames[name]!,
            value: textOf(entity[name]),
            isRequired: need === 'required',
            type:
              name === 'payerpricePayer'
                ? 'payer'
                : name === 'rawText' || textOf(entity[name]).length > 80
                  ? 'long'
                  : 'text',
          }))}
        />
      )}
    </li>
  )
}

/** Words that lead to the sentence they came from. */
export function Quoted({
  title,
  of: key,
  evidenceIds,
  reading,
}: {
  title: string
  of: string
  evidenceIds: readonly string[]
  reading: Reading
}) {
  const page = reading.pageOf(evidenceIds)
  const confidence = reading.confidenceOf(key)
  return (
    <span className="title">
      {page === undefined ? (
        title
      ) : (
        <button
          type="button"
          className="link"
          aria-pressed={reading.chosen === key}
          title="Show it in the document"
          onClick={() => reading.choose(key, evidenceIds)}
        >
          {title}
        </button>
      )}{' '}
      {page !== undefined && (
        <span className="small soft nowrap">
          page {page}
          {confidence !== undefined && `, confidence ${percentText(confidence * 100)}`}
        </span>
      )}
    </span>
  )
}

const textOf = (value: unknown) => (value === undefined || value === null ? '' : valueText(value))

/** A number stays a number, and yes or no stays one, where the text still is one. */
function likeBefore(text: string, before: unknown): unknown {
  if (typeof before === 'number' && Number.isFinite(Number(text))) return Number(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
