/** What a refusal of a chat completion says of the endpoint. Only a 400 or 422 that names a part of the request counts as negotiation, and a 404 that names another wire (U7). */
import type { ModelRequest } from '../../../shell/ports.ts'
import { lowerForm } from '../common.ts'
import { namesStream, refusalText } from '../refusal-text.ts'
import type { Dialect, WireRefusal } from '../wire.ts'
import { effortWord, namedEfforts } from './effort.ts'

/** Changes a dialect by what was said of the request. null: it says nothing of this part, or the part is not sent any more. */
type Lesson = (dialect: Dialect, said: string, request: ModelRequest) => Partial<Dialect> | null

/** The dialect after a refusal. One part is given up at a time. */
export function nextChatDialect(
  dialect: Dialect,
  { status, text }: WireRefusal,
  request: ModelRequest,
): Dialect | null {
  const said = refusalText(text)
  // Some models take tools, or answer at all, only over Responses. The errors that say so name an effort too, so this comes first.
  if ([400, 404, 422].includes(status) && said.includes('v1/responses')) return { ...dialect, wire: 'responses' }
  if (status !== 400 && status !== 422) return null
  for (const lesson of LESSONS) {
    const change = lesson(dialect, said, request)
    if (change !== null) return { ...dialect, ...change }
  }
  return null
}

/** A member that the endpoint does not know, or does not take from this model. */
const UNKNOWN =
  /unknown|unsupported|unrecogni[sz]ed|unexpected|not (be )?(supported|allowed|permitted|accepted)|not match any|forbidden/i

const cap: Lesson = (dialect, said) => {
  if (dialect.cap !== 'max_tokens' || !said.includes('max_tokens')) return null
  return said.includes('max_completion_tokens') || /extra_forbidden|unrecognized|unknown/i.test(said)
    ? { cap: 'max_completion_tokens' }
    : null
}

const DEMANDED = /missing|must be (passed|provided|sent|included)|required/i

/** DeepSeek and Kimi demand reasoning of each earlier reply with calls, also of those that another model has written. */
const demandedReasoning: Lesson = ({ blank_reasoning }, said) =>
  !blank_reasoning && said.includes('reasoning_content') && DEMANDED.test(said)
    ? { reasoning: true, blank_reasoning: true }
    : null

const OF_REASONING = /reasoning_content|reasoning_details|\breasoning\b|\bthinking\b/i

const refusedReasoning: Lesson = (dialect, said, { messages }) => {
  const { reasoning, blank_reasoning } = dialect
  const isSent = blank_reasoning || (reasoning && messages.some((message) => 'reasoning' in message))
  return isSent && OF_REASONING.test(said) && UNKNOWN.test(said) ? { reasoning: false, blank_reasoning: false } : null
}

const FORM = /response.?format|json.?schema|json.?mode|json.?object|response mime type/i
const SCHEMA = /\bstrict\b|invalid (json )?schema|flavored json schema/i

/** Schemas that are not binding need not be of the kind that the endpoint can enforce. */
const strictness: Lesson = ({ strict }, said) => {
  if (strict === null || !SCHEMA.test(said)) return null
  if (/\bstrict\b/i.test(said) && UNKNOWN.test(said)) return { strict: null }
  return strict ? { strict: false } : null
}

const form: Lesson = (dialect, said, { contract }) => {
  const lower = contract === null || !FORM.test(said) ? null : lowerForm(dialect.form)
  return lower === null ? null : { form: lower }
}

const OF_EFFORT =
  /reasoning.?effort|\.effort\b|reasoning value|think(ing)? (value|level)|support thinking|only works in thinking/i

const effort: Lesson = (dialect, said, { reasoning_effort }) => {
  if (!dialect.effort || reasoning_effort === null || !OF_EFFORT.test(said)) return null
  const refused = effortWord(reasoning_effort, dialect.efforts)
  const named = refused === null ? [] : namedEfforts(said, refused)
  const efforts = named.filter((word) => dialect.efforts?.includes(word) ?? true)
  return efforts.length === 0 ? { effort: false } : { efforts }
}

const streamOptions: Lesson = (dialect, said) =>
  dialect.stream && dialect.stream_options && said.includes('stream_options') ? { stream_options: false } : null

/** Some models do not stream at all, some not in each form. */
const stream: Lesson = (dialect, said) => (dialect.stream && namesStream(said) ? { stream: false } : null)

/** Qwen's open models think only in a stream. */
const thinking: Lesson = (dialect, said) =>
  dialect.unstreamed_thinking && /enable.thinking/i.test(said) && /stream|set to false/i.test(said)
    ? { unstreamed_thinking: false }
    : null

const oneCall: Lesson = (dialect, said) =>
  dialect.one_call && said.includes('parallel_tool_calls') ? { one_call: false } : null

const temperature: Lesson = (dialect, said) =>
  dialect.temperature && said.includes('temperature') ? { temperature: false } : null

const shortIds: Lesson = ({ short_ids }, said) =>
  !short_ids && /tool.?call.?id/i.test(said) && /length of 9\b/.test(said) ? { short_ids: true } : null

const ordered: Lesson = (dialect, said) =>
  !dialect.ordered && /unexpected role|roles must alternate|successive user/i.test(said) ? { ordered: true } : null

/** Those that look for one name come before those that look for a word that may stand in any sentence. */
const LESSONS: readonly Lesson[] = [
  cap,
  demandedReasoning,
  effort,
  oneCall,
  temperature,
  refusedReasoning,
  streamOptions,
  stream,
  strictness,
  form,
  thinking,
  shortIds,
  ordered,
]
