/** What came back from an address that was sent a test delivery. */
import * as z from 'zod'

export const WebhookTest = z.object({
  id: z.string().describe('the `webhook-id` that was sent'),
  ok: z.boolean().describe('whether a real delivery would have been taken: any 2xx'),
  status: z.int().nullable().describe('the HTTP status; null: nothing answered'),
  detail: z.string().nullable().describe('why it was not taken; null: it was'),
  duration_ms: z.int(),
  body: z.string().describe('what was answered, at most 1000 characters'),
  body_cut: z.boolean().describe('whether more was answered'),
})
export type WebhookTest = z.infer<typeof WebhookTest>
