/**
 * Works until a time is up or the caller leaves. The timer ends with the work: a signal of `AbortSignal.timeout` would hold
 * every answer's signals in memory until its time is up.
 */
export async function withTimeLimit<Result>(
  ms: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), ms)
  const leave = () => stop.abort(caller!.reason)
  if (caller?.aborted) leave()
  else caller?.addEventListener('abort', leave, { once: true })
  try {
    return await work(stop.signal)
  } finally {
    clearTimeout(timer)
    caller?.removeEventListener('abort', leave)
  }
}
