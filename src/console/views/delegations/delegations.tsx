/** What waits for workers. */
export function DelegationsView() {
  return <h1>Delegations</h1>
}
