/** The task of a schedule, checked by the shapes and rules of POST /tasks: when it is put, and again at each tick. */
import type * as z from 'zod'
import { dollars, microDollars } from '../../../core/terms/money.ts'
import type { DailyBudget } from '../../../core/workspace/schedules/schedule.ts'
import {
  filledTemplate,
  misspeltPlaceholder,
  SCHEDULE_LABELS,
  textsWithin,
} from '../../../core/workspace/schedules/template.ts'
import type { Caller, NewTask } from '../../../shell/caller.ts'
import type { PrepareTask, RefusedTask, WantedTask } from '../../../shell/scheduled-tasks.ts'
import type { Ports } from '../../endpoint.ts'
import { configFor } from '../../gate/caller-config.ts'
import { checkFields } from '../../gate/field-check.ts'
import type { FieldError, HttpRefusal } from '../../shapes/http-refusal.ts'
import { METADATA_KEYS_MAX, ScheduledTask } from '../../shapes/task-requests.ts'
import { admissionRefusal, newTaskOf, wholeTask } from '../tasks/new-task.ts'

type TaskPorts = Pick<Ports, 'config' | 'service' | 'limits_of'>

export async function prepareScheduledTask(
  ports: TaskPorts,
  caller: Caller,
  { body, origin, caps }: WantedTask,
): ReturnType<PrepareTask> {
  const read = checkFields(ScheduledTask, body)
  if (!read.ok) return { ok: false, refusal: coreRefusal(read.refusal) }
  const whole = await wholeTask(ports.service, caller, { ...read.value, drive: read.value.drive ?? 'background' })
  if (!whole.ok) return { ok: false, refusal: coreRefusal(whole.refusal) }
  const sent = { caller, body: whole.value, request: { url: origin } }
  const limited = { ...ports, config: await configFor(ports, caller) }
  const made = newTaskOf(limited, sent)
  const task = { ...made, settings: cappedSettings(made.settings, caps) }
  const refusal = await admissionRefusal(limited, sent, task)
  return refusal === null ? { ok: true, task } : { ok: false, refusal: coreRefusal(refusal) }
}

// The checks of a body refuse with codes of the core, or because no model is configured.
const coreRefusal = (refusal: HttpRefusal) => refusal as RefusedTask

const least = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/** No run gets more than what is left of the day. */
function cappedSettings(settings: NewTask['settings'], { tokens, cost }: DailyBudget): NewTask['settings'] {
  const { max_tokens, max_cost_usd } = settings
  const money = least(max_cost_usd === null ? null : microDollars(max_cost_usd), cost)
  return {
    ...settings,
    max_tokens: least(max_tokens, tokens),
    max_cost_usd: money === null ? null : dollars(money),
  }
}

/** Each task gets the labels of its schedule too. */
const OWN_LABELS_MAX = METADATA_KEYS_MAX - SCHEDULE_LABELS.length

/** What only a schedule refuses in its task. */
function templateErrors({ goal = '', metadata = {}, input = {} }: z.output<typeof ScheduledTask>): FieldError[] {
  const texts = [
    { pointer: '/task/goal', name: 'task.goal', text: goal },
    ...textsWithin(input).map((text) => ({ pointer: '/task/input', name: 'task.input', text })),
    ...Object.entries(metadata).map(([key, text]) => ({
      pointer: `/task/metadata/${key}`,
      name: `task.metadata.${key}`,
      text,
    })),
  ]
  const misspelt = texts.flatMap(({ pointer, name, text }) => {
    const found = misspeltPlaceholder(text)
    if (found === null) return []
    return [{ pointer, message: `${name} has {{${found.given}}}; did you mean {{${found.known}}}?` }]
  })
  const taken = SCHEDULE_LABELS.filter((label) => Object.hasOwn(metadata, label)).map((label) => ({
    pointer: `/task/metadata/${label}`,
    message: `task.metadata.${label} is set by the schedule itself: take another name`,
  }))
  const count = Object.keys(metadata).length
  const message = `task.metadata must have at most ${OWN_LABELS_MAX} keys, because each task gets ${SCHEDULE_LABELS.join(' and ')} too`
  return [...misspelt, ...taken, ...(count > OWN_LABELS_MAX ? [{ pointer: '/task/metadata', message }] : [])]
}

interface SentTemplate extends Omit<WantedTask, 'body'> {
  name: string
  task: z.output<typeof ScheduledTask>
  timezone: string
  now_ms: number
}

/** Checks a task that is put, as it would be made at this time. null: nothing is wrong. */
export async function templateRefusal(
  ports: TaskPorts,
  caller: Caller,
  { name, task, timezone, now_ms, ...wanted }: SentTemplate,
): Promise<HttpRefusal | null> {
  const errors = templateErrors(task)
  if (errors.length > 0) return { code: 'validation_failed', errors }
  const body = filledTemplate({ ...task }, { name, tick: now_ms, timezone })
  const prepared = await prepareScheduledTask(ports, caller, { body, ...wanted })
  return prepared.ok ? null : withinTask(prepared.refusal)
}

/** Errors of the task name it as a part of the body. */
function withinTask(refusal: HttpRefusal): HttpRefusal {
  if (refusal.code !== 'validation_failed') return refusal
  const errors = refusal.errors.map(({ pointer, message }) => ({
    pointer: `/task${pointer}`,
    message: `task.${message}`,
  }))
  return { ...refusal, errors }
}
