/** The real tools that read files of the client, in the simulation, over the files as they are stored when they are called. */
import { ok, refuse } from '../../src/core/terms/refusal.ts'
import type { TaskMethods } from '../../src/core/replay/stored-task.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import type { Files } from '../../src/shell/ports.ts'
import type { Tool } from '../../src/shell/tool-ports.ts'
import { imageTypeOf } from '../../src/core/terms/files/images.ts'
import { readFile } from '../../src/tools/files.ts'
import { readDataset } from '../../src/tools/read-dataset.ts'
import { png } from '../support/pictures.ts'

/** The content of each file that clients of the simulation put. */
export const contentOf = (name: string): string | Uint8Array<ArrayBuffer> =>
  imageTypeOf(name) === null ? 'a,b\n1,2\n' : png()

/** `methodsOf` gives a task; null where it is gone. */
export function fileReaders(methodsOf: (id: string) => TaskMethods | null): Tool[] {
  const gone = () => Promise.resolve(refuse({ code: 'task_not_found' }))
  const files: Files = {
    list: ({ task }) => Promise.resolve(methodsOf(task)?.ask({ kind: 'files' }) ?? gone()),
    open({ task }, name) {
      const found = methodsOf(task)?.ask({ kind: 'file', name }) ?? refuse({ code: 'task_not_found' })
      if (!found.ok) return Promise.resolve(found)
      const { value } = found
      return Promise.resolve(ok(value === null ? null : { entry: value, body: bodyStream(contentOf(name)) }))
    },
    write: gone,
  }
  const datasets = { report: () => Promise.resolve({ ok: true as const, text: '{"rows":1}' }) }
  return [readDataset({ files, datasets }), readFile(files)].map(({ name, run }) => ({
    name,
    run: (input, call) => run(input, call).catch(resultWithoutTask),
  }))
}

/** A tool whose task was deleted meanwhile throws, which the shell makes a failed result. Nobody waits for it any more. */
function resultWithoutTask(error: unknown): Awaited<ReturnType<Tool['run']>> {
  if (!(error instanceof Error) || error.message !== 'task_not_found') throw error
  return { ok: false, code: 'tool_error', text: 'the task is gone' }
}
