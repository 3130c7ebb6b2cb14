import { workIn } from '../../src/search/worker.ts'
import { Failure } from '../../src/errors.ts'

/** A pool's worker that says where it looked, after as long as it is told. */
workIn<{ folder: string }>({
  load(folder) {
    if (folder === 'broken') throw new Failure('not_loaded', 'nothing there')
    return { folder }
  },
  open({ folder }) {
    return {
      answer({ say, waitMs = 0 }: { say: string; waitMs?: number }) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs)
        if (say === 'fail') throw new Failure('query_too_wide', 'too much')
        if (say === 'break') throw new TypeError('broken')
        if (say === 'die') process.exit(3)
        return `${folder}:${say}`
      },
      close: () => undefined,
    }
  },
})
