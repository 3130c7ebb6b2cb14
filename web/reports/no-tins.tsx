import { Notice } from '../parts/notice.tsx'
import type { Config } from './saved-config.ts'

/** Says whose rates are meant while nobody has named their own. */
export function NoTins({ config }: { config: Config }) {
  if ((config.yourTins ?? []).length > 0) return null
  return (
    <Notice title="Whose rates are yours?">
      No TIN is named yet: the median of the market stands in for your rate. Name your TINs under “Your side
      of the table”.
    </Notice>
  )
}
