/** The schedules of the console: what the form sends, and the words of a run in both languages. */
import { describe, expect, it } from 'vitest'
import { LOCALES } from '../../src/console/state/preferences.tsx'
import { serviceErrorAt, serviceErrorBeside } from '../../src/console/parts/problem/field-errors.ts'
import {
  draftOfSchedule,
  NO_SCHEDULE,
  SCHEDULE_POINTERS,
  scheduleBodyOf,
  type ScheduleDraft,
} from '../../src/console/views/schedules/schedule-draft.ts'
import { runNote } from '../../src/console/views/schedules/run-words.ts'
import { ScheduleView } from '../../src/core/shown/schedule-view.ts'
import { PROBLEMS } from '../../src/http/shapes/problems.ts'
import { PutSchedule } from '../../src/http/shapes/schedule-requests.ts'

const AT = '2026-11-28T08:00:00.000Z'
const shown = (change: Partial<ScheduleView>): ScheduleView =>
  ScheduleView.parse({
    name: 'morning',
    cron: '0 9 * * MON-FRI',
    every_s: null,
    timezone: 'Europe/Berlin',
    task: { goal: 'look at {{scheduled_date}}' },
    overlap: 'skip',
    missed: 'skip',
    daily: { tokens: null, cost_usd: null },
    paused: false,
    next: [],
    waiting: [],
    last_run: null,
    created_at: AT,
    updated_at: AT,
    ...change,
  })
const bodyOf = (part: Partial<ScheduleDraft>) => scheduleBodyOf({ ...NO_SCHEDULE, ...part })

describe('what the form sends', () => {
  it('U62 sends what is typed, and leaves empty fields out', () => {
    const { body, errors } = bodyOf({ name: 'morning', cron: ' 0 9 * * * ', goal: 'a goal' })
    expect(errors).toEqual({})
    expect(body).toEqual({ cron: '0 9 * * *', overlap: 'skip', task: { goal: 'a goal' } })
    expect(PutSchedule.safeParse(body).error).toBeUndefined()
  })

  it('U62 sends an interval as a number, an agent with its input, and more members over nothing that has a field', () => {
    const { body } = bodyOf({
      every_s: '3600',
      timezone: 'Asia/Shanghai',
      agent: 'shopper@2',
      input: '{"what": "milk"}',
      overlap: 'queue',
      more: '{"missed": "once", "overlap": "replace", "task": {"settings": {"max_steps": 5}, "agent": "other"}}',
    })
    expect(body).toEqual({
      every_s: 3600,
      timezone: 'Asia/Shanghai',
      overlap: 'queue',
      missed: 'once',
      task: { agent: 'shopper@2', input: { what: 'milk' }, settings: { max_steps: 5 } },
    })
    expect(PutSchedule.safeParse(body).error).toBeUndefined()
  })

  it.each<[Partial<ScheduleDraft>, object]>([
    [{ every_s: 'often' }, { every_s: 'number' }],
    [{ every_s: '1.5' }, { every_s: 'number' }],
    [{ input: '{' }, { input: 'object' }],
    [{ input: '[1]' }, { input: 'object' }],
    [{ more: 'null' }, { more: 'object' }],
    [{ more: '{"task": 1}' }, { more: 'object' }],
  ])('U62 %j cannot be sent, and says so at its field', (part, errors) => {
    expect(bodyOf(part).errors).toEqual(errors)
  })

  it('U62 a schedule that is changed keeps all that the form has no field for', () => {
    const schedule = shown({
      cron: null,
      every_s: 600,
      overlap: 'replace',
      missed: 'once',
      daily: { tokens: 1_000, cost_usd: null },
      task: { agent: 'shopper', input: { what: 'milk' }, metadata: { customer: 'acme' } },
    })
    const { name, every_s, timezone, task, overlap, missed, daily } = schedule
    const draft = draftOfSchedule(schedule)
    expect(draft.name).toBe(name)
    expect(scheduleBodyOf(draft)).toEqual({ body: { every_s, timezone, task, overlap, missed, daily }, errors: {} })
    expect(scheduleBodyOf(draftOfSchedule(shown({}))).body).toEqual({
      cron: '0 9 * * MON-FRI',
      timezone: 'Europe/Berlin',
      overlap: 'skip',
      task: { goal: 'look at {{scheduled_date}}' },
    })
  })

  it('U62 each error of the service stands at one field', () => {
    const errors = ['/cron', '/task/goal', '/task/input/what', '/daily/tokens', '/task'].map((pointer) => ({
      pointer,
      message: `wrong at ${pointer}`,
    }))
    const problem = { code: 'validation_failed', status: 422, title: '', detail: '', errors, retry_after_s: null }
    expect(serviceErrorAt(problem, SCHEDULE_POINTERS.cron)).toBe('wrong at /cron')
    expect(serviceErrorAt(problem, SCHEDULE_POINTERS.input)).toBe('what wrong at /task/input/what')
    expect(serviceErrorBeside(problem, Object.values(SCHEDULE_POINTERS))).toBe('wrong at /daily/tokens; wrong at /task')
    expect(serviceErrorBeside(null, [])).toBeNull()
  })
})

describe('the words of a run', () => {
  const run = { reason: null, ticks: 1, trigger: 'tick' } as const
  it('U62 a run by its tick has nothing to tell', () => {
    for (const locale of LOCALES) expect(runNote(run, locale)).toBe('')
  })
  it.each([
    [{ ...run, reason: 'overlap' }, 'an earlier run was open', '前一次运行尚未结束'],
    [{ ...run, reason: 'budget' }, 'the budget of the day was used up', '当日额度已用尽'],
    [{ ...run, ticks: 3 }, '3 ticks', '3 次'],
    [{ ...run, reason: 'at_least', ticks: 200 }, 'at least 200 ticks', '至少 200 次'],
    [{ ...run, trigger: 'request' as const }, 'on request', '手动运行'],
    [{ ...run, reason: 'quota_exceeded' }, 'quota_exceeded', 'quota_exceeded：租户的配额已用尽。'],
    [{ ...run, reason: 'toString' }, 'toString', 'toString'],
  ])('U62 %j is told in both languages', (one, en, zh) => {
    expect(runNote(one, 'en')).toBe(en)
    expect(runNote(one, 'zh')).toBe(zh)
  })
  it('U62 every code for which a run may be refused has its meaning in Chinese', () => {
    for (const code of Object.keys(PROBLEMS))
      expect(runNote({ ...run, reason: code }, 'zh'), code).toMatch(/\p{Script=Han}{2}/u)
  })
})
