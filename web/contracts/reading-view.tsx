import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Contract } from '../../src/operations/contracts.ts'
import type { ContractEntities, Evidence } from '../../src/operations/contract-entities.ts'
import { askContract } from '../api.ts'
import { Busy, FailureNotice } from '../parts/notice.tsx'
import { DocumentText } from './document-text.tsx'
import { EntityCard, type Reading } from './entity-card.tsx'
import { EntityListSection, RootSection } from './entity-section.tsx'
import { entitiesOf, type Entity, lists, sections } from './entity-words.ts'
import { placeOfWords } from './places.ts'
import { PendingBar } from './pending-bar.tsx'
import { usePendingEdits, withPending } from './pending-edits.ts'

const nothingMarked: readonly Evidence[] = []

/** The document beside its entities, which an administrator corrects in place. */
export function ReadingView({
  contract: { id, revision },
  mayEdit,
  old,
}: {
  contract: Contract
  mayEdit: boolean
  /** An earlier revision to show instead, read-only. */
  old?: ContractEntities | undefined
}) {
  const queries = useQueryClient()
  const text = useQuery({
    queryKey: ['contract-text', id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => askContract('contractText', { id }, signal),
  })
  const read = useQuery({
    queryKey: ['contract', id, 'entities'],
    queryFn: ({ signal }) => askContract('contractEntities', { id }, signal),
  })
  const pending = usePendingEdits()
  const [chosen, setChosen] = useState<{ key: string; evidence: readonly Evidence[] }>()
  const save = useMutation({
    mutationFn: () =>
      askContract('editContract', {
        id,
        requestId: pending.requestId,
        baseRevision: read.data?.revision ?? revision,
        operations: [...pending.operations],
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['contract', id] })
      pending.discard()
    },
  })
  const isDirty = pending.operations.length > 0
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])
  const evidence = useMemo(() => new Map(read.data?.evidence.map((one) => [one.id, one])), [read.data])
  if (text.isPending || read.isPending) return <Busy>Opening the contract…</Busy>
  if (text.isError) return <FailureNotice failure={text.error} retry={() => void text.refetch()} />
  if (read.isError) return <FailureNotice failure={read.error} retry={() => void read.refetch()} />

  const saved = old ?? read.data.resolvedEntities
  const { sources } = read.data.extractedEntities
  const shown = old ?? withPending(saved, pending.operations)
  const savedById = byId(saved)
  const extractedById = byId(read.data.extractedEntities)
  const among = (ids: readonly string[]) =>
    ids.map((one) => evidence.get(one)).filter((one) => one !== undefined)
  const quote: Reading['quote'] = async (words, at) => {
    const place = at ?? placeOfWords(words, text.data.pages)
    if (!place) throw new Error('These words are not in the document. Take them from its text.')
    const made = await askContract('quoteContract', { id, ...place })
    queries.setQueryData<typeof read.data>(
      ['contract', id, 'entities'],
      (known) =>
        known && { ...known, evidence: [...known.evidence.filter((one) => one.id !== made.id), made] },
    )
    return made
  }
  const reading: Reading = {
    quote,
    chosen: chosen?.key,
    choose: (key, ids) => setChosen({ key, evidence: among(ids) }),
    pageOf: (ids) => among(ids)[0]?.page,
    confidenceOf: (key) => sources[key]?.confidence,
    markOf: (entity) => {
      const kept = savedById.get(entity.id)
      if (!kept) return 'added'
      if (!isSame(kept, entity)) return 'changed'
      const extracted = extractedById.get(entity.id)
      return extracted && isSame(extracted, entity) ? undefined : 'corrected'
    },
    edit:
      mayEdit && !old
        ? (...operations) => {
            save.reset()
            pending.add(...operations)
          }
        : undefined,
  }
  return (
    <div className="reading">
      <DocumentText pages={text.data.pages} marked={chosen?.evidence ?? nothingMarked} />
      <div className="stack">
        <section className="card" aria-label="Terms">
          <h2>Terms</h2>
          <RootSection
            entities={shown}
            saved={saved}
            evidenceOf={(field) => sources[field]?.evidenceIds ?? []}
            reading={reading}
          />
        </section>
        {sections
          .filter(
            (section) => reading.edit || section.lists.some((list) => entitiesOf(shown, list).length > 0),
          )
          .map((section) => (
            <section key={section.name} className="card" aria-label={section.name}>
              <h2>{section.name}</h2>
              {section.lists.map((list) => (
                <EntityListSection key={list} list={list} entities={shown} reading={reading} />
              ))}
            </section>
          ))}
        <section className="card" aria-label="Pricing terms">
          <h2>Pricing terms</h2>
          <p className="soft small">Read from the contract, and not editable here.</p>
          <ul className="plain entities">
            {shown.pricingTerms.map((term) => (
              <EntityCard key={term.id} entity={term} reading={reading} />
            ))}
          </ul>
        </section>
        <PendingBar
          pending={{
            ...pending,
            // What was wrong is judged again when the rest is saved.
            undo: (at) => {
              save.reset()
              pending.undo(at)
            },
          }}
          saved={saved}
          failure={save.error}
          isSaving={save.isPending}
          save={() => save.mutate()}
          reload={() => {
            save.reset()
            void queries.invalidateQueries({ queryKey: ['contract', id] })
          }}
        />
      </div>
    </div>
  )
}

const byId = (entities: ContractEntities) =>
  new Map(
    [...lists.flatMap((list) => entitiesOf(entities, list)), ...(entities.pricingTerms as Entity[])].map(
      (entity) => [entity.id, entity] as const,
    ),
  )

const isSame = (one: Entity, other: Entity) => {
  const fields = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...fields].every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]))
}
