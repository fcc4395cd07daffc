/** What is shown of an agent and of its versions. */
import * as z from 'zod'

const time = z.string().describe('as in RFC 3339')

export const AgentView = z.object({
  name: z.string(),
  version: z.int().min(1).describe('of this definition; each one that differs gets the next number'),
  latest: z.int().min(1).describe('the newest version'),
  etag: z.string().describe('names version and definition, for `If-Match`'),
  definition: z.record(z.string(), z.unknown()).describe('as it was sent'),
  created_at: time.describe('when the first version was put'),
  updated_at: time.describe('when this version was put'),
})
export type AgentView = z.infer<typeof AgentView>
