/** One task. */
export function TaskPage({ id, tab }: { id: string; tab: string }) {
  return <h1>{id + tab}</h1>
}
