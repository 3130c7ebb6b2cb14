import { freshId } from '../fresh-id.ts'
import { useState } from 'react'
import { type EditOperation, type EntityList, entityLists } from '../../src/operations/contract-edits.ts'
import {
  clauseCategories,
  type ContractEntities,
  policyCategories,
  type RootField,
  rootFields,
} from '../../src/operations/contract-entities.ts'
import { EntityCard, Quoted, type Reading } from './entity-card.tsx'
import { entitiesOf, fieldNames, listNames, rootNames, rootValue, words } from './entity-words.ts'
import { type EditedField, FieldForm } from './field-form.tsx'
import { placeOf } from './places.ts'

/** One list of a contract, to which an entity can be added. */
export function EntityListSection({
  list,
  entities,
  reading,
}: {
  list: EntityList
  entities: ContractEntities
  reading: Reading
}) {
  const [isAdding, setAdding] = useState(false)
  const [problem, setProblem] = useState<string>()
  const close = () => {
    setAdding(false)
    setProblem(undefined)
  }
  const add = async ({ quote = '', quoteAt = '', ...values }: Readonly<Record<string, string>>) => {
    try {
      const evidence = quote === '' ? [] : [await reading.quote(quote, placeOf(quoteAt))]
      reading.edit?.(
        appended(
          list,
          values,
          evidence.map(({ id }) => id),
        ),
      )
      close()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  const among = entitiesOf(entities, list)
  if (among.length === 0 && !reading.edit) return null
  return (
    <section className="stack tight" aria-label={listNames[list]}>
      <div className="row between">
        <h3>
          {listNames[list]} {among.length > 0 && <span className="soft small">{among.length}</span>}
        </h3>
        {reading.edit && !isAdding && (
          <button
            type="button"
            className="link small"
            aria-label={`Add to ${listNames[list].toLowerCase()}`}
            onClick={() => setAdding(true)}
          >
            Add
          </button>
        )}
      </div>
      {among.length > 0 && (
        <ul className="plain entities">
          {among.map((entity) => (
            <EntityCard key={entity.id} entity={entity} list={list} reading={reading} />
          ))}
        </ul>
      )}
      {isAdding && (
        <div className="entity">
          <FieldForm
            label={`Add to ${listNames[list].toLowerCase()}`}
            action="Add"
            fields={[...newFields(list), quoteField]}
            problem={problem}
            onCancel={close}
            onDone={(values) => void add(values)}
          />
        </div>
      )}
    </section>
  )
}

const choicesOf = (names: readonly string[]) => names.map((name) => ({ value: name, label: words(name) }))
const field = (name: string, more: Partial<EditedField> = {}): EditedField => ({
  name,
  label: fieldNames[name]!,
  value: '',
  ...more,
})

const quoteField: EditedField = { name: 'quote', label: 'Words of the document', value: '', type: 'quote' }

function newFields(list: EntityList): readonly EditedField[] {
  const isRequired = true
  switch (entityLists[list]) {
    case 'party':
      return [field('name', { isRequired }), field('payerpricePayer', { type: 'payer' })]
    case 'scope':
      return [field('value', { isRequired }), field('normalizedValue')]
    case 'location':
      return [field('address'), field('city'), field('state'), field('postalCode')]
    case 'clause':
      return [
        field('category', { choices: choicesOf(clauseCategories), value: 'other' }),
        field('clauseType', { isRequired }),
        field('value', { isRequired, type: 'long' }),
      ]
    case 'policy':
      return [
        field('category', { choices: choicesOf(policyCategories), value: 'other' }),
        field('policyType', { isRequired }),
        field('rawText', { isRequired, type: 'long' }),
      ]
  }
}

function appended(
  list: EntityList,
  values: Readonly<Record<string, string>>,
  evidenceIds: readonly string[],
): EditOperation {
  const given = Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''))
  const kind = entityLists[list]
  return {
    operation: 'append_entity',
    entityId: 'root',
    fieldPath: list,
    value: {
      id: `added-${freshId()}`,
      ...given,
      ...((kind === 'clause' || kind === 'policy' || evidenceIds.length > 0) && { evidenceIds }),
      ...(kind === 'policy' && { applicability: {} }),
    },
  }
}

/** Dates and status of the contract itself. */
export function RootSection({
  entities,
  saved,
  evidenceOf,
  reading,
}: {
  entities: ContractEntities
  saved: ContractEntities
  evidenceOf: (field: RootField) => readonly string[]
  reading: Reading
}) {
  const [open, setOpen] = useState<RootField>()
  return (
    <ul className="plain entities">
      {rootFields.map((path) => {
        const value = rootValue(entities, path)
        const name = rootNames[path]
        const isChanged = value !== rootValue(saved, path)
        return (
          <li
            key={path}
            className={`entity ${reading.chosen === path ? 'chosen' : ''} ${isChanged ? 'changed' : ''}`}
          >
            <div className="row">
              <strong className="small">{name}</strong>
              <Quoted
                title={value === null ? 'not given' : words(value)}
                of={path}
                evidenceIds={value === null ? [] : evidenceOf(path)}
                reading={reading}
              />
              {isChanged && <span className="badge">changed</span>}
              {reading.edit && open !== path && (
                <button
                  type="button"
                  className="link small"
                  aria-label={`Correct ${name.toLowerCase()}`}
                  onClick={() => setOpen(path)}
                >
                  Correct
                </button>
              )}
            </div>
            {open === path && (
              <FieldForm
                label={`Correct ${name.toLowerCase()}`}
                action="Keep"
                fields={[
                  {
                    name: 'value',
                    label: name,
                    value: value ?? '',
                    ...(path === 'contractTerms.executionStatus'
                      ? {
                          choices: choicesOf([
                            ...new Set(['', 'executed', 'partially_executed', 'unsigned', value ?? '']),
                          ]),
                        }
                      : { type: 'date' as const }),
                  },
                ]}
                onCancel={() => setOpen(undefined)}
                onDone={({ value: text = '' }) => {
                  setOpen(undefined)
                  if (text === (value ?? '')) return
                  reading.edit?.(
                    text === ''
                      ? { operation: 'delete', entityId: 'root', fieldPath: path }
                      : { operation: 'set', entityId: 'root', fieldPath: path, value: text },
                  )
                }}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
