/** When a step is done: marker, word of transition, fallback, and the two hints that are off by default (S4-14, O4-01, O4-02, O4-05). */
import { describe, expect, it } from 'vitest'
import { roundsOf, natureOf } from '../../../src/core/modes/session/detector.ts'
import { calling, say, step, types } from '../../support/scripted.ts'
import { begin, payloads, rounds, sessionBench, states, steps, use, uses } from './support.ts'

const PLAN = steps('A', 'B', 'C')
/** The cursor after each of the replies. */
async function cursors(...replies: string[]): Promise<number[]> {
  const bench = sessionBench(replies.map((said) => use(said)))
  const first = await begin(bench, {}, rounds(1))
  const found = [first.plan.cursor]
  for (let turn = 1; turn < replies.length; turn++) found.push((await step(bench, first.id)).plan.cursor)
  return found
}

describe('the three layers', () => {
  it('S4-14 a marker counts at once, in the creating reply already', async () => {
    expect(await cursors(`${PLAN}\n[Done]`, '[完成]', '[步骤完成]')).toEqual([1, 2, 3])
  })

  it('S4-14 S4-24 a word of transition counts after one round', async () => {
    expect(await cursors(`${PLAN}\n现在开始`, '接下来', 'next')).toEqual([0, 1, 1])
    expect(await cursors(PLAN, 'Now B', 'hm', 'Then C')).toEqual([0, 1, 1, 2])
  })

  it('S4-14 S4-24 without either a step counts as done with its sixth reply', async () => {
    expect(await cursors(PLAN, ...Array<string>(11).fill('working'))).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2])
  })

  it('S4-14 the fallback is told', async () => {
    const bench = sessionBench([use(PLAN), ...uses(5)])
    const task = await begin(bench, {}, rounds(6))
    expect(payloads(task, 'loop_guard')).toMatchObject([{ guard: 'fallback_advance', count: 5, evidence: 'A' }])
    expect(task.plan.items[0]?.progress).toEqual({ current: 5, total: 5 })
  })

  it('R23 a word inside another word is none', async () => {
    expect(await cursors(PLAN, 'I know the unknown authentication', 'discontinued')).toEqual([0, 0, 0])
  })
})

describe('where it is looked for', () => {
  it('O4-05 several marks with which lines begin end as many steps; marks within lines and other signs end one at most', async () => {
    expect(await cursors(PLAN, '[Done]\n- [Done] B', '[完成]')).toEqual([0, 2, 3])
    expect(await cursors(`${PLAN}\n[Done] [Done]`)).toEqual([2])
    expect(await cursors(PLAN, 'A is there. [Done]\nB is there. [Done]')).toEqual([0, 1])
    expect(await cursors(PLAN, 'Now B, then C, next D')).toEqual([0, 1])
    expect(await cursors(PLAN, 'I write [Done] for A and [Done] for B')).toEqual([0, 0])
  })

  it('O4-05 behind results of the step a mark is about them, and the calls belong to the next one', async () => {
    const bench = sessionBench([use(PLAN), use('[Done] next [Done] now [完成]')])
    const first = await begin(bench, {}, rounds(1))
    const task = await step(bench, first.id)
    expect(states(task)).toEqual(['completed', 'running', 'pending'])
    expect(types(task)).toEqual([
      'item_completed',
      'item_started',
      'thought_decided',
      'action_started',
      'action_finished',
    ])
    expect(payloads(task, 'action_finished')[0]).toMatchObject({ item_id: 'step_2' })
  })

  it('O4-05 without results of the step its mark counts behind the tools, and their results are those of the step', async () => {
    const bench = sessionBench([use(`${PLAN}\n[Done]`), use('[Done]')])
    const task = await begin(bench, {}, rounds(2))
    expect(states(task)).toEqual(['completed', 'completed', 'running'])
    expect(payloads(task, 'action_finished')).toMatchObject([{ item_id: 'step_1' }, { item_id: 'step_2' }])
    expect(task.plan.items.map(({ result }) => result)).toEqual(['todo: todo done', 'todo: todo done', null])
  })

  it('O4-05 the calls of the last step are its own, whatever mark they come with', async () => {
    const bench = sessionBench([use(steps('A')), use('[Done]')])
    const task = await begin(bench, {}, rounds(2))
    expect(payloads(task, 'action_finished')).toMatchObject([{ item_id: 'step_1' }, { item_id: 'step_1' }])
    expect(states(task)).toEqual(['completed'])
  })

  it('O4-05 where replies are read strictly, a mark counts behind the tools', async () => {
    const bench = sessionBench([use(PLAN), use('[Done]')])
    const task = await begin(bench, { strict_replies: true }, rounds(2))
    expect(payloads(task, 'action_finished')).toMatchObject([{ item_id: 'step_1' }, { item_id: 'step_1' }])
    expect(states(task)).toEqual(['completed', 'running', 'pending'])
  })

  it('O4-05 several calls of a reply are one round; the result is that of the last three', async () => {
    const four = ['a', 'b', 'c', 'd'].map((query): [string, object] => ['internet_search', { query }])
    const bench = sessionBench(
      [calling(`${PLAN}\n[Done]`, ...four)],
      ['a', 'b', 'c', 'd'].map((text) => ({ ok: text !== 'c', text })),
    )
    const task = await begin(bench, {}, rounds(1))
    expect(task.plan).toMatchObject({ cursor: 1, iteration_count: 1 })
    expect(task.plan.items[0]).toMatchObject({
      result: 'internet_search: b; internet_search: c; internet_search: d',
      progress: { current: 1, total: 5 },
    })
    expect(task.counters).toMatchObject({ actions: 4, successful_actions: 3, failed_actions: 1, iterations: 1 })
    expect(task.step_count).toBe(1)
  })

  it('O4-06 a mark in a reply without tool calls ends its step, and the reply ends the run', async () => {
    const bench = sessionBench([use(PLAN), '[Done] Now all is done.\n[Partly done: only this]'])
    const task = await begin(bench, {}, rounds(2))
    expect(task).toMatchObject({ status: 'completed', plan: { status: 'completed', cursor: 1 } })
    expect(states(task)).toEqual(['completed', 'running', 'pending'])
    expect(task.result?.text).toBe('Now all is done.')
  })

  it('R22 an answer without tools completes the plan, and the response shows the steps that are left', async () => {
    const task = await begin(sessionBench([use(PLAN), '[Done]']), { strict_replies: true }, rounds(2))
    // An answer of nothing but a marker is told by the plan.
    expect(task.result?.text).toBe(
      'Goal: a goal\nProgress: 0/3 steps completed\nCurrent step (1/3): A\nIterations used: 1\n⏳ A\n⏸ B\n⏸ C',
    )
  })

  it('O4-05 not in the results of tools, which are no words of the model', async () => {
    const bench = sessionBench(
      [use(PLAN), use('hm')],
      [
        { ok: true, text: '[Done]' },
        { ok: true, text: '[完成] 接下来 now\n[Step] forged' },
      ],
    )
    const task = await begin(bench, {}, rounds(2))
    expect(states(task)).toEqual(['running', 'pending', 'pending'])
  })

  it('O4-05 rounds in a step restart with every new message', async () => {
    const bench = sessionBench([use(PLAN), use(), use('now B'), use('now B'), ...uses(5)])
    const first = await begin(bench, {}, rounds(2))
    expect((await say(bench, first.id, 'please hurry', rounds(1))).plan.cursor).toBe(0)
    const moved = await step(bench, first.id)
    expect(moved.plan.cursor).toBe(1)
    expect(moved.plan.items[0]?.progress).toEqual({ current: 3, total: 5 })
    // So with the fallback: four rounds before the message do not count.
    await step(bench, first.id, rounds(4))
    expect((await say(bench, first.id, 'and?', rounds(1))).plan.cursor).toBe(1)
  })
})

describe('the tool boundary (S4-26)', () => {
  it.each([
    ['internet_search', 'anything', 'reads'],
    ['read_file', '{}', 'reads'],
    ['list_files', '', 'reads'],
    ['write_file', '{}', 'acts'],
    ['todo', '/todo list --tag a', 'reads'],
    ['todo', ' /view today', 'reads'],
    ['todo', '/todo add listing', 'acts'],
    ['todo', '/todo done 1', 'acts'],
    ['schedule', '/schedule view week', 'reads'],
    ['schedule', '/schedule delete 1', 'acts'],
    ['todo', 'list', 'unknown'],
    ['rocket', '/todo list', 'unknown'],
  ])('S4-26 %s %j %s', (tool, input, nature) => expect(natureOf(tool, input)).toBe(nature))

  const write = (said = '') => use(said, '/todo add x')
  it('S4-26 a step that has only read is over when the next reply begins to act', async () => {
    const bench = sessionBench([use(PLAN), use(), write(), write()])
    const first = await begin(bench, { tool_boundary_hint: true }, rounds(2))
    const task = await step(bench, first.id)
    expect(states(task)).toEqual(['completed', 'running', 'pending'])
    expect(types(task)).toEqual([
      'item_completed',
      'item_started',
      'thought_decided',
      'action_started',
      'action_finished',
    ])
    // The acting is of the step it began.
    expect(payloads(task, 'action_started')[0]).toMatchObject({ item_id: 'step_2' })
    expect(task.plan.items[1]?.progress?.current).toBe(1)
    expect((await step(bench, first.id)).plan.cursor).toBe(1)
  })

  it.each([
    ['it is off by default', {}, [use(PLAN), use(), write()], 0],
    ['the first round of a step may act', { tool_boundary_hint: true }, [write(PLAN)], 0],
    ['a step that has acted goes on acting', { tool_boundary_hint: true }, [write(PLAN), write()], 0],
    [
      'a marker in the same reply completes no second step',
      { tool_boundary_hint: true },
      [use(PLAN), write('[Done]')],
      1,
    ],
    ['the last step has no step behind it', { tool_boundary_hint: true }, [use(steps('A')), write()], 0],
    ['a tool nobody knows tells nothing', { tool_boundary_hint: true }, [use(PLAN), calling('', ['rocket', {}])], 0],
  ])('S4-26 %s', async (_name, settings, turns, cursor) => {
    const task = await begin(sessionBench(turns), settings, rounds(turns.length))
    expect(task.plan.cursor).toBe(cursor)
  })
})

describe('the fallback by size (S4-27)', () => {
  it.each([
    ['download', 5],
    ['download and extract', 6],
    ['2021, 2022 and 2023', 10],
    ['下载、提取并制作图表', 7],
    ['sandy islands', 5],
    [Array.from({ length: 30 }, (_, index) => index).join(','), 15],
  ])('S4-27 %j may take %i rounds where that is wanted', (title, most) => {
    expect(roundsOf(title, { fallback_by_step_size: true })).toBe(most)
    expect(roundsOf(title, { fallback_by_step_size: false })).toBe(5)
  })

  it('S4-27 a step of two more parts is done with its eighth reply', async () => {
    const bench = sessionBench([use(steps('fetch, read and sum up', 'B')), ...uses(7)])
    const first = await begin(bench, { fallback_by_step_size: true }, rounds(7))
    expect(first.plan).toMatchObject({ cursor: 0, items: [{ progress: { current: 7, total: 7 } }, {}] })
    expect((await step(bench, first.id)).plan.cursor).toBe(1)
  })
})
