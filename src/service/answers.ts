import type { Readable } from 'node:stream'
import type { Caller } from '../accounts/callers.ts'
import type { OperationName, operations } from '../operations/index.ts'
import type { RequestOf, ResponseOf } from '../operations/operation.ts'
import type { Pricing, PricingCall } from '../pricing/pricing.ts'
import type { Providers } from '../providers/open.ts'

/** What an answer may know of the call it serves. */
export interface CallContext {
  readonly caller: Caller
  /** Fires when the client leaves or the time is up. */
  readonly signal: AbortSignal
  /** The state of the data to answer from, where the caller pins one. */
  readonly snapshot?: string | undefined
  /** A header that the caller sent. */
  readonly sent: (name: string) => string | undefined
  /** The body of an operation that takes a file. */
  readonly body?: Readable
  /** Says that this call repeats one that was paid for: it costs nothing. */
  readonly free?: () => void
  /** Adds a header to the answer. */
  readonly header: (name: string, value: string) => void
}

/** The room function behind each operation. One that is missing answers `not_loaded`. */
export type Answers = {
  [Name in OperationName]?: (
    request: RequestOf<(typeof operations)[Name]>,
    context: CallContext,
  ) => Promise<ResponseOf<(typeof operations)[Name]>>
}

/** Hands each question to its room. */
export function answersOf(pricing: Pricing, providers: Providers, pageSizeMax: number): Answers {
  const directory = ({ signal }: CallContext) => ({ signal })
  return {
    payers: (_, context) => told(context, pricing.payers(callOf(context, pageSizeMax))),
    payerPlans: ({ payer }, context) => told(context, pricing.plans(payer, callOf(context, pageSizeMax))),
    npis: (request, context) => providers.npis(request, directory(context)),
    npiSearch: (request, context) => providers.npiSearch(request, directory(context)),
    ccns: (request, context) => providers.ccns(request, directory(context)),
    ccnSearch: (request, context) => providers.ccnSearch(request, directory(context)),
    tins: (request, context) => providers.tins(request, directory(context)),
    tinSearch: (request, context) => providers.tinSearch(request, directory(context)),
    marketBenchmarks: (request, context) =>
      told(context, pricing.benchmarks(request, callOf(context, pageSizeMax))),
    providerRates: ({ pagination, ...request }, context) => {
      const call = callOf(context, pageSizeMax)
      return pagination === undefined
        ? told(context, pricing.providerRates(request, call))
        : told(context, pricing.providerRatesPage(request, pagination, call))
    },
  }
}

/** A call as the pricing room knows it. */
export const callOf = ({ caller, signal, snapshot }: CallContext, pageSizeMax: number): PricingCall => ({
  organization: caller.organizationId,
  signal,
  pageSizeMost: caller.pageSizeMax ?? pageSizeMax,
  ...(snapshot !== undefined && { snapshot }),
})

/** An answer's body; the state of the data it was computed on goes into a header. */
export async function told<Body>(
  { header }: CallContext,
  answer: Promise<{ body: Body; snapshot: string }>,
): Promise<Mutable<Body>> {
  const { body, snapshot } = await answer
  header('X-Data-Snapshot', snapshot)
  return body as Mutable<Body>
}

type Mutable<Body> = Body extends readonly (infer Row)[] ? Row[] : Body
