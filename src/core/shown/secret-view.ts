/** What is shown of a secret: everything but its value, which no answer has. */
import * as z from 'zod'

export const SecretView = z.object({
  name: z.string(),
  hosts: z.array(z.string()).describe('where its value may be sent'),
  created_at: z.string(),
  updated_at: z.string().describe('when it was last put'),
  last_used_at: z.string().nullable().describe('to the minute; null: never'),
})
export type SecretView = z.infer<typeof SecretView>
