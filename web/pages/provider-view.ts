import type { WebResponse } from '../../src/operations/app.ts'

/** What the page of a provider shows. */
export type ProviderView = WebResponse<'provider'>
