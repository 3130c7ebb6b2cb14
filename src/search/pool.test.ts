import { afterEach, describe, expect, it } from 'vitest'
import { Pool } from './pool.ts'

const worker = new URL('../../test/support/echo-worker.ts', import.meta.url)
let pool: Pool | undefined
const open = async (threads = 1, waitingMax = 100) =>
  (pool = await Pool.open({ worker, threads, waitingMax }, 'one'))
afterEach(async () => {
  await pool?.close()
  pool = undefined
})

describe('a pool', () => {
  it('answers on its threads', async () => {
    const pool = await open(2)
    const answers = await Promise.all(['a', 'b', 'c'].map((say) => pool.ask({ say })))
    expect(answers).toEqual(['one:a', 'one:b', 'one:c'])
  })

  it('leaves the event loop free while they work', async () => {
    const pool = await open()
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    await pool.ask({ say: 'slow', waitMs: 300 })
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(10)
  })

  it('answers those who are typing first', async () => {
    const pool = await open()
    const order: string[] = []
    const ask = async (say: string, ahead: boolean) => {
      await pool.ask({ say, waitMs: 20 }, { ahead })
      order.push(say)
    }
    await Promise.all([ask('running', false), ask('search', false), ask('typing', true)])
    expect(order).toEqual(['running', 'typing', 'search'])
  })

  it('refuses what it cannot hold, and drops those whose asker left', async () => {
    const pool = await open(1, 2)
    const left = new AbortController()
    const running = pool.ask({ say: 'a', waitMs: 150 })
    const leaving = pool.ask({ say: 'b' }, { signal: left.signal })
    const waiting = pool.ask({ say: 'c' })
    await expect(pool.ask({ say: 'd' })).rejects.toMatchObject({ code: 'overloaded' })
    left.abort()
    const instead = pool.ask({ say: 'e' })
    await expect(leaving).rejects.toThrow()
    expect(await Promise.all([running, waiting, instead])).toEqual(['one:a', 'one:c', 'one:e'])
    await expect(pool.ask({ say: 'f' }, { signal: left.signal })).rejects.toThrow()
  })

  it('hands failures over, and hides what broke', async () => {
    const pool = await open()
    await expect(pool.ask({ say: 'fail' })).rejects.toMatchObject({
      code: 'query_too_wide',
      message: 'too much',
    })
    await expect(pool.ask({ say: 'break' })).rejects.toMatchObject({ code: 'internal' })
    expect(await pool.ask({ say: 'still here' })).toBe('one:still here')
  })

  it('replaces a thread that died', async () => {
    const pool = await open(2)
    await expect(pool.ask({ say: 'die' })).rejects.toMatchObject({ code: 'internal' })
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((say) => pool.ask({ say })))
    expect(answers).toEqual(['one:a', 'one:b', 'one:c', 'one:d'])
  })

  it('goes over to another folder without losing a question, and stays where a folder is broken', async () => {
    const pool = await open(2)
    const asked = Array.from({ length: 60 }, (_, say) => pool.ask({ say: String(say), waitMs: 1 }))
    await pool.swap('two')
    expect((await Promise.all(asked)).every((answer) => /^(one|two):\d+$/.test(String(answer)))).toBe(true)
    await expect(pool.swap('broken')).rejects.toMatchObject({ code: 'not_loaded' })
    expect(await Promise.all([pool.ask({ say: 'a' }), pool.ask({ say: 'b' })])).toEqual(['two:a', 'two:b'])
  })

  it('refuses questions once it closes', async () => {
    const pool = await open()
    await pool.close()
    await expect(pool.ask({ say: 'late' })).rejects.toMatchObject({ code: 'shutting_down' })
  })
})
