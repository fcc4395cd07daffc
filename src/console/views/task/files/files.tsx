/** Files of the task: put, shown, fetched, deleted. */
import { useTask } from '../task-context.tsx'

export function Files() {
  const { task } = useTask()
  return <p>{task.status}</p>
}
