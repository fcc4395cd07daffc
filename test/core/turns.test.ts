/** The turns of a tenant's driven tasks: so many at once, first come first served, and none is kept by the dead. */
import { describe, expect, it } from 'vitest'
import { turnOf, type Turn } from '../../src/core/turns.ts'

/** The table of a tenant, asked one after the other. */
function desk(max: number) {
  const turns = new Map<string, Turn>()
  const ask = (id: string, now_ms: number, slice = `slice of ${id}`) => {
    const { wait_ms, ...turn } = turnOf([...turns.values()], { id, slice }, max, now_ms)
    turns.set(id, turn)
    return wait_ms
  }
  return { ask, end: (id: string) => turns.delete(id), turns }
}

describe('turns', () => {
  it('so many tasks have one at once; the next one waits until one is given back', () => {
    const { ask, end } = desk(2)
    expect([ask('a', 0), ask('b', 0)]).toEqual([0, 0])
    expect(ask('c', 1)).toBeGreaterThan(0)
    end('a')
    expect(ask('c', 2)).toBe(0)
  })

  it('a second slice of a task comes under the turn of the first, which stays the one to give it back', () => {
    const { ask, turns } = desk(1)
    expect([ask('a', 0, 'first'), ask('a', 1, 'second')]).toEqual([0, 0])
    expect(turns.get('a')).toMatchObject({ slice: 'first', held: true })
    expect(ask('b', 2)).toBeGreaterThan(0)
  })

  it('a place in the line outlives a message that is late', () => {
    const { ask, end } = desk(1)
    ask('a', 0)
    ask('b', 1)
    ask('c', 2)
    ask('b', 1_002)
    end('a')
    expect(ask('c', 50_000)).toBeGreaterThan(0)
    expect(ask('b', 50_001)).toBe(0)
  })

  it('whoever waited longest comes first, however often others ask', () => {
    const { ask, end } = desk(1)
    ask('a', 0)
    ask('b', 1)
    ask('c', 2)
    end('a')
    expect(ask('c', 3)).toBeGreaterThan(0)
    expect(ask('b', 3)).toBe(0)
  })

  it('the longer the line, the later one asks again, within half a minute', () => {
    const { ask } = desk(1)
    const waits = Array.from({ length: 200 }, (_, at) => ask(`t${at}`, at))
    expect(waits.slice(1)).toEqual(waits.slice(1).toSorted((one, other) => one - other))
    expect(Math.max(...waits)).toBe(30_000)
  })

  it('a turn whose worker died ends by itself, and so does the place of a task that is gone', () => {
    const { ask } = desk(1)
    ask('dead', 0)
    ask('gone', 1)
    expect(ask('live', 200_000)).toBe(0)
  })
})
