import { workIn } from '../search/worker.ts'
import { hospitalBilling } from './billing.ts'
import { ccns, ccnSearch } from './hospitals.ts'
import { npis, npiSearch } from './npis.ts'
import { OpenedProviders, sharedProviders, type SharedProviders } from './opened.ts'
import { searchProviders } from './search.ts'
import { tins, tinSearch } from './tins.ts'

/** What a thread of the provider search can be asked. */
export const answers = { npis, npiSearch, ccns, ccnSearch, tins, tinSearch, searchProviders, hospitalBilling }
export type AnswerName = keyof typeof answers

export interface Job {
  readonly name: AnswerName
  readonly request: never
}

workIn<SharedProviders>({
  load: sharedProviders,
  open(shared) {
    const opened = new OpenedProviders(shared)
    return {
      answer: ({ name, request }: Job) => answers[name](opened, request),
      close: () => opened.close(),
    }
  },
})
