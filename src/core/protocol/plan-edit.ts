/** Whether a plan may be edited by hand (`PATCH /tasks/{id}/plan`), and what the edit then says: decided as the task stands (U2). */
import { sameItems } from '../modes/plan/list.ts'
import type { EditedItem, Event } from '../terms/effect.ts'
import type { Journal } from './journal.ts'
import { modeOf } from '../modes/index.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'
import { utf8Bytes } from '../terms/text.ts'
import type { PlanItem } from '../terms/view.ts'

/** An item as it is sent: without an id it may be one of the plan by its title; what is left out of a known one stays as it is. */
export interface SentItem {
  id?: string | undefined
  title: string
  description?: string | undefined
  expected_output?: string | null | undefined
}
export interface PlanEdit {
  items: SentItem[]
  author: string
  /** The versions its author may have seen; null: any. */
  versions: number[] | null
}
/** More than a request can bring; details that stay could make it grow from edit to edit. */
const EDIT_BYTES_MAX = 1_048_576

const isFinished = ({ status }: PlanItem) => status !== 'pending' && status !== 'running'

/** What an edit means to the task; `shown` is the version that readers of the task are shown. */
export function eventsForEdit(journal: Journal, edit: PlanEdit, shown: number): Result<Event[]> {
  const head = journal.last()?.head
  if (head === undefined) return refuse({ code: 'task_not_found' })
  if (head.end !== null) return refuse({ code: 'task_ended', status: head.end.status })
  const mode = modeOf(head.mode)
  const hears = mode.transitions[head.state.phase]?.plan_edited !== undefined
  if (!hears || mode.hasPlan?.(head.state) === false) return refuse({ code: 'plan_not_editable', mode: mode.name })
  // The plan that a second edit was made from is not the one it would meet.
  const waiting = journal.queued().some(({ event }) => event.kind === 'plan_edited')
  if (waiting || (edit.versions !== null && !edit.versions.includes(shown)))
    return refuse({ code: 'precondition_failed', version: shown, waiting })
  const known = { recall: journal.recall, ended: null, thought_row: null, paused: head.pause_reason !== null }
  const open = mode.view(head.state, known).plan.items.filter((item) => !isFinished(item))
  const errors = idErrors(edit.items, new Set(open.map(({ id }) => id)))
  if (errors.length > 0) return refuse({ code: 'validation_failed', errors })
  const items = completed(edit.items, open)
  if (utf8Bytes(JSON.stringify(items)) > EDIT_BYTES_MAX) return refuse({ code: 'validation_failed', errors: TOO_LONG })
  return ok([{ kind: 'plan_edited', author: edit.author, items }])
}
const TOO_LONG = [{ pointer: '/items', message: 'items must have at most 1 MiB of text in all' }]

function idErrors(items: SentItem[], open: ReadonlySet<string>) {
  const seen = new Set<string>()
  return items.flatMap(({ id }, index) => {
    if (id === undefined) return []
    const twice = seen.has(id)
    seen.add(id)
    if (open.has(id) && !twice) return []
    const message = `items.${index}.id ${twice ? 'must be given once' : 'must be that of an unfinished item'}`
    return [{ pointer: `/items/${index}/id`, message }]
  })
}

/** Each with the details it has by now, where it names none. */
function completed(items: SentItem[], open: PlanItem[]): EditedItem[] {
  const same = sameItems(open, items)
  return items.map(({ id, title, description, expected_output }, index) => {
    const before = open[same[index] ?? -1]
    return {
      id: id ?? null,
      title,
      description: description ?? before?.description ?? '',
      expected_output: expected_output === undefined ? (before?.expected_output ?? null) : expected_output,
    }
  })
}
