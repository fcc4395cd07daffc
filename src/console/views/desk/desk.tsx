/** Todos and calendar of the workspace. */
export function DeskView() {
  return <h1>Desk</h1>
}
