import { Failure } from '../errors.ts'

/** The work's result, or a failure as soon as the signal fires, even where the work does not listen. */
export async function inTime<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () =>
      reject(
        signal.reason instanceof Failure
          ? signal.reason
          : new Failure('answer_timeout', undefined, { cause: signal.reason }),
      )
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
