/** A new task. */
export function NewTaskView() {
  return <h1>New</h1>
}
