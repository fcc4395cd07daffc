/** What the floors share: where their rows are, and what they ask their model. */
import type { RowObject } from './row-object.ts'

export interface Env {
  ROWS: DurableObjectNamespace<RowObject>
  MODEL_URL: string
}
/** As long as the prompt of the bench task with its schema, which anyone has to send. The bench fails where they differ by a tenth. */
const [SYSTEM_CHARS, USER_CHARS] = [8_750, 2_250]

export const CHAT = {
  model: 'bench-thoughts',
  messages: [
    { role: 'system' as const, content: 's'.repeat(SYSTEM_CHARS) },
    { role: 'user' as const, content: 'u'.repeat(USER_CHARS) },
  ],
  temperature: 0,
  max_tokens: 4096,
}
export const METADATA = { 'cf-aig-metadata': '{"task":"floor","mode":"floor","phase":"thought","seq":3}' }

export const rowsOf = (env: Env, id: string) => env.ROWS.getByName(id)
