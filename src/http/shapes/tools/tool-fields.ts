/** Fields that every kind of tool has. */
import * as z from 'zod'
import { resolveToolName } from '../../../core/terms/tools/client-tools.ts'
import { appliedSchema } from '../../../core/terms/schema/tool-parameters.ts'

const NAME = /^[A-Za-z0-9_-]{1,64}$/
/** A model uses this name to ask the user. */
const RESERVED = 'ask_user'

export const Parameters = z
  .record(z.string(), z.unknown())
  .superRefine((schema, issues) => {
    const applied = appliedSchema(schema)
    if (!applied.ok) issues.addIssue({ code: 'custom', message: applied.error })
  })
  .describe('JSON Schema of its arguments, an object; references within it only. Without it any object is taken')

export const ToolName = z
  .string()
  .refine((name) => NAME.test(name), 'must be 1 to 64 of A-Z a-z 0-9 _ -')
  .refine(
    (name) => resolveToolName([{ name: RESERVED }], name) !== RESERVED,
    `must not be ${RESERVED}, by which a model asks the user`,
  )
  .meta({
    description: 'as models call it, told apart without case; one with the name of a built-in tool replaces that',
    pattern: NAME.source,
  })
