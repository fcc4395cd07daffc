/** The offline model at its border: what it reads, what it replies in each phase, and that its summary is true. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Aim, Target } from '../../src/models/offline/goal/aims.ts'
import { offlineModel } from '../../src/models/offline/index.ts'
import { NO_DETAILS, type Details } from '../../src/models/offline/goal/details.ts'
import { intentOf, subjectOf, intentTitle, type Intent } from '../../src/models/offline/goal/intents.ts'
import { CALL, NOW, play, realTools, requestOf } from './offline-driver.ts'

const BASE = {
  goal: 'buy milk',
  locale: 'en',
  local_time: NOW,
  timezone: 'UTC',
  step_count: 0,
  max_steps: 20,
  clarifications: [],
  remarks: [],
}
const PROGRESS = { ...BASE, completed: [], plan: [], cursor: 0, observations: [] }
const complete = (context: unknown) => offlineModel().complete(requestOf(context, 'text'), CALL)
async function replyTo(context: unknown): Promise<unknown> {
  const reply = await complete(context)
  if (reply.kind === 'model_failed') throw new Error(reply.reason)
  return JSON.parse(reply.text)
}
const STORY = 'Plan my Friday: buy milk, book the dentist at 3pm, and look up who designed the Sydney Opera House'

describe('the offline model', () => {
  it('names itself and the form of its reply, and estimates four bytes for each token', async () => {
    const request = requestOf({ ...BASE, phase: 'plan' }, 'json_object')
    const reply = await offlineModel().complete(request, CALL)
    const bytes = new TextEncoder().encode(request.messages.map((message) => message.content).join('')).length
    expect(reply).toEqual({
      kind: 'model_replied',
      text: '{"status":"planned","plan":["Todo: buy milk"]}',
      usage: { input_tokens: Math.ceil(bytes / 4), output_tokens: 12 },
      model: 'offline-rules',
      form: 'json_object',
    })
  })

  it.each([
    ['no JSON', 'not JSON', 'not JSON'],
    ['another phase', JSON.stringify({ ...BASE, phase: 'turn' }), 'phase'],
    ['no local time', JSON.stringify({ ...BASE, phase: 'plan', local_time: 'soon' }), 'local_time'],
    ['a list', '[]', 'context'],
  ])('a context that is %s is a failed call with a reason', async (_, content, words) => {
    const request = requestOf({})
    request.messages[1] = { role: 'user', content }
    const reply = await offlineModel().complete(request, CALL)
    expect(reply).toMatchObject({ kind: 'model_failed', status: null, retry_after_ms: null })
    expect(reply.kind === 'model_failed' && reply.reason).toMatch(/^offline model: /u)
    expect(reply.kind === 'model_failed' && reply.reason).toContain(words)
  })

  it('a request without a context is a failed call too', async () => {
    const reply = await offlineModel().complete({ ...requestOf({}), messages: [] }, CALL)
    expect(reply.kind).toBe('model_failed')
  })
})

describe('phases', () => {
  it('S0-13 the plan of the demo has one item for each part, with dates settled', async () => {
    expect(await replyTo({ ...BASE, goal: STORY, phase: 'plan' })).toEqual({
      status: 'planned',
      plan: [
        'Todo: buy milk [2026-11-27 18:00]',
        'Book: dentist [2026-11-27 15:00]',
        'Look up: who designed the Sydney Opera House',
      ],
    })
  })

  it('S0-14 a thought follows the title of the current item only, whatever the clock shows by then', async () => {
    const current_item = { id: 'step_1', title: 'Todo: buy milk [2026-11-27 18:00]' }
    expect(
      await replyTo({ ...PROGRESS, goal: STORY, local_time: '2026-11-28 00:01', phase: 'thought', current_item }),
    ).toMatchObject({
      status: 'continue',
      next_action: { tool: 'todo', input: '/todo add buy milk --due 2026-11-27 18:00' },
    })
  })

  it('S0-49 an empty item is concluded', async () => {
    const current_item = { id: null, title: '' }
    expect(await replyTo({ ...PROGRESS, phase: 'thought', current_item })).toMatchObject({
      status: 'done',
      next_action: null,
      question: null,
    })
  })

  it('an item with a title of another author is read like a goal', async () => {
    const current_item = { id: 'step_9', title: 'call mum tomorrow at 5pm' }
    expect(await replyTo({ ...PROGRESS, phase: 'thought', current_item })).toMatchObject({
      next_action: { input: '/todo add call mum --due 2026-11-25 17:00' },
    })
  })

  it('R10 a thought does not act when it must not, and says why', async () => {
    const current_item = { id: 'step_1', title: 'Todo: buy milk' }
    expect(await replyTo({ ...PROGRESS, phase: 'thought', current_item, must_not_act: true })).toMatchObject({
      status: 'done',
      response: expect.stringContaining('Not done: Todo: buy milk'),
    })
  })

  it('S0-39 after an answer only the open items come back, with their titles', async () => {
    const plan = ['A', 'B', 'C'].map((title, index) => ({
      id: `step_${index}`,
      title: `Todo: ${title}`,
      status: 'pending',
    }))
    const context = {
      ...PROGRESS,
      goal: 'add todo A; add todo B; add todo C',
      phase: 'replan',
      plan,
      cursor: 1,
      completed: ['Todo: A'],
    }
    expect(await replyTo(context)).toMatchObject({ status: 'replanned', plan: ['Todo: B', 'Todo: C'], response: null })
  })

  it('a remark adds its items once, at the end', async () => {
    const plan = [{ id: 'step_1', title: 'Todo: buy milk', status: 'running' }]
    const context = { ...PROGRESS, phase: 'replan', plan, remarks: ['also buy bread tomorrow', 'continue'] }
    const wanted = { status: 'replanned', plan: ['Todo: buy milk', 'Todo: buy bread [2026-11-25 18:00]'] }
    expect(await replyTo(context)).toMatchObject(wanted)
    const later = { ...context, local_time: '2026-11-25 00:05', completed: wanted.plan, plan: [], observations: [] }
    expect(await replyTo(later)).toMatchObject({ status: 'done' })
  })

  it('a remark that is not understood is named in the summary', async () => {
    const played = await play({ goal: 'buy milk', remark: 'purple monkey' })
    expect(played.result).toContain('I did not understand this remark: "purple monkey"')
  })

  it('S0-20 a goal that is too long for one plan is planned in parts and completed', async () => {
    const goal = Array.from({ length: 60 }, (_, index) => `- buy thing ${index}`).join('\n')
    const played = await play({ goal })
    expect(played.plan).toHaveLength(50)
    expect(played.commands).toHaveLength(60)
    expect(new Set(played.commands).size).toBe(60)
  })
})

describe('the summary', () => {
  const failing = (tool: string) => (name: string, input: string) =>
    name === tool ? { ok: false, text: 'The search failed: no network.' } : realTools(NOW, 'en')(name, input)

  it('a failed search is reported as not done, with its reason', async () => {
    const played = await play({ goal: STORY, answers: ['45 minutes'], tool: failing('internet_search') })
    const [done, open] = played.result?.split('Not done:\n') ?? []
    expect(done).toContain('Added todo #1 [default] buy milk')
    expect(done).toContain('2026-11-27 15:00 dentist (duration 45 min)')
    expect(done).toContain('nobody was called')
    expect(open).toContain(
      'the search for "who designed the Sydney Opera House" gave nothing - The search failed: no network.',
    )
  })

  it('a finished item without an observation is not called done', async () => {
    const reply = await replyTo({ ...PROGRESS, phase: 'replan', completed: ['Todo: buy milk'] })
    expect(reply).toMatchObject({ status: 'done', response: 'Closed, but no result of it is at hand: Todo: buy milk' })
  })

  it('two items with the same wish each report their own result', async () => {
    const played = await play({ goal: 'gym tomorrow at 9am; gym tomorrow at 9:30am', answers: ['skip'] })
    expect(played.result).toMatch(
      /^Done:\n- Added event #1 Wed 2026-11-25 09:00 gym .*\nNot done:\n- Calendar: gym \[2026-11-25 09:30\] - you asked/u,
    )
  })

  it.each([
    ['write a poem', 'en', 'offline rules, not a language model'],
    ['写一首诗', 'zh', '离线规则，不是语言模型'],
  ] as const)('%s: the summary says what it cannot do and how to get a language model', async (goal, locale, words) => {
    const played = await play({ goal, locale })
    expect(played.plan).toEqual([goal])
    expect(played.commands).toEqual([])
    expect(played.result).toContain(words)
    expect(played.result).toContain('OPENAI_API_KEY')
  })

  it('the summary admits that a reminder without a time was not set', async () => {
    const played = await play({ goal: 'remind me to call mum' })
    expect(played.result).toContain('Without a time there is no reminder.')
  })

  it('S0-52 a question that the engine refused is not put again', async () => {
    const played = await play({
      goal: 'schedule lunch with Anna; schedule tea with Bo',
      max_clarifications: 1,
      answers: ['tomorrow at noon'],
    })
    expect(played.questions).toHaveLength(1)
    expect(played.commands).toEqual([
      'schedule: /schedule add 2026-11-25 12:00 lunch with Anna',
      'todo: /todo add tea with Bo',
    ])
  })
})

describe('the target of a change or a deletion', () => {
  it('the only match in a list that was cut leads to a question', async () => {
    const table = '| 1 | 2026-11-25 10:00 | 60 | dentist | - | - | - | - | - | - |\n… and 9 more.'
    const played = await play({ goal: 'cancel the dentist', answers: ['no'], tool: () => ({ ok: true, text: table }) })
    expect(played.commands).toEqual(['schedule: /schedule list'])
    expect(played.questions).toHaveLength(1)
  })
})

describe('titles', () => {
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
  const date = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((at) => at.toISOString())
  const details: fc.Arbitrary<Details> = fc.record({
    date: maybe(date.map((at) => at.slice(0, 10))),
    time: maybe(date.map((at) => at.slice(11, 16))),
    duration: maybe(fc.integer({ min: 1, max: 9999 })),
    unlikely_length: maybe(fc.constantFrom('90 hour', '-30 minutes', '0分钟')),
    unlikely_time: maybe(fc.constantFrom('25:00', '13pm', '26点')),
    interval: maybe(fc.integer({ min: 1, max: 99_999 })),
    odd: maybe(fc.constantFrom('month', 'year', 'workday')),
    times: maybe(fc.integer({ min: 2, max: 99 })),
    until: maybe(date.map((at) => at.slice(0, 10))),
    before: maybe(fc.integer({ min: 0, max: 9999 })),
    remind: maybe(date.map((at) => at.slice(11, 16))),
    tag: maybe(fc.constantFrom('work', '账单', 'a_b-c')),
    priority: maybe(fc.integer({ min: 0, max: 99 })),
  })
  const subject = fc
    .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
    .map(subjectOf)
    .filter((text) => text !== '' && text !== '?' && !/^#\d+$/u.test(text))
  const then = { date: maybe(date.map((at) => at.slice(0, 10))), time: maybe(date.map((at) => at.slice(11, 16))) }
  const aim: fc.Arbitrary<Aim> = fc.oneof(
    fc.record({ id: fc.constant(null), subject, ...then }),
    fc.record({ id: fc.nat(), subject: fc.constant(null), date: fc.constant(null), time: fc.constant(null) }),
  )
  const target: fc.Arbitrary<Target> = fc.record({
    ...then,
    open: fc.boolean(),
    duration: maybe(fc.integer({ min: 1, max: 9999 })),
    by: maybe(fc.integer({ min: -9999, max: 9999 })),
    priority: maybe(fc.integer({ min: 0, max: 99 })),
    name: maybe(subject),
  })
  const intent: fc.Arbitrary<Intent> = fc.oneof(
    fc
      .record({
        subject: maybe(subject),
        details,
        flags: fc.constantFrom([false, false], [true, false], [false, true]),
      })
      .map(({ flags: [nudge = false, offered = false], ...todo }) => ({
        kind: 'todo' as const,
        nudge,
        offered,
        ...todo,
      })),
    fc.record({ kind: fc.constant('event' as const), booked: fc.boolean(), subject: maybe(subject), details }),
    fc
      .tuple(fc.constantFrom('finish' as const, 'remove' as const, 'unschedule' as const, 'discard' as const), aim)
      .map(([kind, pointed]) => ({ kind, ...pointed })),
    fc
      .tuple(fc.constantFrom('event' as const, 'todo' as const, 'any' as const), aim, target)
      .map(([what, pointed, to]) => ({ kind: 'change' as const, what, ...pointed, to })),
    fc.record({
      kind: fc.constant('refuse' as const),
      subject,
      why: fc.constantFrom('change' as const, 'negated' as const, 'command' as const, 'all' as const),
    }),
    fc.record({ kind: fc.constant('lookup' as const), subject: maybe(subject) }),
    fc.record({ kind: fc.constantFrom('find' as const, 'unclear' as const), subject }),
    fc.record({
      kind: fc.constant('list' as const),
      view: maybe(fc.constantFrom('today', 'inbox')),
      tag: maybe(fc.constant('x')),
      unused: maybe(fc.constantFrom('due next week, high priority', '高优先级')),
    }),
  )

  it('a title says everything about its intent, in both languages', () => {
    fc.assert(
      fc.property(intent, fc.constantFrom('en' as const, 'zh' as const), (wanted, locale) => {
        const title = intentTitle(wanted, locale)
        expect(title.length).toBeLessThanOrEqual(500)
        expect(intentOf(title)).toEqual(wanted)
      }),
      { numRuns: 500, seed: 4 },
    )
  })

  it('a long subject still fits into a plan item', () => {
    const wanted: Intent = {
      kind: 'todo',
      nudge: false,
      offered: false,
      subject: subjectOf('x'.repeat(4000)),
      details: NO_DETAILS,
    }
    expect(intentTitle(wanted, 'en').length).toBeLessThanOrEqual(500)
  })
})
