/** Gives the shown task to all parts of its page. An action on it answers with the task, which is then shown. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import type { ApiAnswer } from '../../api/client.ts'
import type { ApiRequest } from '../../api/request.ts'
import type { TaskView, InputResult } from '../../api/wire.ts'
import { useAction, type Action } from '../../state/use-action.ts'
import type { LiveTask } from '../../state/use-live-task.ts'

/** The live task once it is read. */
type LoadedTask = LiveTask & { task: TaskView }
const Context = createContext<LoadedTask | null>(null)

export function TaskProvider({ task, children }: { task: LoadedTask; children: ComponentChildren }) {
  return <Context.Provider value={task}>{children}</Context.Provider>
}

export function useTask(): LoadedTask {
  const task = useContext(Context)
  if (task === null) throw new Error('useTask outside of its provider')
  return task
}

export interface TaskAction extends Omit<Action, 'run'> {
  /** Returns null if the action is busy already. The page then shows the task of the answer. */
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
      // The task may have changed, and that may be the reason of the refusal.
      else if (answer !== null) refresh()
      return answer
    },
  }
}
