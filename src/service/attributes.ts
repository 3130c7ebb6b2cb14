import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openEngine } from '../warehouse/engine.ts'
import { loadProviderAttributes, ProviderAttributes } from '../warehouse/provider-attributes.ts'

const lookEveryMs = 1_000

/** What cohorts ask of providers, following the directory's pointer. */
export interface FollowedAttributes {
  /** The newest that are read; while newer ones are being read, the ones before. */
  current(): Promise<ProviderAttributes>
}

/**
 * Follows the provider directory of a data folder. Reading the attributes of nine million providers takes seconds,
 * so a new directory is read beside the old one; only the very first question waits.
 */
export function followAttributes(dataFolder: string, log: (text: string) => void): FollowedAttributes {
  const pointer = join(dataFolder, 'directory', 'current.json')
  let held: ProviderAttributes | undefined
  let reading: Promise<ProviderAttributes> | undefined
  let seen = ''
  let lookedAt = -Infinity

  async function readNewest(): Promise<ProviderAttributes> {
    const entry = await providersEntry(pointer)
    if (!entry) return new ProviderAttributes('none')
    if (entry.build === held?.id) return held
    const engine = await openEngine(join(dataFolder, 'directory', entry.file), { readOnly: true })
    try {
      return await loadProviderAttributes(engine, entry.build)
    } finally {
      await engine.close()
    }
  }

  async function look(): Promise<void> {
    if (reading || performance.now() - lookedAt < lookEveryMs) return
    lookedAt = performance.now()
    const facts = await stat(pointer).catch(() => undefined)
    const stamp = facts ? `${facts.ino} ${facts.mtimeMs} ${facts.size}` : 'none'
    if (stamp === seen || reading) return
    reading = readNewest()
    void keep(reading, stamp)
  }

  async function keep(read: Promise<ProviderAttributes>, stamp: string): Promise<void> {
    try {
      held = await read
      seen = stamp
    } catch (error) {
      log(`The provider directory cannot be read: ${(error as Error).message}`)
    } finally {
      reading = undefined
    }
  }

  return {
    async current() {
      await look()
      return held ?? (await reading) ?? new ProviderAttributes('none')
    },
  }
}

interface Entry {
  readonly build: string
  readonly file: string
}

async function providersEntry(pointer: string): Promise<Entry | undefined> {
  const text = await readFile(pointer, 'utf8').catch(() => undefined)
  return text === undefined
    ? undefined
    : (JSON.parse(text) as { datasets: { providers?: Entry } }).datasets.providers
}
