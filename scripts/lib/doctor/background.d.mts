interface Finding {
  check: string
  state: 'ok' | 'warning' | 'error' | 'skipped'
  found: string
  todo: string | null
}
type Ask = (method: string, path: string) => Promise<{ status: number; json: unknown }>

export function drivenOf(ask: Ask, id: string, within_ms?: number): Promise<Finding>
export function listedOf(ask: Ask, task: { label: string; created_at: string }, within_ms?: number): Promise<Finding>
