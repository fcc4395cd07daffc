/** What the task waits for: an answer, an approval, a report, more budget. */
import { useTask } from '../task-context.tsx'

export function Waiting() {
  const { task } = useTask()
  return <p>{task.status}</p>
}
