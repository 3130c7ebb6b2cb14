import { describe, expect, it } from 'vitest'
import { Scheduler } from './scheduler.ts'

const settings = { heavyRows: 10, heavyAtOnce: 1, waitingMost: 3 }

/** Work that ends when told to, and notes when it starts. */
function task(name: string, started: string[]) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    end,
    work: async () => {
      started.push(name)
      await ended
    },
  }
}

const settle = () => new Promise(setImmediate)

describe('scheduler', () => {
  it('lets light questions pass while heavy ones run', async () => {
    const scheduler = new Scheduler(settings)
    const started: string[] = []
    const heavy = task('heavy', started)
    const running = scheduler.run(100, 'a', heavy.work)
    await scheduler.run(5, 'a', async () => void started.push('light'))
    expect(started).toContain('light')
    heavy.end()
    await running
  })

  it('gives every organisation its turn', async () => {
    const scheduler = new Scheduler(settings)
    const started: string[] = []
    const tasks = ['a1', 'a2', 'a3', 'b1'].map((name) => ({ name, ...task(name, started) }))
    const runs = tasks.map(({ name, work }) => scheduler.run(100, name[0]!, work))
    for (const { end } of tasks) end()
    await Promise.all(runs)
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('refuses more waiting questions than it has room for, and forgets those whose caller left', async () => {
    const scheduler = new Scheduler(settings)
    const started: string[] = []
    const first = task('first', started)
    const running = scheduler.run(100, 'a', first.work)
    const leaving = new AbortController()
    const left = scheduler.run(100, 'a', task('left', started).work, leaving.signal)
    const others = [1, 2].map((n) => scheduler.run(100, 'a', async () => void started.push(`other ${n}`)))
    await expect(scheduler.run(100, 'a', async () => {})).rejects.toMatchObject({ code: 'overloaded' })
    leaving.abort()
    await expect(left).rejects.toMatchObject({ code: 'query_timeout' })
    first.end()
    await Promise.all([running, ...others])
    await settle()
    expect(started).toEqual(['first', 'other 1', 'other 2'])
  })
})
