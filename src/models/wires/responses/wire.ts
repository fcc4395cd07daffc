/** Responses: `POST {base_url}/responses`. It is the only way to the newer models of OpenAI that calls tools. */
import type OpenAI from 'openai'
import { lowerForm } from '../common.ts'
import { withImageLessons } from '../images.ts'
import { connectClient } from '../openai-client.ts'
import { namesStream, refusalText } from '../refusal-text.ts'
import type { Dialect, Wire } from '../wire.ts'
import { collectResponse } from './collect.ts'
import { readResponse } from './reply.ts'
import { responsesBody } from './request.ts'

type Params = OpenAI.Responses.ResponseCreateParams

export const responsesWire: Wire = {
  // The cast holds because only responsesBody() makes the bodies of this wire, and its test compares them with the API.
  connect: (endpoint) =>
    connectClient(endpoint, (client, body, options) => client.responses.create(body as Params, options)),
  body: responsesBody,
  collect: collectResponse,
  read: (answer, { tools }) => readResponse(answer, tools.length > 0),
  next: withImageLessons(nextResponsesDialect),
}

/** How endpoints name the parts of a request, in lower case. Each is left out once. */
const FORM = ['text.format', 'response_format', 'json_schema', 'json_object']
const REASONING = [
  // Of another key, or of a model that has none.
  'encrypted_content',
  'encrypted content',
  // Without the item behind it, or unknown to the endpoint: its ids begin with `rs_`.
  "'rs_",
  "type 'reasoning'",
  "value: 'reasoning'",
]
const EFFORT = ['reasoning.effort', 'reasoning_effort', "parameter: 'reasoning'"]

/** The dialect after a refusal. Only a 400 or 422 that names the refused part counts as negotiation, and a 404 about an item. */
function nextResponsesDialect(dialect: Dialect, { status, text }: { status: number; text: string }): Dialect | null {
  const said = text.toLowerCase()
  const names = (words: readonly string[]) => words.some((word) => said.includes(word))
  const refusesItem = dialect.reasoning && names(REASONING)
  if (status === 404) return refusesItem ? { ...dialect, reasoning: false } : null
  if (status !== 400 && status !== 422) return null
  // Such a refusal may name the form in which the endpoint does not stream.
  if (dialect.stream && namesStream(refusalText(text))) return { ...dialect, stream: false }
  const form = names(FORM) ? lowerForm(dialect.form) : null
  if (form !== null) return { ...dialect, form }
  if (refusesItem) return { ...dialect, reasoning: false }
  if (dialect.effort && names(EFFORT)) return { ...dialect, effort: false }
  return dialect.temperature && said.includes('temperature') ? { ...dialect, temperature: false } : null
}
