/** The laws of callbacks: each change of status was delivered and accepted; the receiver itself checks the order. */
import type { Known } from '../known.ts'
import type { Receiver, Told } from '../outside/receiver.ts'
import type { Story } from '../story.ts'
import type { Tally } from '../tally.ts'

/** The events that change the status of their task, with the new status. */
const STATUS: Record<string, string> = {
  task_completed: 'completed',
  task_failed: 'failed',
  task_canceled: 'canceled',
  task_paused: 'paused',
  clarification_requested: 'input_required',
  file_requested: 'input_required',
}
const RESUMED = 'resumed'
const UNTOLD = new Set(['queued', 'running'])

const toldOf = ({ told }: Receiver, id: string): Told[] => [...told.values()].filter(({ task }) => task === id)

/** The changes of status whose row is the last of its transaction, because queued texts are applied in the same transaction. */
function changesOf({ own, events, rows }: Story): { row: number; status: string }[] {
  const first = own[0]?.seq ?? Infinity
  const changes: { row: number; status: string }[] = []
  let before = { row: 0, status: '' }
  for (const { type, payload } of events) {
    const [row, status] = [Number(payload['journal_seq']), STATUS[type]]
    // It goes on, or waits for its approval as it did before its pause.
    if (type === 'task_resumed') before = { row, status: RESUMED }
    if (status === undefined) continue
    // What waits for its approval anew, because its plan was edited or it was rejected, waits as before.
    const worked = rows.slice(before.row, row).some(({ phase }) => phase !== null)
    // Of a task that is paused a plan is changed, and to be approved anew, without a change of its status.
    if (before.status === 'paused' && status === 'input_required' && !worked) continue
    const isNews = worked || (before.status !== RESUMED && status !== before.status)
    before = { row, status }
    const [closed, next] = [rows[row - 1], rows[row]]
    const queued = next !== undefined && next.started_at <= (closed?.finished_at ?? '')
    if (isNews && !queued && row >= first) changes.push({ row, status })
  }
  return changes
}

/** The changes of a task that its callback has not received yet. */
export function untold(story: Story, receiver: Receiver): string[] {
  const { id, view } = story
  if (view.callback_url === null) return []
  const told = toldOf(receiver, id)
  const missing = changesOf(story).filter(
    ({ row, status }) => !told.some((one) => one.row === row && one.status === status && one.taken),
  )
  const last = told.at(-1)
  const stale = !UNTOLD.has(view.status) && story.own.length > 0 && (last?.status !== view.status || !last.taken)
  const shown = missing.map(({ row, status }) => `row ${row} ${status}`)
  return stale ? [...shown, `is ${view.status}, was told ${last?.row} ${last?.status}`] : shown
}

export function checkTold(tally: Tally, story: Story, receiver: Receiver): void {
  const { id, view, known } = story
  const told = toldOf(receiver, id)
  tally.seen('callback told', told.length)
  const law = 'each change of status is told to the callback'
  const missing = untold(story, receiver)
  tally.demand(missing.length === 0, law, () => missing.join('; '), id)
  const strange = view.callback_url === null ? told : told.filter(({ row }) => row > view.version || isPast(known, row))
  tally.demand(strange.length === 0, 'a callback is told what its task was', () => JSON.stringify(strange), id)
}

const isPast = ({ from }: Known, row: number) => from !== null && row <= from.at
