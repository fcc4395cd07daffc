/** What the task is: its goal, status, mode, and whether the page is in touch with it. */
import { useTask } from './task-context.tsx'

export function Header() {
  const { task } = useTask()
  return <p>{task.status}</p>
}
