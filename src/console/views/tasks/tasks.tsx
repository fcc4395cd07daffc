/** The list of tasks. */
export function TasksView({ query }: { query: Record<string, string> }) {
  return <h1>{Object.keys(query).length}</h1>
}
