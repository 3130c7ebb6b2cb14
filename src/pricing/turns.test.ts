import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

const busy = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

async function work(pieces: number, signal?: AbortSignal): Promise<void> {
  const turns = new Turns({ signal })
  await turns.begin()
  for (let piece = 0; piece < pieces; piece++) {
    busy(5)
    await turns.pause()
  }
}

describe('turns', () => {
  it('let a short computation overtake long ones that began before it', async () => {
    const ended: string[] = []
    const long = ['a', 'b', 'c'].map((name) => work(25).then(() => ended.push(name)))
    await work(10)
    const short = work(3).then(() => ended.push('short'))
    await Promise.all([...long, short])
    expect(ended[0]).toBe('short')
    expect(ended).toHaveLength(4)
  })

  it('let timers and requests be seen between two pieces', async () => {
    let seen = 0
    const timer = setInterval(() => seen++, 1)
    await Promise.all([work(10), work(10), work(10)])
    clearInterval(timer)
    expect(seen).toBeGreaterThan(5)
  })

  it('are short also when many computations begin at once', async () => {
    const stretches: number[] = []
    let last = performance.now()
    let watching = true
    const watch = () => {
      stretches.push(performance.now() - last)
      last = performance.now()
      if (watching) setImmediate(watch)
    }
    setImmediate(watch)
    await Promise.all(Array.from({ length: 20 }, () => work(2)))
    watching = false
    // Twenty that begin at once would otherwise keep everybody waiting for a hundred milliseconds.
    expect(stretches.length).toBeGreaterThan(20)
  })

  it('stop when told to', async () => {
    const stop = new AbortController()
    const running = work(1_000, stop.signal)
    setTimeout(() => stop.abort(), 20)
    await expect(running).rejects.toMatchObject({ code: 'query_timeout' })
  })
})
