/** The task as JSON, and the curl line that reads it. */
import { useTask } from './task-context.tsx'

export function Raw() {
  const { task } = useTask()
  return <p>{task.status}</p>
}
