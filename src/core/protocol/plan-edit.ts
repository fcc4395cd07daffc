/** Decides in the current state of the task whether its plan may be edited by hand (`PATCH /tasks/{id}/plan`), and the event of the edit (U2). */
import { sameItems } from '../modes/plan/list.ts'
import type { EditedItem, Event } from '../terms/effect.ts'
import type { Journal } from './journal.ts'
import { modeOf } from '../modes/index.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'
import { utf8Bytes } from '../terms/text.ts'
import type { PlanItem } from '../terms/view.ts'

/** An item as it is sent. An item without an id is matched by its title. A member that is left out of a known item stays unchanged. */
export interface SentItem {
  id?: string | undefined
  title: string
  description?: string | undefined
  expected_output?: string | null | undefined
}
export interface PlanEdit {
  items: SentItem[]
  author: string
  /** The versions from which its author may have started. null: any version. */
  versions: number[] | null
}
/** The items with their stored details may have at most this size. Without a bound they could grow from edit to edit. */
const EDIT_BYTES_MAX = 1_048_576

const isFinished = ({ status }: PlanItem) => status !== 'pending' && status !== 'running'

/** The events of an edit. `version_shown` is the version that readers of the task see. */
export function eventsForEdit(journal: Journal, edit: PlanEdit, version_shown: number): Result<Event[]> {
  const head = journal.last()?.head
  if (head === undefined) return refuse({ code: 'task_not_found' })
  if (head.end !== null) return refuse({ code: 'task_ended', status: head.end.status })
  const mode = modeOf(head.mode)
  const acceptsEdits = mode.transitions[head.state.phase]?.plan_edited !== undefined
  if (!acceptsEdits || mode.hasPlan?.(head.state) === false)
    return refuse({ code: 'plan_not_editable', mode: mode.name })
  // A second edit would meet another plan than the one that its author saw.
  const hasQueuedEdit = journal.queued().some(({ event }) => event.kind === 'plan_edited')
  if (hasQueuedEdit || (edit.versions !== null && !edit.versions.includes(version_shown)))
    return refuse({ code: 'precondition_failed', version: version_shown, waiting: hasQueuedEdit })
  const viewContext = { recall: journal.recall, ended: null, thought_row: null, paused: head.pause_reason !== null }
  const open = mode.view(head.state, viewContext).plan.items.filter((item) => !isFinished(item))
  const errors = idErrors(edit.items, new Set(open.map(({ id }) => id)))
  if (errors.length > 0) return refuse({ code: 'validation_failed', errors })
  const items = completeItems(edit.items, open)
  if (utf8Bytes(JSON.stringify(items)) > EDIT_BYTES_MAX) return refuse({ code: 'validation_failed', errors: TOO_LONG })
  return ok([{ kind: 'plan_edited', author: edit.author, items }])
}
const TOO_LONG = [{ pointer: '/items', message: 'items must have at most 1 MiB of text in all' }]

function idErrors(items: SentItem[], open: ReadonlySet<string>) {
  const ids = new Set<string>()
  return items.flatMap(({ id }, index) => {
    if (id === undefined) return []
    const isRepeated = ids.has(id)
    ids.add(id)
    if (open.has(id) && !isRepeated) return []
    const message = `items.${index}.id ${isRepeated ? 'must be given once' : 'must be that of an unfinished item'}`
    return [{ pointer: `/items/${index}/id`, message }]
  })
}

/** The items, each with its current details where the edit has none. */
function completeItems(items: SentItem[], open: PlanItem[]): EditedItem[] {
  const same = sameItems(open, items)
  return items.map(({ id, title, description, expected_output }, index) => {
    const current = open[same[index] ?? -1]
    return {
      id: id ?? null,
      title,
      description: description ?? current?.description ?? '',
      expected_output: expected_output === undefined ? (current?.expected_output ?? null) : expected_output,
    }
  })
}
