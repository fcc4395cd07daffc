/** A model call that others follow: its words reach watchers and the reader of the request, and it ends when nobody waits for its reply. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import type { ThoughtDelta } from '../../src/core/protocol/view/news.ts'
import type { Event } from '../../src/core/terms/effect.ts'
import { newDraining } from '../../src/lifecycle/draining.ts'
import { hideThinking } from '../../src/shell/slice/hide-thinking.ts'
import type { Model, Ports } from '../../src/shell/ports.ts'
import type { CallContext } from '../../src/shell/tool-ports.ts'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  planned,
  rowsOf,
  step,
  type Bench,
} from '../support/scripted.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Reply = Awaited<ReturnType<Model['complete']>>
const STOPPED: Reply = { kind: 'model_failed', reason: 'stopped', status: null, retry_after_ms: null }

/** A task whose next thought is a call that the test holds, and what the object of the task is asked meanwhile. */
async function holding(standing: () => { open: boolean; watched: boolean }) {
  const bench = benchOf({ plan: [planned('A')], thought: [done()], replan: [closed()] })
  const { id } = await createTask(bench)
  const scripted = bench.ports.model
  const held: { call: CallContext | null; reply: (reply: Reply) => void } = { call: null, reply: () => {} }
  const relayed: ThoughtDelta[] = []
  const of = bench.ports.store.of.bind(bench.ports.store)
  bench.ports.store.of = (tenant, task) => ({
    ...of(tenant, task),
    relay: async (words) => {
      relayed.push(words)
      return standing()
    },
  })
  bench.ports.model = {
    complete(request, call) {
      if (held.call !== null) return scripted?.complete(request, call) ?? Promise.resolve(STOPPED)
      held.call = call
      return new Promise((resolve) => {
        held.reply = resolve
        call.stop?.addEventListener('abort', () => resolve(STOPPED))
      })
    },
  }
  return {
    bench,
    id,
    held,
    relayed,
    reply: (text: object) =>
      held.reply({ kind: 'model_replied', text: JSON.stringify(text), usage: null, model: 'm', form: 'json_schema' }),
  }
}
const eventsOf = (bench: Bench, id: string): Event[] => rowsOf(bench, id).map(({ event }) => event)
const WATCHED = { open: true, watched: true }

describe('the words of a call', () => {
  it('reach the watchers of the task a few times a second, each with how much came before it', async () => {
    const { bench, id, held, relayed, reply } = await holding(() => WATCHED)
    const stepped = bench.service.stepTask(CALLER, id, { rounds: 1, max_ms: 60_000 })
    await vi.advanceTimersByTimeAsync(0)
    held.call?.onWords?.('{"thought":')
    await vi.advanceTimersByTimeAsync(1_250)
    held.call?.onWords?.('"now')
    held.call?.onWords?.(' this"')
    await vi.advanceTimersByTimeAsync(250)
    const texts = relayed
      .filter(({ text }) => text !== '')
      .map(({ from, text, phase, journal_seq }) => [journal_seq, phase, from, text])
    expect(texts).toEqual([
      [3, 'thought', 0, '{"thought":'],
      [3, 'thought', 11, '"now this"'],
    ])
    reply(done())
    expect((await stepped).ok).toBe(true)
    const before = relayed.length
    await vi.advanceTimersByTimeAsync(10_000)
    expect(relayed).toHaveLength(before)
  })
  it('are kept while nobody watches, so that one who comes later sees the reply from its beginning', async () => {
    let watched = false
    const { bench, id, held, relayed, reply } = await holding(() => ({ open: true, watched }))
    const stepped = bench.service.stepTask(CALLER, id, { rounds: 1, max_ms: 60_000 })
    await vi.advanceTimersByTimeAsync(0)
    held.call?.onWords?.('one ')
    await vi.advanceTimersByTimeAsync(3_000)
    expect(relayed.map(({ text }) => text)).toEqual(['', '', ''])
    watched = true
    held.call?.onWords?.('two')
    await vi.advanceTimersByTimeAsync(1_250)
    expect(relayed.at(-1)).toMatchObject({ from: 0, text: 'one two' })
    reply(done())
    await stepped
  })
  it('are whole for a watcher, also where passing them on has failed once, and the last ones too', async () => {
    let asked = 0
    const { bench, id, held, relayed, reply } = await holding(() => {
      asked += 1
      if (asked === 2) throw new Error('the object has moved')
      return WATCHED
    })
    const stepped = bench.service.stepTask(CALLER, id, { rounds: 1, max_ms: 60_000 })
    await vi.advanceTimersByTimeAsync(1_000)
    held.call?.onWords?.('one ')
    await vi.advanceTimersByTimeAsync(250)
    held.call?.onWords?.('two ')
    await vi.advanceTimersByTimeAsync(250)
    held.call?.onWords?.('three <')
    reply(done())
    await stepped
    expect(relayed.slice(1).map(({ from, text }) => [from, text])).toEqual([
      [0, 'one '],
      [0, 'one two '],
      [8, 'three <'],
    ])
  })
  it('U5 cost no call of the object where the model answers within a second', async () => {
    const { bench, id, relayed, reply } = await holding(() => WATCHED)
    const stepped = bench.service.stepTask(CALLER, id, { rounds: 1, max_ms: 60_000 })
    await vi.advanceTimersByTimeAsync(999)
    reply(done())
    await stepped
    expect(relayed).toEqual([])
  })
  it('leave out what a model thinks in its reply, however its tags are cut', async () => {
    const whole = 'Well <think>secret <b> THOUGHT</think>1 < 2 </thin <THINK>more secrets</THINK> said'
    for (const size of [1, 2, 3, 5, 7, 100]) {
      const visible = hideThinking()
      const pieces = whole.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
      expect(pieces.map(visible.next).join('') + visible.rest()).toBe('Well 1 < 2 </thin  said')
    }
    const unclosed = hideThinking()
    expect(unclosed.next('never <think>ends') + unclosed.rest()).toBe('never ')
    const cut = hideThinking()
    expect([cut.next('if a <'), cut.rest()]).toEqual(['if a ', '<'])
    expect(hideThinking().next('{"say": "use <think>')).toBe('{"say": "use <think>')
  })
  it('are asked for of a model only: a tool is not followed', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
    const { id } = await createTask(bench)
    let asked = 0
    const of = bench.ports.store.of.bind(bench.ports.store)
    bench.ports.store.of = (tenant, task) => ({
      ...of(tenant, task),
      relay: async () => {
        asked += 1
        return WATCHED
      },
    })
    await step(bench, id, ALL)
    expect([asked, bench.calls.length]).toEqual([0, 1])
  })
})

describe('a call that nobody waits for', () => {
  it('ends within a second of a cancel, whose row stands as it is', async () => {
    const { bench, id, held } = await holding(() => WATCHED)
    const { store }: Pick<Ports, 'store'> = bench.ports
    const real = store.of.bind(store)
    let isOpen = true
    bench.ports.store.of = (tenant, task) => ({
      ...real(tenant, task),
      relay: async () => ({ open: isOpen, watched: false }),
    })
    const stepped = bench.service.stepTask(CALLER, id, ALL)
    await vi.advanceTimersByTimeAsync(500)
    const canceled = await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
    expect(canceled.ok && canceled.value.task.status).toBe('canceled')
    isOpen = false
    expect(held.call?.stop?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(500)
    expect(held.call?.stop?.aborted).toBe(true)
    const answer = await stepped
    expect(answer.ok && answer.value.task.status).toBe('canceled')
    expect(eventsOf(bench, id).slice(-2)).toEqual([{ kind: 'abandoned' }, { kind: 'canceled' }])
  })
  it('ends at once when its reader leaves: it is charged as a lost call, is no failure, and the task goes on later', async () => {
    const { bench, id, held } = await holding(() => WATCHED)
    const left = new AbortController()
    const words: ThoughtDelta[] = []
    const reader = { left: left.signal, onEvents: () => {}, onWords: (said: ThoughtDelta) => words.push(said) }
    const stepped = bench.service.stepTask({ ...CALLER, gone: () => left.signal.aborted, reader }, id, ALL)
    await vi.advanceTimersByTimeAsync(100)
    held.call?.onWords?.('I think')
    expect(words).toEqual([{ journal_seq: 3, phase: 'thought', from: 0, text: 'I think' }])
    left.abort()
    const answer = await stepped
    expect(answer.ok && answer.value.task).toMatchObject({ status: 'running', step_count: 1 })
    expect(eventsOf(bench, id).at(-1)).toEqual({ kind: 'abandoned', by: 'holder' })
    const [before, last] = rowsOf(bench, id).slice(-2)
    const charged = (last?.head.budget.tokens.used ?? 0) - (before?.head.budget.tokens.used ?? 0)
    expect(charged).toBeGreaterThan(DEFAULT_SETTINGS.max_output_tokens)
    expect(last?.head.streak.count).toBe(0)
    // Its time is known, so only that is charged.
    const worked = (last?.head.budget.working_ms.used ?? 0) - (before?.head.budget.working_ms.used ?? 0)
    expect(worked).toBeLessThan(1_000)
    const task = await step(bench, id, ALL)
    expect(task).toMatchObject({ status: 'completed' })
    bench.spent()
  })
  it('U6 is not made again by the same request under its key, which is answered as it would have been', async () => {
    const { bench, id } = await holding(() => WATCHED)
    const key = { scope: `POST /tasks/${id}/step`, key: 'k', digest: 'd' }
    const left = new AbortController()
    const reader = { left: left.signal, onEvents: () => {}, onWords: () => {} }
    const stepped = bench.service.stepTask({ ...CALLER, key, gone: () => left.signal.aborted, reader }, id, ALL)
    await vi.advanceTimersByTimeAsync(100)
    left.abort()
    const first = await stepped
    const again = await bench.service.stepTask({ ...CALLER, key }, id, ALL)
    expect(again.ok && again.value.replayed).toBe(true)
    expect(again.ok && again.value.task).toEqual(first.ok && first.value.task)
    expect(eventsOf(bench, id).at(-1)).toEqual({ kind: 'abandoned', by: 'holder' })
  })
  it('shows its reader also the words that were held back at its end', async () => {
    const { bench, id, held, reply } = await holding(() => WATCHED)
    const words: string[] = []
    const reader = {
      left: new AbortController().signal,
      onEvents: () => {},
      onWords: ({ from, text }: ThoughtDelta) => words.push(`${from}: ${text}`),
    }
    const stepped = bench.service.stepTask({ ...CALLER, reader }, id, { rounds: 1, max_ms: 60_000 })
    await vi.advanceTimersByTimeAsync(100)
    held.call?.onWords?.('if a <')
    reply(done())
    await stepped
    expect(words).toEqual(['0: if a ', '5: <'])
  })
  it('whose reply is there already is kept, although its reader has left', async () => {
    const { bench, id, reply } = await holding(() => WATCHED)
    const left = new AbortController()
    const reader = { left: left.signal, onEvents: () => {}, onWords: () => {} }
    const stepped = bench.service.stepTask({ ...CALLER, gone: () => left.signal.aborted, reader }, id, ALL)
    await vi.advanceTimersByTimeAsync(0)
    reply(done())
    left.abort()
    await stepped
    expect(eventsOf(bench, id).at(-1)).toMatchObject({ kind: 'model_replied' })
  })
  it('of a process that ends is given up in time for its row to be closed, and not before', async () => {
    const { bench, id, held } = await holding(() => WATCHED)
    const draining = newDraining()
    bench.ports.draining = draining
    const stepped = bench.service.stepTask(CALLER, id, ALL)
    await vi.advanceTimersByTimeAsync(100)
    draining.begin()
    await vi.advanceTimersByTimeAsync(19_000)
    expect(held.call?.stop?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1_500)
    const answer = await stepped
    expect(answer.ok && answer.value.task).toMatchObject({ status: 'running', step_count: 1 })
    expect(eventsOf(bench, id).at(-1)).toEqual({ kind: 'abandoned', by: 'holder' })
  })
  it('F17 goes on while its object cannot be asked', async () => {
    const { bench, id, held, reply } = await holding(() => {
      throw new Error('the object has moved')
    })
    const stepped = bench.service.stepTask(CALLER, id, { rounds: 1, max_ms: 60_000 })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(held.call?.stop?.aborted).toBe(false)
    reply(done())
    const answer = await stepped
    expect(answer.ok).toBe(true)
  })
})
