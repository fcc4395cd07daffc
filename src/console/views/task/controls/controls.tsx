/** What can be done with the task: step, run, say, pause, resume, cancel, delete. */
import { useTask } from '../task-context.tsx'

export function Controls() {
  const { task } = useTask()
  return <p>{task.status}</p>
}
