/** What came of it: the result, the handover, the error. */
import { useTask } from '../task-context.tsx'

export function Outcome() {
  const { task } = useTask()
  return <p>{task.status}</p>
}
