/** What has been spent on each axis, of how much. */
import { useTask } from '../task-context.tsx'

export function Budget() {
  const { task } = useTask()
  return <p>{task.status}</p>
}
