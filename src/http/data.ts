import type { FastifyInstance } from 'fastify'
import { dataOperations } from '../operations/data-views.ts'
import type { Service } from '../service.ts'
import {
  catalog,
  codesLike,
  exampleOf,
  loadedFiles,
  loadedMonths,
  medicareView,
} from '../service/data-views.ts'
import { providerView, suggestProviders } from '../service/provider-views.ts'
import { rateSource } from '../service/rate-source.ts'
import { serveApp } from './serve-app.ts'

/** Serves what the web application's pages look at beside the priced questions. */
export function serveData(app: FastifyInstance, service: Service): void {
  const { rates, pricing, settings } = service
  const example = exampleOf(rates, pricing)
  serveApp(app, service, dataOperations, {
    catalog: () => catalog(rates),
    codes: async ({ query }) => codesLike(rates, query, await service.codeGroupName()),
    example,
    medicare: (request) => medicareView(service.medicare, request),
    suggestProviders: ({ query }) => suggestProviders(service.providers, query),
    provider: ({ kind, id }) => providerView(service.providers, kind, id),
    loadedMonths: () => loadedMonths(settings.RATEBOOK_DATA),
    loadedFiles: (request) => loadedFiles(settings.RATEBOOK_DATA, request),
    rateSource: (request) => rateSource(rates, service.providers, request),
  })
}
