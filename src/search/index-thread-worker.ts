import { parentPort, workerData } from 'node:worker_threads'
import { IndexFile } from './index-file.ts'
import type { FromIndexThread, ToIndexThread } from './index-thread.ts'

const port = parentPort
const file = new IndexFile(String(workerData))
const say = (said: FromIndexThread) => port?.postMessage(said)
port?.on('message', (told: ToIndexThread) => {
  if (told.kind === 'keep') {
    file.keep(told.batch)
    say('kept')
  } else {
    file.finish()
    say('finished')
  }
})
