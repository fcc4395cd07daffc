/** The plan with states and progress, and editing it. */
import { useTask } from '../task-context.tsx'

export function Plan() {
  const { task } = useTask()
  return <p>{task.status}</p>
}
