/** Events as they happen: each once and in order, a page at a time, at the pace of the reader. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newNews } from '../../src/store/durable-watch.ts'
import { eventOf, watched, type Watched } from '../support/sights.ts'

const idsIn = async ({ following }: Watched) => {
  const ids: number[] = []
  for await (const sight of following.sights) {
    if (sight.kind === 'events') ids.push(...sight.events.map(({ seq }) => seq))
    if (sight.kind === 'ended') return { ids, ended: sight.status }
  }
  return { ids, ended: null }
}
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('following a task', () => {
  it('F63 each event comes once and in order, however the news of it comes', async () => {
    const turn = fc.record({
      more: fc.nat(130),
      times: fc.integer({ min: 1, max: 3 }),
      early: fc.boolean(),
      brings: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 6 }), fc.nat(200), async (turns, after) => {
        const task = watched(after)
        const seen = idsIn(task)
        for (const { more, times, early, brings } of turns) {
          const known = task.events.length
          task.happen(more)
          // News may be late, be repeated, or come when more has happened already.
          for (let again = 1; again < times; again++) task.tell({ seq: known, status: 'running' })
          if (!early) await Promise.resolve()
          const fresh = brings ? { fresh: task.events.slice(known) } : {}
          task.tell({ seq: task.events.length, status: 'running', ...fresh })
        }
        task.happen(1, 'completed')
        const last = task.events.length
        expect(await seen).toEqual({ ids: last > after ? upTo(last, after + 1) : [], ended: 'completed' })
        expect(task.watching()).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it('what is there comes page by page, and the next page is asked for when the one before was read', async () => {
    const task = watched()
    task.happen(120)
    const { sights } = task.following
    expect((await sights.next()).value).toMatchObject({ kind: 'events', events: { length: 50 } })
    expect(task.fetched).toEqual([{ after: 0, limit: 50 }])
    expect((await sights.next()).value).toMatchObject({ kind: 'events', events: { length: 50 } })
    expect((await sights.next()).value).toMatchObject({ kind: 'events', events: { length: 20 } })
    expect(task.fetched.map(({ after }) => after)).toEqual([0, 50, 100])
  })

  it('who has seen all before takes what the news brings; who has not fetches what is missing too', async () => {
    const task = watched(2)
    task.happen(3)
    task.tell({ seq: 3, status: 'running', fresh: task.events.slice(2) })
    const { sights } = task.following
    expect((await sights.next()).value).toMatchObject({ kind: 'events', events: [{ seq: 3 }] })
    expect(task.fetched).toEqual([])
    task.happen(3)
    task.tell({ seq: 6, status: 'running', fresh: task.events.slice(5) })
    expect((await sights.next()).value).toMatchObject({ events: [{ seq: 4 }, { seq: 5 }, { seq: 6 }] })
    expect(task.fetched).toEqual([{ after: 3, limit: 50 }])
  })

  it('a beat in which nothing happened is told, and no event is fetched for it', async () => {
    const task = watched(3)
    task.tell({ seq: 3, status: 'running' })
    const { sights } = task.following
    for (let beats = 0; beats < 3; beats++) {
      const sight = sights.next()
      // It waits by now.
      await Promise.resolve()
      task.beat()
      expect((await sight).value).toEqual({ kind: 'quiet' })
    }
    expect(task.fetched).toEqual([])
  })

  it('shows the rest of an ended task, then its end', async () => {
    const task = watched(118)
    task.happen(120, 'failed')
    expect(await idsIn(task)).toEqual({ ids: [119, 120], ended: 'failed' })
  })

  it('F63 it stops without an end when the object goes away, and tells first what it was told', async () => {
    const task = watched()
    task.happen(2)
    task.vanish()
    expect(await idsIn(task)).toEqual({ ids: [1, 2], ended: null })
    expect(task.watching()).toBe(false)
  })

  it('what follows stops without an end when the task is deleted', async () => {
    const task = watched()
    task.delete()
    task.happen(2)
    expect(await idsIn(task)).toEqual({ ids: [], ended: null })
  })

  it('one who follows can be stopped while it waits', async () => {
    const task = watched()
    const seen = idsIn(task)
    await Promise.resolve()
    task.following.stop()
    expect(await seen).toEqual({ ids: [], ended: null })
  })
})

describe('the news that a reader has not taken yet', () => {
  const said = (from: number, text: string, journal_seq = 3) => ({ journal_seq, phase: 'thought', from, text })
  const news = (seq: number, more: object = {}) => ({ seq, status: 'running' as const, ...more })
  it('is the newest only, and after its end nothing', async () => {
    const box = newNews()
    box.put(news(1))
    box.put(news(2))
    expect(await box.next()).toEqual(news(2))
    const waiting = box.next()
    box.put(news(3))
    expect(await waiting).toEqual(news(3))
    box.put(news(4))
    box.end()
    box.put(news(5))
    expect([await box.next(), await box.next()]).toEqual([news(4), null])
  })
  it('has all words of a reply that came meanwhile, until its task has new events', async () => {
    const box = newNews()
    box.put(news(4, { fresh: [eventOf(4)] }))
    box.put(news(4, { said: said(0, 'I th') }))
    box.put(news(4, { said: said(4, 'ink ') }))
    box.put(news(4))
    expect(await box.next()).toEqual(news(4, { fresh: [eventOf(4)], said: said(0, 'I think ') }))
    box.put(news(4, { said: said(8, 'so') }))
    // Words are missing before these, and these are of another reply.
    box.put(news(4, { said: said(20, 'on') }))
    expect(await box.next()).toEqual(news(4, { said: said(20, 'on') }))
    box.put(news(4, { said: said(22, '.') }))
    box.put(news(5, { fresh: [eventOf(5)] }))
    expect(await box.next()).toEqual(news(5, { fresh: [eventOf(5)] }))
  })
  it('keeps events that no reader has seen beside the words', async () => {
    const box = newNews()
    box.put(news(4, { fresh: [eventOf(4)] }))
    box.put(news(4, { said: said(0, 'I') }))
    expect(await box.next()).toEqual(news(4, { fresh: [eventOf(4)], said: said(0, 'I') }))
  })
})

it('one who follows sees the words of a reply between the events, and they change nothing of what comes after', async () => {
  const task = watched()
  const seen: unknown[] = []
  const reading = (async () => {
    for await (const sight of task.following.sights) {
      seen.push(
        sight.kind === 'events'
          ? sight.events.map(({ seq }) => seq)
          : sight.kind === 'said'
            ? sight.said.text
            : sight.kind,
      )
      if (sight.kind === 'said') task.happen(1, 'completed')
    }
  })()
  task.happen(2)
  await new Promise<void>((resolve) => setImmediate(resolve))
  task.tell({ seq: 2, status: 'running', said: { journal_seq: 3, phase: 'thought', from: 0, text: 'I think' } })
  await reading
  expect(seen).toEqual([[1, 2], 'I think', [3], 'ended'])
})
