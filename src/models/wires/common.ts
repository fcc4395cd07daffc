/** What all wires do alike with the messages of a request and with the texts of an answer. */
import type { Message, ReplyForm } from '../../core/terms/effect.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../core/terms/values/parse-json.ts'
import type { WireCall } from './wire.ts'

const FORMS: readonly ReplyForm[] = ['json_schema', 'json_object', 'text']

/** The form below another one. null: it is the lowest. */
export const lowerForm = (form: ReplyForm): ReplyForm | null => FORMS[FORMS.indexOf(form) + 1] ?? null

/** The lower one of two forms. */
export const lowestForm = (one: ReplyForm, other: ReplyForm): ReplyForm =>
  FORMS.indexOf(one) > FORMS.indexOf(other) ? one : other

/** The forms between the requested one and the accepted one. */
export const formsBetween = (asked: ReplyForm, accepted: ReplyForm): ReplyForm[] =>
  FORMS.slice(FORMS.indexOf(asked), FORMS.indexOf(accepted))

/**
 * Endpoints validate the calls of a conversation as strictly as the request. A call that a model wrote wrong would have every later turn refused,
 * so its name is replaced; what the model wrote stands in the answer to the call.
 */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const STRANGE_NAME = 'unknown_tool'
export const sentName = (name: string): string => (NAME.test(name) ? name : STRANGE_NAME)

/** The arguments of a call as they go back: JSON of an object, which a model may have failed to write. */
export const sentArguments = (args: string): string => (isRecord(jsonOrNull(args)) ? args : '{}')

/** The reasoning that goes back with an earlier reply. null: there is none, or it belongs to another wire, endpoint or model. */
export function reasoningFor(
  { reasoning }: Extract<Message, { role: 'assistant' }>,
  { endpoint, model, dialect }: Pick<WireCall, 'endpoint' | 'model' | 'dialect'>,
): string | null {
  if (reasoning === undefined || !dialect.reasoning) return null
  const isSame = reasoning.wire === dialect.wire && reasoning.endpoint === endpoint.name && reasoning.model === model
  return isSame ? reasoning.items : null
}
