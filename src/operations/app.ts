import type { z } from 'zod'
import { appOperations } from './account.ts'
import { dataOperations } from './data-views.ts'

/** Every operation of the web application, by name. */
export const webOperations = { ...appOperations, ...dataOperations } as const

export type WebOperationName = keyof typeof webOperations
export type WebRequest<Name extends WebOperationName> = z.output<(typeof webOperations)[Name]['request']>
export type WebResponse<Name extends WebOperationName> = z.output<(typeof webOperations)[Name]['response']>
