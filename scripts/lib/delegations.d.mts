/** Types of delegations.mjs for the tests. */
export type Outcome<Body> =
  | { kind: 'done'; body: Body }
  | { kind: 'refused'; status: number; code: string; detail: string }
  | { kind: 'again'; reason: string; retry_after_ms: number | null }
export interface DelegationClient {
  page(after: string | null, wait_s: number): Promise<Outcome<unknown>>
  command(id: string): Promise<Outcome<Uint8Array>>
  claim(id: string, who: { worker: string; lease_s: number }): Promise<Outcome<unknown>>
  report(id: string, report: { content_type: string; body: string | Uint8Array }): Promise<Outcome<unknown>>
}
export function delegationClient(options: {
  url: string
  key: string
  stop: AbortSignal
  pool?: string
  fetch?: (url: string, init: object) => Promise<unknown>
}): DelegationClient
