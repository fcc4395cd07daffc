/** Where a tenant has its spans sent, as it is shown. Headers name secrets and have no values of them. */
import * as z from 'zod'

export const TraceReceiver = z.object({
  endpoint: z.string().describe('the whole address that spans are posted to'),
  protocol: z.enum(['http/protobuf', 'http/json']),
  headers: z.record(z.string(), z.string()).describe('as they were put: `Bearer secret:NAME`'),
  capture_content: z.boolean().describe('whether prompts and results are sent'),
  updated_at: z.string(),
  last_failure: z
    .object({ at: z.string(), detail: z.string() })
    .nullable()
    .describe('when spans could not be sent last, and why; null: never since it was put'),
})
export type TraceReceiver = z.infer<typeof TraceReceiver>
