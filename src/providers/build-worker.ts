import { parentPort, workerData } from 'node:worker_threads'
import { buildIndex } from './build-index.ts'
import { listedIn } from './listed.ts'
import type { BuildOrder, BuildReport } from './refresh.ts'

const { folder, providersFile, hospitalsFile, rateBuilds } = workerData as BuildOrder
const port = parentPort
const report = (said: BuildReport) => port?.postMessage(said)
const built = await buildIndex(
  folder,
  { providersFile, hospitalsFile, listed: listedIn(rateBuilds) },
  (done) => report({ kind: 'progress', ...done }),
)
report({ kind: 'built', built })
