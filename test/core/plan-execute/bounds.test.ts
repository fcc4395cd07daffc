/** What a prompt is given is bounded, however long a task lives: newest first to be kept (O0-14). */
import { describe, expect, it } from 'vitest'
import {
  act,
  benchOf,
  context,
  createTask,
  done,
  NONE,
  ONE,
  planned,
  replanned,
  rowsOf,
  say,
  step,
  type Bench,
} from '../../support/scripted.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const rounds = (count: number) => ({ rounds: count, max_ms: 25_000 })
const shown = (bench: Bench) => context(bench.requests.at(-1))

describe('bounds', () => {
  it('name the newest 100 of 101 finished items, and count all', async () => {
    const all = upTo(100).map(String)
    const bench = benchOf({
      plan: [planned(...all)],
      thought: upTo(101).map(() => done()),
      replan: [...upTo(99).map(() => replanned(...all)), replanned('101'), replanned('102')],
    })
    const task = await createTask(bench, { max_steps: 1_000 }, rounds(202))
    const { completed } = shown(bench)
    expect([completed.length, completed[0].title, completed.at(-1).title]).toEqual([100, '2', '101'])
    const state = rowsOf(bench, task.id).at(-1)?.state
    expect([state?.plan.gone.length, state?.plan.left]).toEqual([100, 101])
    bench.spent()
  })

  it('show the newest 50 of 51 remarks, oldest first', async () => {
    const bench = benchOf({ plan: [planned('A')], replan: [replanned('A')] })
    const { id } = await createTask(bench)
    for (const n of upTo(51)) await say(bench, id, `remark ${n}`, NONE)
    await step(bench, id)
    expect(shown(bench).remarks).toEqual(
      upTo(51)
        .slice(1)
        .map((n) => `remark ${n}`),
    )
  })

  it.each([
    ['100,000 characters together are shown', 50_000, ['b', 'c']],
    ['one more and the oldest is not', 50_001, ['c']],
  ])('show only the newest remarks: %s', async (_name, length, kept) => {
    const bench = benchOf({ plan: [planned('A')], replan: [replanned('A')] })
    const { id } = await createTask(bench)
    for (const letter of ['a', 'b', 'c']) await say(bench, id, letter.repeat(letter === 'b' ? length : 50_000), NONE)
    await step(bench, id)
    expect(shown(bench).remarks.map((text: string) => text[0])).toEqual(kept)
  })

  it.each([
    ['1,000,000 characters together, inputs included, are shown', 100_000 - '/todo add milk'.length, 10],
    ['one more each and the oldest is not', 100_001 - '/todo add milk'.length, 9],
  ])('show only the newest observations: %s', async (_name, length, kept) => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [...upTo(12).map(() => act()), 'bad'],
      tools: upTo(12).map((n) => ({ ok: true, text: String(n).padEnd(length, '.') })),
    })
    await createTask(bench, { max_steps: 100, observation_char_limit: 100_000 }, rounds(13))
    const { observations } = shown(bench)
    const numbers = observations.map((one: { result: string }) => Number.parseInt(one.result))
    expect(numbers).toEqual(upTo(12).slice(-kept))
    bench.spent()
  })

  it('observation_history_limit observations are kept, observation_char_limit characters of each are shown', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [act(), act(), act(), 'bad'],
      tools: upTo(3).map((n) => ({ ok: true, text: `${n}${'x'.repeat(99)}` })),
    })
    const limits = { observation_history_limit: 2, observation_char_limit: 50 }
    const task = await createTask(bench, { ...limits, failure_limit: 3 }, rounds(4))
    const results = shown(bench).observations.map((one: { result: string }) => one.result)
    expect(results).toEqual(['2', '3'].map((n) => `${n}${'x'.repeat(46)}...`))
    expect(rowsOf(bench, task.id).at(-1)?.state.observations).toHaveLength(2)
    bench.spent()
  })
})

describe('texts', () => {
  it('half a surrogate pair in a reply becomes U+FFFD wherever it goes; a whole pair stays', async () => {
    const bench = benchOf({
      plan: ['{"status":"planned","plan":["milk \\ud83d","milk \\ud83e\\udd5b"]}'],
      thought: [JSON.stringify(act('/todo add x')).replace('add x', 'add \\udd5b')],
    })
    const task = await createTask(bench, {}, ONE)
    expect(task.plan.items.map((item) => item.title)).toEqual(['milk \uFFFD', 'milk \u{1F95B}'])
    expect(bench.calls.map((call) => call.input)).toEqual(['/todo add \uFFFD'])
    expect(JSON.stringify(task).isWellFormed()).toBe(true)
    bench.spent()
  })
})
