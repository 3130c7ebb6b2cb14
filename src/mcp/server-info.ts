import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
) as { version: string }

/** Who a client is talking to. */
export const serverInfo = {
  name: 'ratebook',
  title: 'Ratebook: US healthcare prices',
  version,
  description: 'Negotiated rates that US health insurers publish, who is paid them, and what Medicare pays',
}
