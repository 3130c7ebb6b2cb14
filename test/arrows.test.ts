import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Which rooms a room may use. Imports flow down this table; ARCHITECTURE.md names the rooms. */
const mayUse: Record<string, string> = {
  cli: 'http service ingestion directory providers jobs demo oauth accounts warehouse records operations files vocabulary config errors',
  http: 'mcp oauth service accounts operations vocabulary config errors',
  mcp: 'service accounts operations vocabulary errors',
  service:
    'ingestion reports contracts pricing medicare providers catalog accounts oauth jobs warehouse records operations vocabulary config errors',
  demo: 'ingestion directory warehouse vocabulary errors',
  reports: 'contracts pricing jobs records warehouse files operations vocabulary errors',
  contracts: 'pricing records jobs files operations vocabulary errors',
  pricing: 'providers medicare catalog warehouse operations vocabulary errors',
  oauth: 'accounts records errors',
  providers: 'search catalog warehouse operations files vocabulary errors',
  medicare: 'warehouse operations vocabulary errors',
  accounts: 'records operations vocabulary errors',
  ingestion: 'jobs records warehouse files vocabulary errors',
  directory: 'medicare files vocabulary errors',
  operations: 'vocabulary errors',
  catalog: 'warehouse vocabulary errors',
  search: 'warehouse vocabulary errors',
  jobs: 'records errors',
  warehouse: 'files vocabulary errors',
  records: 'errors',
  files: 'errors',
  vocabulary: '',
  config: '',
  errors: '',
}

const source = join(import.meta.dirname, '..', 'src')
const roomOf = (path: string) => path.split('/')[0]?.replace(/(\.test)?\.ts$/, '') ?? ''

const files = globSync('**/*.ts', { cwd: source }).filter((path) => !path.includes('/assembly/'))

describe('imports flow one way', () => {
  it('finds the house', () => expect(files.length).toBeGreaterThan(20))

  it.each(files)('%s uses only the rooms below it', (path) => {
    const room = roomOf(path)
    const allowed = new Set([room, ...(mayUse[room] ?? '').split(' ')])
    const text = readFileSync(join(source, path), 'utf8')
    const used = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, to = '']) =>
      roomOf(join(path, '..', to)),
    )
    expect(mayUse).toHaveProperty(room)
    expect(used.filter((to) => to !== '..' && !allowed.has(to))).toEqual([])
  })
})
