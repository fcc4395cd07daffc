/** A schedule that is being written: its entries, and the body that is sent for it. */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import type { OverlapRule } from '../../../core/terms/plain/wire-names.ts'
import type { ScheduleView } from '../../api/wire.ts'
import { asText, parseJson } from '../../parse.ts'

/** The texts as they were typed. An empty one is not sent. */
export interface ScheduleDraft {
  name: string
  cron: string
  every_s: string
  timezone: string
  goal: string
  agent: string
  input: string
  overlap: OverlapRule
  /** All that the form has no field for, as JSON. */
  more: string
}
export const NO_SCHEDULE: ScheduleDraft = {
  name: '',
  cron: '',
  every_s: '',
  timezone: '',
  goal: '',
  agent: '',
  input: '',
  overlap: 'skip',
  more: '',
}

/** The pointers of the fields. What the service says about any other pointer belongs to `more`. */
export const SCHEDULE_POINTERS = {
  name: '/name',
  cron: '/cron',
  every_s: '/every_s',
  timezone: '/timezone',
  goal: '/task/goal',
  agent: '/task/agent',
  input: '/task/input',
  overlap: '/overlap',
} as const satisfies Partial<Record<keyof ScheduleDraft, string>>

/** What the service cannot find, because the text cannot be sent as what it should be. */
export type ScheduleErrors = Partial<Record<keyof ScheduleDraft, 'number' | 'object'>>

export function scheduleBodyOf(draft: ScheduleDraft): { body: Record<string, unknown>; errors: ScheduleErrors } {
  const errors: ScheduleErrors = {}
  const { task: moreOfTask = {}, ...more } = objectAt('more', draft, errors) ?? {}
  if (!isRecord(moreOfTask)) errors.more = 'object'
  const input = objectAt('input', draft, errors)
  const every = draft.every_s.trim()
  if (every !== '' && !/^\d{1,9}$/.test(every)) errors.every_s = 'number'
  const task = {
    ...(isRecord(moreOfTask) ? moreOfTask : {}),
    ...textAt('goal', draft),
    ...textAt('agent', draft),
    ...(input === null ? {} : { input }),
  }
  const timing = { ...textAt('cron', draft), ...(every === '' ? {} : { every_s: Number(every) }) }
  return { body: { ...more, ...timing, ...textAt('timezone', draft), overlap: draft.overlap, task }, errors }
}

/** Puts an entry of the service back into the fields. Sending it unchanged puts the same schedule. */
export function draftOfSchedule(schedule: ScheduleView): ScheduleDraft {
  const { name, cron, every_s, timezone, overlap, missed, daily } = schedule
  const { goal, agent, input, ...task } = schedule.task
  const more = {
    ...(missed === 'skip' ? {} : { missed }),
    ...(daily.tokens === null && daily.cost_usd === null ? {} : { daily }),
    ...(Object.keys(task).length === 0 ? {} : { task }),
  }
  return {
    name,
    cron: cron ?? '',
    every_s: every_s === null ? '' : String(every_s),
    timezone,
    goal: asText(goal) ?? '',
    agent: asText(agent) ?? '',
    input: input === undefined ? '' : JSON.stringify(input, null, 2),
    overlap,
    more: Object.keys(more).length === 0 ? '' : JSON.stringify(more, null, 2),
  }
}

const textAt = (name: 'cron' | 'timezone' | 'goal' | 'agent', draft: ScheduleDraft) =>
  draft[name].trim() === '' ? {} : { [name]: draft[name].trim() }

function objectAt(name: 'input' | 'more', draft: ScheduleDraft, errors: ScheduleErrors) {
  if (draft[name].trim() === '') return null
  const read = parseJson(draft[name])
  if (read.ok && isRecord(read.value)) return read.value
  errors[name] = 'object'
  return null
}
