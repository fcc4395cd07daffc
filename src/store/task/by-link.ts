/** Reading a task by a link: a link names how often the links of its task had been ended when it was made, and opens nothing once that has changed. */
import type { Here } from '../../core/protocol/advance.ts'
import { delegationOf } from '../../core/protocol/delegations.ts'
import { questionOf } from '../../core/protocol/question.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import type { Seen, TaskMethods } from '../../core/protocol/task-methods.ts'
import { cutDelegation } from '../cut-delegation.ts'
import { eventPage } from './pages.ts'

interface LinkEpoch {
  linkEpoch(): number
}
/** Without a link (undefined) for whoever has a key. */
export function byLink<T>(rows: LinkEpoch, link: number | undefined, read: () => Result<T>): Result<T> {
  return link === undefined || link === rows.linkEpoch() ? read() : refuse({ code: 'link_not_found' })
}

type LinkRows = Parameters<typeof questionOf>[0] &
  Parameters<typeof delegationOf>[0] &
  Parameters<typeof eventPage>[0] &
  LinkEpoch & { endLinks(): void }

/** `look` shows the task as it is; null: there is none. */
export function linkMethods(
  rows: LinkRows,
  here: () => Here,
  look: () => Seen | null,
): Pick<TaskMethods, 'question' | 'delegation' | 'read' | 'events' | 'endLinks'> {
  const seen = (): Result<Seen> => {
    const task = look()
    return task === null ? refuse({ code: 'task_not_found' }) : ok(task)
  }
  return {
    question: (ref) => byLink(rows, ref.link_epoch, () => questionOf(rows, ref, here().now_ms)),
    delegation(seq, chars) {
      const known = delegationOf(rows, seq, here().now_ms)
      if (!known.ok) return known
      const shown = chars === undefined ? known.value : cutDelegation(known.value, chars)
      return ok({ ...shown, link_epoch: rows.linkEpoch() })
    },
    read: (link) => byLink(rows, link, seen),
    events: (after, limit, link) => byLink(rows, link, () => eventPage(rows, after, limit)),
    endLinks() {
      if (rows.last() === null) return refuse({ code: 'task_not_found' })
      rows.endLinks()
      return seen()
    },
  }
}
