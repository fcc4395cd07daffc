/** Reading a task by a link: a link names how often the links of its task had been ended when it was made, and opens nothing once that has changed. */
import type { ObjectContext } from '../../core/protocol/advance.ts'
import { delegationOf } from '../../core/protocol/delegations.ts'
import { questionOf } from '../../core/protocol/question.ts'
import type { Delegation } from '../../core/terms/delegation.ts'
import { cut } from '../../core/terms/text.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import type { StoredTaskView } from '../../core/protocol/view/stored-task-view.ts'
import { eventPage } from './pages.ts'
import type { Rows } from './rows/rows.ts'
import { currentView } from './step-result.ts'
import type { QueryHandlers } from './handlers.ts'

interface LinkEpoch {
  linkEpoch(): number
}
/** Without a link (undefined) for whoever has a key. */
export function checkLink<T>(rows: LinkEpoch, link: number | undefined, read: () => Result<T>): Result<T> {
  return link === undefined || link === rows.linkEpoch() ? read() : refuse({ code: 'link_not_found' })
}

/** Questions that a link may ask too, and what a delegation says. */
export const viewQueries = (
  rows: Rows,
  context: () => ObjectContext,
): QueryHandlers<'question' | 'delegation' | 'view' | 'events'> => ({
  question: ({ ref }) => checkLink(rows, ref.link_epoch, () => questionOf(rows, ref, context().now_ms)),
  delegation({ seq, chars }) {
    const known = delegationOf(rows, seq, context().now_ms)
    if (!known.ok) return known
    const shown = chars === undefined ? known.value : cutDelegation(known.value, chars)
    return ok({ ...shown, link_epoch: rows.linkEpoch() })
  },
  view: ({ link }) => checkLink(rows, link, () => view(rows, context)),
  events: ({ after, limit, link }) => checkLink(rows, link, () => eventPage(rows, after, limit)),
})

export function endLinks(rows: Rows, context: () => ObjectContext): Result<StoredTaskView> {
  if (rows.last() === null) return refuse({ code: 'task_not_found' })
  rows.endLinks()
  return view(rows, context)
}

function view(rows: Rows, context: () => ObjectContext): Result<StoredTaskView> {
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
