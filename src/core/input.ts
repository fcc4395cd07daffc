/** What a text from a person means for a task (api.md "Input"): one routing rule, after trimming. */
import type { Event } from './effect.ts'
import type { Head } from './head.ts'
import { briefOf } from './mode.ts'
import { modeOf } from './modes/index.ts'
import type { Journal } from './journal.ts'
import { exhaustedAxis } from './reduce.ts'
import type { Refusal } from './refusal.ts'
import { statusOf } from './task-view.ts'

export type Heard =
  | { kind: 'cancel' }
  /** A slash command runs beside the task, which stays exactly as it is (S0-25). */
  | { kind: 'command' }
  | { kind: 'tell'; events: Event[] }
  | { kind: 'refused'; refusal: Refusal }

/** `input` is trimmed and not empty; the order of the tests is that of O0-02. */
export function hear(journal: Journal, input: string, request_id: string | null): Heard {
  const last = journal.last()
  if (last === null) return { kind: 'refused', refusal: { code: 'task_not_found' } }
  const { head } = last
  const { settings } = briefOf(journal.recall)
  if (input === settings.cancel_phrase) return { kind: 'cancel' }
  if (input.startsWith('/')) return { kind: 'command' }
  const open = openQuestion(head, journal)
  if (request_id !== null && request_id !== open) return { kind: 'refused', refusal: { code: 'question_settled' } }
  switch (statusOf(head, open !== null)) {
    case 'input_required':
      return { kind: 'tell', events: [{ kind: 'user_answered', text: input }] }
    case 'paused':
      return { kind: 'tell', events: whilePaused(head, settings.continue_grants, input) }
    case 'completed':
    case 'failed':
    case 'canceled':
      return { kind: 'refused', refusal: { code: 'task_ended', status: head.end?.status ?? '' } }
    default:
      return { kind: 'tell', events: [{ kind: 'user_remarked', text: input }] }
  }
}

function openQuestion(head: Head, journal: Journal): string | null {
  if (head.end !== null || head.hold !== null) return null
  const mode = modeOf(head.mode)
  const view = mode.view(mode.state.parse(head.state), { recall: journal.recall, ended: null, thought_row: null })
  return view.question?.request_id ?? null
}

/** Ruling 14: a spent budget is granted again by a continue text only; any other text there is kept and resumes nothing. */
function whilePaused(head: Head, grants: boolean, input: string): Event[] {
  const spent = exhaustedAxis(head.hold) !== null
  const goesOn = isContinue(input)
  if (goesOn && spent) return grants ? [{ kind: 'resumed', grant: true }] : []
  if (goesOn) return [{ kind: 'resumed', grant: false }]
  const remark: Event = { kind: 'user_remarked', text: input }
  return spent ? [remark] : [remark, { kind: 'resumed', grant: false }]
}

const GO_ON = /继续|\b(?:continue|resume|go\s+on|proceed)\b/i
const NOT_CHINESE = /(?:不要|不用|不必|不想|不能|不再|不|别再|别|勿|莫|无需|无须|停止|暂停|取消)(?:再|要)?继续/
const NOT_ENGLISH =
  /\b(?:don['’]?t|do\s+not|not|never|no|stop|cannot|can['’]?t|won['’]?t|shouldn['’]?t|without)\s+(?:\w+\s+){0,2}(?:continue|resume|go\s+on|proceed)\b/i

/** A continue text: contains 继续, or continue, resume, go on, proceed as whole words; not when negated (R23). */
export function isContinue(input: string): boolean {
  return GO_ON.test(input) && !NOT_CHINESE.test(input) && !NOT_ENGLISH.test(input)
}
