import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { SavedContractModelConfig } from '../../src/operations/contract-model.ts'
import type { Report } from '../../src/operations/report-record.ts'
import { ApiFailure, askReport } from '../api.ts'

export type Config = Partial<SavedContractModelConfig>

/** How the configuration on the screen stands to the one on the server. */
export type SaveStatus = 'saved' | 'waiting' | 'saving' | 'conflict' | 'failed'

interface Steps {
  readonly now: Config
  readonly past: readonly Config[]
  readonly future: readonly Config[]
}

const stepsMost = 100
const waitMs = 600

export interface EditedConfig {
  readonly config: Config
  readonly change: (part: Config) => void
  /** Notes what only arranges the screen; it is saved along with the next change, and is no step to undo. */
  readonly arrange: (part: Config) => void
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
  readonly status: SaveStatus
  readonly failure: unknown
  /** Takes what somebody else saved; one's own stays one undo away. */
  readonly takeTheirs: () => Promise<void>
  /** Saves one's own over what somebody else saved. */
  readonly overwrite: () => Promise<void>
  readonly retry: () => void
}

/** A report's configuration as it is edited: every change at once on the screen, saved a moment later, undone step by step. */
export function useEditedConfig(report: Report, etag: string): EditedConfig {
  const queries = useQueryClient()
  const [steps, setSteps] = useState<Steps>({ now: report.contractModelConfig ?? {}, past: [], future: [] })
  const [status, setStatus] = useState<SaveStatus>('saved')
  const [failure, setFailure] = useState<unknown>(null)
  // As the server last told it: with its defaults, which one's own may lack.
  const told = useRef(JSON.stringify(report.contractModelConfig ?? {}))
  const toldAt = useRef(report.updatedAt)
  const latest = useRef<Config>(steps.now)
  const tag = useRef(etag)
  latest.current = steps.now

  const save = useCallback(async () => {
    const sent = latest.current
    setStatus('saving')
    try {
      const answer = await askReport(
        'actOnReport',
        { id: report.id, contractModelConfigAction: { config: sent } },
        { ifMatch: tag.current },
      )
      tag.current = answer.etag
      told.current = JSON.stringify(answer.value.contractModelConfig ?? {})
      toldAt.current = answer.value.updatedAt
      // An answer that was on its way is older than this one.
      await queries.cancelQueries({ queryKey: ['report', report.id] })
      queries.setQueryData(['report', report.id], { report: answer.value, etag: answer.etag })
      setStatus(latest.current === sent ? 'saved' : 'waiting')
    } catch (error) {
      setFailure(error)
      setStatus(error instanceof ApiFailure && error.status === 412 ? 'conflict' : 'failed')
    }
  }, [queries, report.id])

  useEffect(() => {
    if (status !== 'waiting') return
    const timer = setTimeout(() => void save(), waitMs)
    return () => clearTimeout(timer)
  }, [status, steps.now, save])

  // What somebody else saved is taken over while nothing of one's own waits.
  useEffect(() => {
    if (status !== 'saved' || etag === tag.current || report.updatedAt < toldAt.current) return
    tag.current = etag
    toldAt.current = report.updatedAt
    const theirs = report.contractModelConfig ?? {}
    if (JSON.stringify(theirs) === told.current) return
    told.current = JSON.stringify(theirs)
    setSteps(({ now, past }) => ({ now: theirs, past: [...past, now].slice(-stepsMost), future: [] }))
  }, [etag, report.contractModelConfig, report.updatedAt, status])

  useEffect(() => {
    if (status === 'saved') return
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [status])

  const move = (next: (steps: Steps) => Steps) => {
    setSteps(next)
    setStatus((now) => (now === 'conflict' ? now : now === 'saving' ? now : 'waiting'))
  }
  const newest = () => askReport('readReport', { id: report.id })
  return {
    config: steps.now,
    change: (part) =>
      move(({ now, past }) => ({
        now: { ...now, ...part },
        past: [...past, now].slice(-stepsMost),
        future: [],
      })),
    arrange: (part) => setSteps((before) => ({ ...before, now: { ...before.now, ...part } })),
    undo:
      steps.past.length === 0
        ? undefined
        : () =>
            move(({ now, past, future }) => ({
              now: past.at(-1)!,
              past: past.slice(0, -1),
              future: [now, ...future],
            })),
    redo:
      steps.future.length === 0
        ? undefined
        : () =>
            move(({ now, past, future: [next, ...future] }) => ({
              now: next!,
              past: [...past, now],
              future,
            })),
    status,
    failure,
    takeTheirs: async () => {
      const { value, etag: tagNow } = await newest()
      const theirs = value.contractModelConfig ?? {}
      tag.current = tagNow
      told.current = JSON.stringify(theirs)
      toldAt.current = value.updatedAt
      setSteps(({ now, past }) => ({ now: theirs, past: [...past, now].slice(-stepsMost), future: [] }))
      queries.setQueryData(['report', report.id], { report: value, etag: tagNow })
      setStatus('saved')
    },
    overwrite: async () => {
      tag.current = (await newest()).etag
      await save()
    },
    retry: () => void save(),
  }
}
