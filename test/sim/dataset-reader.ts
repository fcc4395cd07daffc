/** The real `read_dataset` in the simulation, over the files as they are stored when it is called. */
import { ok, refuse } from '../../src/core/terms/refusal.ts'
import type { TaskMethods } from '../../src/core/replay/stored-task.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import type { Files, Tool } from '../../src/shell/ports.ts'
import { readDataset } from '../../src/tools/read-dataset.ts'

/** `methodsOf` gives a task; null where it is gone. */
export function datasetReader(methodsOf: (id: string) => TaskMethods | null): Tool {
  const gone = () => Promise.resolve(refuse({ code: 'task_not_found' }))
  const files: Files = {
    list: ({ task }) => Promise.resolve(methodsOf(task)?.ask({ kind: 'files' }) ?? gone()),
    open({ task }, name) {
      const found = methodsOf(task)?.ask({ kind: 'file', name }) ?? refuse({ code: 'task_not_found' })
      if (!found.ok) return Promise.resolve(found)
      const { value } = found
      return Promise.resolve(ok(value === null ? null : { entry: value, body: bodyStream('a,b\n1,2\n') }))
    },
    write: gone,
  }
  return readDataset({ files, datasets: { report: () => Promise.resolve({ ok: true, text: '{"rows":1}' }) } })
}
