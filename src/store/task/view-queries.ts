/** Reads a task, also by a link. A link contains the link epoch of its task, and opens nothing after the epoch has changed. */

import { briefOf } from '../../core/mode/mode.ts'
import { taskTools } from '../../core/protocol/view/task-tools.ts'
import { delegationOf } from '../../core/protocol/delegations.ts'
import { questionOf } from '../../core/protocol/question.ts'
import type { Delegation } from '../../core/terms/delegation.ts'
import { cut } from '../../core/terms/text.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import type { StoredTaskView } from '../../core/protocol/view/stored-task-view.ts'
import { eventPage } from './pages.ts'

import { currentView } from './step-result.ts'
import type { QueryHandlers, TaskTarget } from './handlers.ts'

interface LinkEpoch {
  linkEpoch(): number
}
/** A caller with a key has no link (undefined). */
export function checkLink<T>(rows: LinkEpoch, link: number | undefined, read: () => Result<T>): Result<T> {
  return link === undefined || link === rows.linkEpoch() ? read() : refuse({ code: 'link_not_found' })
}

/** Queries that a link may ask too, and the query for a delegation. */
export const VIEW_QUERIES: QueryHandlers<'question' | 'delegation' | 'view' | 'command_terms' | 'events' | 'tools'> = {
  question: ({ rows, context }, { ref }) =>
    checkLink(rows, ref.link_epoch, () => questionOf(rows, ref, context().now_ms)),
  delegation({ rows, context }, { seq, chars }) {
    const delegation = delegationOf(rows, seq, context().now_ms)
    if (!delegation.ok) return delegation
    const view = chars === undefined ? delegation.value : cutDelegation(delegation.value, chars)
    return ok({ ...view, link_epoch: rows.linkEpoch() })
  },
  view: (target, { link }) => checkLink(target.rows, link, () => view(target)),
  command_terms({ rows }) {
    const last = rows.last()
    if (last === null) return refuse({ code: 'task_not_found' })
    const { timezone, settings } = briefOf(rows.recall)
    const { cancel_phrase, schedule_window_days, conflict_preview_days } = settings
    return ok({ id: last.head.id, timezone, settings: { cancel_phrase, schedule_window_days, conflict_preview_days } })
  },
  tools({ rows }) {
    const last = rows.last()
    return last === null ? refuse({ code: 'task_not_found' }) : ok(taskTools(last.head, rows.recall))
  },
  events: ({ rows }, { after, limit, link }) => checkLink(rows, link, () => eventPage(rows, after, limit)),
}

export function endLinks(target: TaskTarget): Result<StoredTaskView> {
  if (target.rows.last() === null) return refuse({ code: 'task_not_found' })
  target.rows.endLinks()
  return view(target)
}

function view({ rows, context }: TaskTarget): Result<StoredTaskView> {
  const task = currentView(rows, context())
  return task === null ? refuse({ code: 'task_not_found' }) : ok(task)
}

/** A command with its texts cut: a report alone may have 1.9 MB, and a list asks a hundred tasks at once. */
function cutDelegation(delegation: Delegation, chars: number): Delegation {
  const { command, report } = delegation
  return { ...delegation, command: shorten(command, chars), report: report && shorten(report, chars) }
}

function shorten<T extends object>(of: T, chars: number): T {
  const texts = Object.entries(of).map(([name, value]) => [name, typeof value === 'string' ? cut(value, chars) : value])
  return Object.fromEntries(texts) as T // the same names; each text is a text still
}
