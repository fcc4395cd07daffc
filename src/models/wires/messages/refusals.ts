/** What endpoints of the Messages wire refuse, in their words: `{"type":"error","error":{"type","message"}}` and what stands in for it. */
import { lowerForm } from '../common.ts'
import { namesStream, refusalText } from '../refusal-text.ts'
import type { Dialect } from '../wire.ts'

/** Signed thinking is refused if anything before it has changed since, or if it came from elsewhere. */
const OLD_THINKING = /signature|cannot be modified/i
const FORM =
  /output_config\.format|output_format|json_schema|structured output|schema is too complex|recursive definitions|compiled grammar/i
/** A member that nobody knows: `output_config: Extra inputs are not permitted`. */
const NO_CONFIG = /output_config\W+extra inputs/i
const THINKING_TYPE = /thinking\.type\.(\w+)\W+is not supported/i
const THINKING = /\bthinking\b/i
const UNSUPPORTED = /not support|extra inputs|not permitted|input tag|input should|expected `thinking`|budget_tokens/i

/** The dialect after a refusal. Only a 400 or 422 that names the refused part counts as negotiation. */
export function nextMessagesDialect(
  dialect: Dialect,
  { status, text }: { status: number; text: string },
): Dialect | null {
  if (status !== 400 && status !== 422) return null
  // Such a refusal may name the thinking or the form in which the endpoint does not stream.
  if (dialect.stream && namesStream(refusalText(text))) return { ...dialect, stream: false }
  if (dialect.reasoning && THINKING.test(text) && OLD_THINKING.test(text)) return { ...dialect, reasoning: false }
  const [, type] = THINKING_TYPE.exec(text) ?? []
  if (type !== undefined) return withLessThinking(dialect, type)
  if (NO_CONFIG.test(text)) return withoutConfig(dialect)
  const lower = FORM.test(text) ? withLowerForm(dialect) : null
  if (lower !== null) return lower
  if (dialect.temperature && text.includes('temperature')) return { ...dialect, temperature: false }
  if (dialect.effort && text.includes('effort')) return { ...dialect, effort: false }
  return THINKING.test(text) && UNSUPPORTED.test(text) ? withLessThinking(dialect) : null
}

/** The lowest form of this wire is an instruction, which no endpoint refuses. */
function withLowerForm(dialect: Dialect): Dialect | null {
  const form = dialect.form === 'json_schema' ? lowerForm(dialect.form) : null
  return form === null ? null : { ...dialect, form }
}

/** Both the form and the effort stand in the member. */
function withoutConfig(dialect: Dialect): Dialect | null {
  const lower = withLowerForm(dialect)
  return lower === null && !dialect.effort ? null : { ...(lower ?? dialect), effort: false }
}

/**
 * A model that refuses to stop thinking decides by itself, and so does one that refuses a budget. One that cannot decide by itself gets a budget.
 * `type`: the refused type. Without it the one that was asked for was refused.
 */
function withLessThinking(dialect: Dialect, type?: string): Dialect | null {
  if (dialect.thinking === 'fixed') return null
  const needsBudget = dialect.thinking === 'adaptive' && (type === undefined || type === 'adaptive')
  return { ...dialect, thinking: needsBudget ? 'budget' : 'fixed' }
}
