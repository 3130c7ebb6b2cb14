import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../errors.ts'
import { openEngine, texts } from '../warehouse/engine.ts'

/** The NPIs that practise in some states, by the provider directory that is loaded. */
export async function npisOfStates(dataFolder: string, states: readonly string[]): Promise<number[]> {
  const directory = join(dataFolder, 'directory')
  const pointer = join(directory, 'current.json')
  const { datasets = {} } = existsSync(pointer)
    ? (JSON.parse(await readFile(pointer, 'utf8')) as { datasets?: { providers?: { file: string } } })
    : {}
  if (datasets.providers === undefined)
    throw new Failure(
      'not_loaded',
      'Which providers practise in a state is in the provider directory, which is not loaded. Load it with `ratebook load nppes SOURCE`, or leave out --states.',
    )
  const engine = await openEngine(join(directory, datasets.providers.file), { readOnly: true })
  try {
    const rows = await engine.rows<{ npi: bigint }>(
      'select npi from providers where state in (select unnest($1)) order by npi',
      [texts(states)],
    )
    return rows.map(({ npi }) => Number(npi))
  } finally {
    await engine.close()
  }
}
