/** The law of a wait for a file in the simulation, and what is counted of it. */
import { openFileRequest } from '../../src/core/engine/awaiting.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { FileWaits, FILE_WAITS_MAX } from '../../src/core/modes/files/waits.ts'
import { isRequested, type FileRequest } from '../../src/core/mode/file-request.ts'
import type { ClosedRow, Journal } from '../../src/core/protocol/journal.ts'
import type { Rows } from '../../src/store/task/rows/rows.ts'
import type { Watched } from './check-rows.ts'
import type { Coverage } from './coverage.ts'
import { demand } from './violation.ts'

/** The file that a task waits for, where nothing is under way that might change that. */
export function awaitedFile(rows: Journal): FileRequest | null {
  const head = rows.last()?.head
  return head === undefined || rows.pending() !== null ? null : openFileRequest(head, rows)
}

/** A task that waits for a file that lies there would wait for ever: its client has put the file and does nothing more. */
export function checkFileWait({ id, rows }: { id: string; rows: Rows }): void {
  const request = awaitedFile(rows)
  if (request === null) return
  const there = rows.files().find(({ name }) => isRequested(request, name))
  demand(there === undefined, 'a task does not wait for a file that lies there', () => `${id}: ${there?.name}`)
}

/** `waited` is true if the row was queued behind an effect. */
export function noteFileWait({ rows }: Watched, row: ClosedRow, waited: boolean, seen: Coverage): void {
  const { event, head, seq } = row
  const previous = rows.closed(seq - 1)?.head
  if (previous === undefined) return
  if (modeOf(head.mode).fileRequest === undefined) return
  const [before, after] = [openFileRequest(previous, rows), openFileRequest(head, rows)]
  const saw = (what: string) => seen(`${what}: ${head.mode}`)
  const { waits, declined } = FileWaits.parse(head.state)
  demand(waits <= FILE_WAITS_MAX, 'a task waits for files three times at most', () => `row ${seq}: ${waits}`)
  demand(after === null || !declined, 'a task asks for no file after a text in place of one', () => `row ${seq}`)
  if (before === null && after !== null) saw('waits for a file')
  if (before === null || event.kind === 'plan_edited') return
  if (event.kind === 'question_expired') saw('wait for a file expired')
  if (event.kind === 'user_answered' && after === null) saw('text in place of a file')
  if (event.kind !== 'file_arrived' || after !== null) return
  saw(waited ? 'awaited file came during a call' : 'awaited file came')
  if (previous.pause_reason?.kind === 'question_expired') saw('awaited file came after the wait')
}
