/** Deliveries of webhooks. */
export function DeliveriesView() {
  return <h1>Deliveries</h1>
}
