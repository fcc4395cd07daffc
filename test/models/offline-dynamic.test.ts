/** The offline model in mode dynamic: steps, then thought, decision and action of one step after the other (S3-05). */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { offlineModel } from '../../src/models/offline/index.ts'
import { CALL, localeOf, NOW, realTools, requestOf } from './offline-driver.ts'

const Step = z.strictObject({ name: z.string().min(1), description: z.string(), expected_output: z.string() })
const Plan = z.strictObject({ steps: z.array(Step).min(1) })
const Thought = z.strictObject({ thought: z.string().min(1) })
const decision = {
  reason: z.string().min(1),
  is_complete: z.boolean(),
  achieved: z.literal(false).nullable(),
  answer: z.string().min(1).nullable(),
  add_steps: z.array(Step),
  remove_steps: z.array(z.string()),
}
const Decision = z.strictObject(decision)
const Action = z.strictObject({ tool: z.string().min(1), input: z.string().min(1), save_as: z.null() })
const Merged = z.strictObject({ thought: z.string().min(1), ...decision, action: Action.nullable() })

async function reply<T>(schema: z.ZodType<T>, context: object): Promise<T> {
  const request = requestOf(context)
  const said = await offlineModel().complete(
    { ...request, metadata: { ...request.metadata, mode: 'dynamic', phase: 'think' } },
    CALL,
  )
  if (said.kind === 'model_failed') throw new Error(said.reason)
  return schema.parse(JSON.parse(said.text))
}

interface Story {
  goal: string
  merged?: boolean
  /** Heard from its first step on. */
  remarks?: string[]
  tool?: ReturnType<typeof realTools>
}
type Item = { id: string; title: string; status: string }

/** Plays the loop of S3-05 by hand: at most ten actions for a step. */
async function play({ goal, merged = false, remarks = [], tool = realTools(NOW, localeOf(goal)) }: Story) {
  const shared = { goal, locale: localeOf(goal), local_time: NOW, timezone: 'UTC' }
  const { steps } = await reply(Plan, { ...shared, phase: 'plan', remarks: [] })
  let ids = 0
  const itemsOf = (added: { name: string }[]): Item[] =>
    added.map(({ name }) => ({ id: `step_${++ids}`, title: name, status: 'pending' }))
  const plan = itemsOf(steps)
  const actions: object[] = []
  const completed: { id: string; title: string; status: string; result: string }[] = []
  const told = {
    plan: plan.map(({ title }) => title),
    actions: [] as string[],
    reasons: [] as string[],
    achieved: [] as (boolean | null)[],
    answer: null as string | null,
    added: [] as string[],
  }
  for (let cursor = 0; cursor < plan.length; cursor++) {
    const item = plan[cursor] ?? { id: '', title: '', status: '' }
    item.status = 'running'
    for (let round = 0; ; round++) {
      if (round === 10) throw new Error(`no end of ${item.title}`)
      const progress = { ...shared, remarks, completed, plan: plan.slice(cursor), actions, current_item: item }
      const decided = merged
        ? await reply(Merged, { ...progress, phase: 'move' })
        : (await reply(Thought, { ...progress, phase: 'think' }),
          await reply(Decision, { ...progress, phase: 'step_decision' }))
      told.added.push(...decided.add_steps.map(({ name }) => name))
      plan.splice(cursor + 1, 0, ...itemsOf(decided.add_steps))
      if (decided.is_complete) {
        told.reasons.push(decided.reason)
        told.achieved.push(decided.achieved)
        told.answer = decided.answer
        break
      }
      const chosen = 'action' in decided ? decided.action : await reply(Action, { ...progress, phase: 'action' })
      const { tool: name, input } = Action.parse(chosen)
      told.actions.push(`${name}: ${input}`)
      const { ok, text } = tool(name, input)
      actions.push({ item_id: item.id, tool: name, input, ok, result: text })
    }
    item.status = 'completed'
    completed.push({ id: item.id, title: item.title, status: 'completed', result: told.reasons.at(-1) ?? '' })
  }
  return told
}

const STORY = 'Plan my Friday: buy milk, book the dentist at 3pm, and look up who designed the Sydney Opera House'

describe('the offline model in mode dynamic', () => {
  it('S3-05 works through a plan: each step has one action, whose result is the reason that the step is complete', async () => {
    const told = await play({ goal: STORY })
    expect(told.plan).toEqual([
      'Todo: buy milk [2026-11-27 18:00]',
      'Book: dentist [2026-11-27 15:00]',
      'Look up: who designed the Sydney Opera House',
    ])
    expect(told.actions).toEqual([
      'todo: /todo add buy milk --due 2026-11-27 18:00',
      'schedule: /schedule add 2026-11-27 15:00 dentist --duration 60',
      'internet_search: who designed the Sydney Opera House',
    ])
    expect(told.reasons).toHaveLength(3)
    expect(told.reasons[0]).toContain('Added todo #1')
    expect(told.reasons[2]).toContain('Found for "who designed the Sydney Opera House"')
    expect(told.achieved).toEqual([null, null, null])
    expect(told.answer).toBe(told.reasons.join('\n'))
    expect(told.added).toEqual([])
  })

  it.each([STORY, 'finish the milk todo', '明天下午三点看牙医，然后买牛奶', 'write a poem'])(
    'decides and does the same for %j with merged calls',
    async (goal) => expect(await play({ goal, merged: true })).toEqual(await play({ goal })),
  )

  it('sees only the actions of the current step when a step has several', async () => {
    const told = await play({ goal: 'add todo milk; finish the milk todo' })
    expect(told.actions).toEqual(['todo: /todo add milk', 'todo: /todo search milk', 'todo: /todo done 1'])
  })

  it('S3-08 adds the steps that a remark asks for once, and none that exist', async () => {
    const remarks = ['also buy bread tomorrow', 'buy milk', 'continue']
    const told = await play({ goal: 'buy milk; buy eggs', remarks })
    expect(told.added).toEqual(['Todo: buy bread [2026-11-25 18:00]'])
    expect(told.actions).toEqual([
      'todo: /todo add buy milk',
      'todo: /todo add buy bread --due 2026-11-25 18:00',
      'todo: /todo add buy eggs',
    ])
  })

  it('names a remark that it does not understand when the last step is complete', async () => {
    const { reasons } = await play({ goal: 'buy milk; buy eggs', remarks: ['purple monkey'] })
    expect(reasons.map((reason) => reason.includes('purple monkey'))).toEqual([false, true])
  })

  it('does not put back a step that the user has removed', async () => {
    const plan = [{ id: 'step_1', title: 'Todo: buy milk', status: 'running' }]
    const base = {
      goal: 'buy milk; buy eggs',
      locale: 'en',
      local_time: NOW,
      actions: [],
      completed: [],
    }
    const said = await reply(Decision, {
      ...base,
      phase: 'step_decision',
      plan,
      current_item: plan[0],
      remarks: ['hm'],
    })
    expect(said.add_steps).toEqual([])
  })

  it('does the usual when nobody can be asked, or closes the step and says what is missing', async () => {
    expect((await play({ goal: 'remind me to call mum' })).reasons[0]).toContain('Without a time there is no reminder.')
    const nothing = await play({ goal: 'add a todo' })
    expect(nothing.actions).toEqual([])
    expect(nothing.reasons[0]).toContain('it was not said what it is about')
  })

  it('closes the step of a failed action as not done, with the reason', async () => {
    const { reasons, achieved } = await play({
      goal: 'look up cats',
      tool: () => ({ ok: false, text: 'The search failed: no network.' }),
    })
    expect(achieved).toEqual([false])
    expect(reasons).toEqual(['Not done: the search for "cats" gave nothing - The search failed: no network.'])
  })

  it('says that what it cannot do is not achieved', async () => {
    const { achieved, answer, actions } = await play({ goal: 'write a poem; buy milk' })
    expect(actions).toEqual(['todo: /todo add buy milk'])
    expect(achieved).toEqual([false, null])
    expect(answer).toContain('poem')
  })

  it('thinks and decides in Chinese for a Chinese goal', async () => {
    const told = await play({ goal: '明天下午三点看牙医，提醒我买牛奶' })
    expect(told.reasons.every((reason) => /\p{Script=Han}/u.test(reason))).toBe(true)
    expect(told.actions.length).toBeGreaterThan(0)
  })

  it('chooses no action when none is left, and fails the call of an unknown phase', async () => {
    const item = { id: 'step_1', title: 'Todo: buy milk' }
    const seen = { item_id: 'step_1', tool: 'todo', input: '/todo add buy milk', ok: true, result: 'Added' }
    const base = { goal: 'buy milk', locale: 'en', local_time: NOW, plan: [], current_item: item, actions: [seen] }
    await expect(reply(Action, { ...base, phase: 'action' })).rejects.toThrow('offline model: no action is left')
    await expect(reply(Action, { ...base, phase: 'thought' })).rejects.toThrow('the context does not fit: phase')
  })
})
