/** The tools of a client: the fields of each, and the limits of all together (U24). */
import * as z from 'zod'
import { isSameToolName, resolveToolName } from '../../core/terms/tools/client-tools.ts'
import { appliedSchema } from '../../core/terms/schema/tool-parameters.ts'
import { ADDRESS_CHARS_MAX } from '../../shell/network/address.ts'

const TOOLS_MAX = 32
const TOOLS_BYTES_MAX = 32_768
const NAME = /^[A-Za-z0-9_-]{1,64}$/
/** A model uses this name to ask the user. */
const RESERVED = 'ask_user'

const Parameters = z
  .record(z.string(), z.unknown())
  .superRefine((schema, issues) => {
    const applied = appliedSchema(schema)
    if (!applied.ok) issues.addIssue({ code: 'custom', message: applied.error })
  })
  .describe('JSON Schema of its arguments, an object; references within it only. Without it any object is taken')

const Tool = z.strictObject({
  name: z
    .string()
    .refine((name) => NAME.test(name), 'must be 1 to 64 of A-Z a-z 0-9 _ -')
    .refine(
      (name) => resolveToolName([{ name: RESERVED }], name) !== RESERVED,
      `must not be ${RESERVED}, by which a model asks the user`,
    )
    .meta({
      description: 'as models call it, told apart without case; one with the name of a built-in tool replaces that',
      pattern: NAME.source,
    }),
  description: z.string().default('').describe('what the model is told about it'),
  parameters: Parameters.optional(),
  url: z
    .string()
    .max(ADDRESS_CHARS_MAX)
    .describe('https, and a host that the internet knows; it is sent `{task_id, call_id, tool, arguments}`, signed'),
  idempotent: z
    .boolean()
    .default(false)
    .describe('whether a call whose worker is lost may be repeated under its `Idempotency-Key`'),
})

const isFirst = (tools: { name: string }[], index: number) =>
  tools.findIndex(({ name }) => isSameToolName(name, tools[index]?.name ?? '')) === index

export const Tools = z
  .array(Tool)
  .superRefine((tools, issues) => {
    const report = (message: string, path: (string | number)[] = []) =>
      issues.addIssue({ code: 'custom', message, path })
    // The checks below take time for each tool.
    if (tools.length > TOOLS_MAX) return report(`must be at most ${TOOLS_MAX}`)
    const bytes = new TextEncoder().encode(JSON.stringify(tools)).byteLength
    if (bytes > TOOLS_BYTES_MAX) report(`must have at most ${TOOLS_BYTES_MAX} bytes in all`)
    for (const index of tools.keys())
      if (!isFirst(tools, index)) report('must differ from those of the other tools', [index, 'name'])
  })
  .meta({
    description: 'tools of your own, beside those of the mode, called over HTTP (32 KB in all)',
    maxItems: TOOLS_MAX,
  })
