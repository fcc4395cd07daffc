/** The ledger: each effect with what it cost, and where the task can be forked. */
import { useTask } from '../task-context.tsx'

export function Journal() {
  const { task } = useTask()
  return <p>{task.status}</p>
}
