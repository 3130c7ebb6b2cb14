import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceMonth } from '../vocabulary/period.ts'
import { BlockCache } from './block-cache.ts'
import { Build } from './build.ts'
import { holdSnapshot, readManifest, readSnapshot, type Manifest } from './manifest.ts'

export interface RatesSettings {
  /** Memory for decoded prices and provider sets, over all builds. */
  readonly cacheBytes?: number
  /** How long a replaced snapshot stays readable for cursors and pins. */
  readonly keepMs?: number
}

/** One state of the published data. */
export class Snapshot {
  readonly id: string
  readonly manifest: Manifest
  readonly builds: readonly Build[]
  readonly cache: BlockCache

  constructor(manifest: Manifest, builds: readonly Build[], cache: BlockCache) {
    this.id = manifest.snapshot
    this.manifest = manifest
    this.builds = builds
    this.cache = cache
  }

  /** Source months of a payer, newest first. */
  months(payer: string): SourceMonth[] {
    return this.builds
      .filter((build) => build.payer === payer)
      .map(({ month }) => month)
      .sort((a, b) => b - a)
  }

  build(payer: string, month: SourceMonth): Build | undefined {
    return this.builds.find((build) => build.payer === payer && build.month === month)
  }

  /** The newest build of every payer. */
  latest(): Build[] {
    const newest = new Map<string, Build>()
    for (const build of this.builds)
      if ((newest.get(build.payer)?.month ?? 0) < build.month) newest.set(build.payer, build)
    return [...newest.values()]
  }
}

/** The published rates, as they are now and, for a while, as they were. */
export interface Rates {
  current(): Promise<Snapshot>
  /** An earlier snapshot by its id, while it is kept. */
  at(snapshot: string): Promise<Snapshot | undefined>
  close(): void
}

const lookEveryMs = 1_000
const defaultCacheBytes = 1 << 30
const dayMs = 86_400_000

/** Opens the `rates` folder. A newer manifest is noticed within a second; snapshots handed out stay whole. */
export function openRates(folder: string, settings: RatesSettings = {}): Rates {
  const keepMs = settings.keepMs ?? dayMs
  const cache = new BlockCache(settings.cacheBytes ?? defaultCacheBytes)
  const builds = new Map<string, Build>()
  const open = new Map<string, { snapshot: Snapshot; release: () => void; usedAt: number }>()
  let present: { snapshot: Snapshot; stamp: string } | undefined
  let lookedAt = -Infinity

  const stampOf = () => {
    try {
      const { ino, mtimeMs, size } = statSync(join(folder, 'manifest.json'))
      return `${ino} ${mtimeMs} ${size}`
    } catch {
      return ''
    }
  }
  const openManifest = (manifest: Manifest): Snapshot => {
    const known = open.get(manifest.snapshot)
    if (known) {
      known.usedAt = Date.now()
      return known.snapshot
    }
    const release = manifest.builds.length > 0 ? holdSnapshot(folder, manifest.snapshot) : () => {}
    const members = manifest.builds.map(({ build }) => {
      let opened = builds.get(build)
      if (!opened) builds.set(build, (opened = new Build(join(folder, 'builds', build))))
      return opened
    })
    const snapshot = new Snapshot(manifest, members, cache)
    open.set(manifest.snapshot, { snapshot, release, usedAt: Date.now() })
    return snapshot
  }
  const closeUnused = () => {
    for (const [id, { release, usedAt }] of open) {
      if (id === present?.snapshot.id || Date.now() - usedAt < keepMs) continue
      open.delete(id)
      release()
    }
    const named = new Set(
      [...open.values()].flatMap(({ snapshot }) => snapshot.manifest.builds.map((b) => b.build)),
    )
    for (const [name, build] of builds) {
      if (named.has(name)) continue
      builds.delete(name)
      cache.forget(build)
      build.close()
    }
  }

  return {
    async current() {
      if (present && Date.now() - lookedAt < lookEveryMs) return present.snapshot
      const stamp = stampOf()
      if (stamp !== present?.stamp || !present) {
        present = { snapshot: openManifest(await readManifest(folder)), stamp }
        closeUnused()
      }
      lookedAt = Date.now()
      return present.snapshot
    },
    async at(snapshot) {
      const known = open.get(snapshot)
      if (known) {
        known.usedAt = Date.now()
        return known.snapshot
      }
      const manifest = await readSnapshot(folder, snapshot)
      return manifest && openManifest(manifest)
    },
    close() {
      for (const { release } of open.values()) release()
      for (const build of builds.values()) build.close()
      open.clear()
      builds.clear()
    },
  }
}
