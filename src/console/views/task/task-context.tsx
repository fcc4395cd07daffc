/** The task that a page shows, for all its parts; and doing something to it, whose answer is the task again. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import type { ApiAnswer } from '../../api/client.ts'
import type { ApiRequest } from '../../api/request.ts'
import type { TaskView, InputResult } from '../../api/wire.ts'
import { useAction, type Action } from '../../state/use-action.ts'
import type { LiveTask } from '../../state/use-live-task.ts'

/** Once there is a task to show. */
type LoadedTask = LiveTask & { task: TaskView }
const Context = createContext<LoadedTask | null>(null)

export function TaskProvider({ shown, children }: { shown: LoadedTask; children: ComponentChildren }) {
  return <Context.Provider value={shown}>{children}</Context.Provider>
}

export function useTask(): LoadedTask {
  const shown = useContext(Context)
  if (shown === null) throw new Error('useTask outside of its provider')
  return shown
}

export interface TaskAction extends Omit<Action, 'run'> {
  /** null: it is busy already. What is shown follows the answer. */
  run(request: ApiRequest): Promise<ApiAnswer<InputResult> | null>
}

export function useTaskAction(): TaskAction {
  const { accept, refresh } = useTask()
  const action = useAction()
  return {
    ...action,
    async run(request) {
      const answer = await action.run<InputResult>(request)
      if (answer?.ok === true) {
        const { command: _, ...task } = answer.value
        accept(task, answer.headers.get('etag'))
      }
      // What was refused may have been refused because the task is not what it was.
      else if (answer !== null) refresh()
      return answer
    },
  }
}
