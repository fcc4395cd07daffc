interface Finding {
  check: string
  state: 'ok' | 'warning' | 'error' | 'skipped'
  found: string
  todo: string | null
}
type Ask = (method: string, path: string, options: { with_key: string }) => Promise<{ status: number; json: unknown }>

export function deploymentOf(
  ask: Ask,
  url: URL,
  keys: { admin_key: string; key: string | null; pause_ms?: number },
): Promise<Finding[]>
