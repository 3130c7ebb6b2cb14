import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

const busy = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

async function work(pieces: number, signal?: AbortSignal): Promise<void> {
  const turns = new Turns(signal)
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

  it('stop when told to', async () => {
    const stop = new AbortController()
    const running = work(1_000, stop.signal)
    setTimeout(() => stop.abort(), 20)
    await expect(running).rejects.toMatchObject({ code: 'query_timeout' })
  })
})
