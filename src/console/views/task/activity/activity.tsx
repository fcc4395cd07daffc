/** What has happened: thoughts, actions, questions, changes of the plan. */
import { useTask } from '../task-context.tsx'

export function Activity() {
  const { task } = useTask()
  return <p>{task.status}</p>
}
