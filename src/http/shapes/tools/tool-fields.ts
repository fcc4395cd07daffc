/** Fields that every kind of tool has. */
import * as z from 'zod'
import { resolveToolName } from '../../../core/terms/tools/client-tools.ts'
import { readReference } from '../../../shell/secrets/references.ts'
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

/** Headers that belong to the connection, or that the service or a protocol sets. */
const SET_HEADERS: ReadonlySet<string> = new Set(
  'host connection content-length content-type content-encoding transfer-encoding keep-alive te trailer upgrade expect idempotency-key traceparent tracestate accept-encoding last-event-id'.split(
    ' ',
  ),
)
const SET_PREFIXES = ['mcp-', 'sec-', 'proxy-', 'cf-']
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const HEADER_TEXT = /^[\t\x20-\x7e]*$/

/** What is wrong with a header that a client sets. null: nothing. */
export function headerError(name: string, text: string, names: readonly string[]): string | null {
  const lower = name.toLowerCase()
  if (!HEADER_NAME.test(name)) return 'is not the name of a header'
  if (SET_HEADERS.has(lower) || SET_PREFIXES.some((prefix) => lower.startsWith(prefix))) return 'is set by the service'
  if (names.filter((other) => other.toLowerCase() === lower).length > 1) return 'is there twice'
  if (!HEADER_TEXT.test(text)) return 'must have printable ASCII characters only'
  return secretError(text)
}

/** What is wrong with a text that may end in `secret:name`. null: nothing. */
export function secretError(text: string): string | null {
  const reference = readReference(text)
  return reference.ok ? null : reference.error
}

const TEXTS_MAX = 20
const TEXT_CHARS_MAX = 4_000

/** A text that may name a secret. */
export const SecretText = z
  .string()
  .min(1)
  .max(TEXT_CHARS_MAX)
  .superRefine((text, issues) => {
    const message = secretError(text)
    if (message !== null) issues.addIssue({ code: 'custom', message })
  })
export const SecretTexts = z
  .record(z.string().min(1).max(300), SecretText)
  .refine((texts) => Object.keys(texts).length <= TEXTS_MAX, `must have at most ${TEXTS_MAX} members`)
  .meta({ maxProperties: TEXTS_MAX })

/** The headers that a source sends with each request. */
export const SourceHeaders = z
  .record(z.string(), z.string().max(TEXT_CHARS_MAX))
  .superRefine((headers, issues) => {
    const report = (message: string, path: string[] = []) => issues.addIssue({ code: 'custom', message, path })
    const names = Object.keys(headers)
    if (names.length > TEXTS_MAX) return report(`must have at most ${TEXTS_MAX} members`)
    for (const [name, text] of Object.entries(headers)) {
      const message = headerError(name, text, names)
      if (message !== null) report(message, [name])
    }
  })
  .meta({ maxProperties: TEXTS_MAX })
