/** The files of a task, over its rows: they are written by its tools, fenced by the seq of the effect. */
import { roomFor } from '../core/files.ts'
import { ok, refuse, type Result } from '../core/refusal.ts'
import type { TaskMethods } from '../core/task-methods.ts'
import { utf8Bytes } from '../core/text.ts'
import type { Rows } from './rows.ts'

export function fileMethods(rows: Rows, now: () => number): Pick<TaskMethods, 'readFile' | 'writeFile' | 'listFiles'> {
  // Without a journal there is no task, and no table is made (docs/protocol.md 12).
  const ofTask = <T>(answer: () => Result<T>): Result<T> =>
    rows.last() === null ? refuse({ code: 'task_not_found' }) : answer()
  return {
    readFile: (name) => ofTask(() => ok(rows.file(name))),
    listFiles: () => ofTask(() => ok([...rows.files()])),
    writeFile: (file) =>
      ofTask(() => {
        const { name, seq, content } = file
        const files = rows.files()
        const known = files.find((one) => one.name === name)?.seq ?? 0
        // Its worker was given up for lost, and the task has gone on.
        if (known > seq) return refuse({ code: 'lease_lost' })
        if (known === seq) return ok('written')
        const room = roomFor(files, file)
        if (room === 'written') rows.keepFile({ name, seq, at: now(), bytes: utf8Bytes(content), content })
        return ok(room)
      }),
  }
}
