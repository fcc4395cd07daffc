/** What a client may change of a task after its create: who drives it, where it reports, its labels and its title (U52). */
import type { Brief, EventOf, Event, Recall } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import { briefOf } from '../mode/mode.ts'
import type { ModeTransition } from './apply-event-to-mode.ts'

/** The brief of the task with all changes up to this head. */
export function briefNow({ changed_row }: Pick<Head, 'changed_row'>, recall: Recall): Brief {
  const brief = briefOf(recall)
  const event = changed_row === null ? null : recall(changed_row).event
  return event?.kind === 'task_changed' ? withChange(brief, event) : brief
}

export function withChange(brief: Brief, change: EventOf<'task_changed'>): Brief {
  const { drive, callback_url, metadata, title } = change
  const { title: _before, ...kept } = brief
  return { ...kept, drive, callback_url, metadata, ...(title === null ? {} : { title }) }
}

/** What the row of a change does to the head. The mode is told nothing of it. null: it is another row. */
export function changeHead(
  { callback_row }: Head,
  event: Event,
  seq: number,
): Required<Pick<ModeTransition, 'notes' | 'head'>> | null {
  if (event.kind !== 'task_changed') return null
  const { members, drive, title } = event
  const called = members.includes('callback_url') ? seq : callback_row
  return {
    notes: [{ type: 'task_changed', payload: { members, drive, title } }],
    head: { changed_row: seq, callback_row: called },
  }
}
