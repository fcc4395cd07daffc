/**
 * A wire is one way in which endpoints are asked: chat completions, Responses, Messages, or the binding of Workers AI. It writes the
 * request of a call and reads the answer. Only `endpoint-model.ts` decides what is sent again.
 */
import type { ReplyForm, ToolCall, WireName } from '../../core/terms/effect.ts'
import type { Usage } from '../../core/terms/values/usage.ts'
import type { HttpAnswer } from '../../shell/network/bounded-fetch.ts'
import type { ModelRequest } from '../../shell/ports.ts'

/** Where models are asked. */
export interface Endpoint {
  /** The name that tasks use. It is stored with reasoning, which goes back to no other endpoint. */
  name: string
  wire: WireName
  /** Includes the version, as in `https://api.openai.com/v1`. */
  base_url: string
  /** Empty for endpoints without a key. */
  api_key: string
  /** Used when the request names no model. */
  model: string
  fetch: typeof globalThis.fetch
  /** The binding of Workers AI, which has no address. null: the endpoint is asked over HTTP. */
  binding: AiBinding | null
}

/** What is used of the binding of Workers AI. */
interface AiBinding {
  run(model: string, inputs: object, options?: object): Promise<unknown>
}

/** What is known of one model at one endpoint. A wire begins with its `first` dialect and leaves out what was refused. */
export interface Dialect {
  wire: WireName
  form: ReplyForm
  /** Most endpoints know only `max_tokens`; newer models of OpenAI accept only the other name and say so. */
  cap: 'max_tokens' | 'max_completion_tokens'
  temperature: boolean
  /** Whether the effort of reasoning may be named. */
  effort: boolean
  /** The words for an effort that a refusal has named. null: none has. */
  efforts: readonly string[] | null
  /** How thinking is asked for on the Messages wire: the model decides how much, or it gets a budget of tokens, or it cannot be asked. */
  thinking: 'adaptive' | 'budget' | 'fixed'
  /** Whether reasoning that an earlier reply had may be sent back. */
  reasoning: boolean
  /** Whether each earlier reply has to have reasoning, so that a blank stands for what is not known. */
  blank_reasoning: boolean
  /** Whether the reply may be asked as a stream. */
  stream: boolean
  /** Whether a stream may be told to end with the usage. */
  stream_options: boolean
  /** Whether the model may think in an answer that is not streamed. */
  unstreamed_thinking: boolean
  /** Whether schemas are binding. null: nothing may be said of it. */
  strict: boolean | null
  /** Whether a schema has to stand beside its name. Only the binding of Workers AI has models that want it bare. */
  named_schema: boolean
  /** Whether it may be said that one call at a time is wanted. */
  one_call: boolean
  /** Whether ids of calls are nine letters and digits. */
  short_ids: boolean
  /** Whether images are sent. The model sees none, or the endpoint has refused those of this request, which is not remembered. */
  images: 'shown' | 'none' | 'refused'
  /** Whether a reply has to stand between the words of a user and whatever is before them. */
  ordered: boolean
}
export const FIRST_DIALECT: Omit<Dialect, 'wire' | 'form'> = {
  cap: 'max_tokens',
  temperature: true,
  effort: true,
  efforts: null,
  thinking: 'adaptive',
  reasoning: true,
  blank_reasoning: false,
  stream: true,
  stream_options: true,
  unstreamed_thinking: true,
  strict: true,
  named_schema: false,
  one_call: true,
  short_ids: false,
  images: 'shown',
  ordered: false,
}

/** What one call asks for, at which model, and how. */
export interface WireCall {
  request: ModelRequest
  endpoint: Pick<Endpoint, 'name'>
  model: string
  dialect: Dialect
}

/** An answer with an error status. */
export interface WireRefusal {
  status: number
  text: string
}

/** A completion, in the common form. */
export interface WireReply {
  text: string
  finish?: 'length'
  tool_calls?: ToolCall[]
  /** The reasoning that goes back with this reply, as JSON text of the wire. */
  reasoning?: string
  usage: Usage | null
  /** The model that the endpoint names. */
  model: string | null
}
/** Why there is no completion, in our own words. Some endpoints report usage all the same. */
export interface WireFailure {
  reason: string
  usage?: Usage
}

/** Puts the events of one streamed answer together. It keeps what it gets in lists, so that it takes time in proportion to the stream. */
export interface Collector {
  /** Takes the data of one event, which may be anything. Answers what the model says in it: '' for nothing, such as for what it thinks. */
  add(data: string): string
  /** Whether the model has begun to reply, or to show what it thinks, and how many characters of the answer are kept so far. */
  progress(): { hasBegun: boolean; kept: number }
  /**
   * How the answer stands. `whole`: the JSON that would have come without a stream, and no event of the stream is needed any more. At the end of the
   * stream an answer is whole also where only its closing event is missing. `refused`: an error has come in place of a reply. `broken`: an error has
   * ended the reply.
   */
  end(
    hasEnded?: boolean,
  ):
    | { kind: 'open' }
    | { kind: 'whole'; answer: object }
    | { kind: 'refused'; status: number; error: unknown }
    | { kind: 'broken'; word: string | null }
}

/** How the answer to one request is read if it comes as a stream. */
export interface StreamReading {
  collect(): Collector
  /** The longest stream, and the most that the model may say in it. */
  bytes_max: number
  chars_max: number
  /** The longest time between two parts of a reply, in ms. */
  silence_ms: number
  onWords(words: string): void
}

/** Sends one body as one request. Never rejects. A streamed answer comes back whole. */
export type Send = (
  body: object,
  options: { headers: Record<string, string>; signal: AbortSignal; timeout: number; stream: StreamReading },
) => Promise<HttpAnswer>

export interface Wire {
  /** Makes what sends the requests of an endpoint, once for all of its calls. */
  connect(endpoint: Endpoint): Send
  /** The body of the request. The dialect leaves out what the endpoint has refused before. */
  body(call: WireCall): object
  /** Puts a streamed answer together to the one that `read` takes. */
  collect(): Collector
  /** Reads an answer with a status below 300. `asked`: whether tools were offered. */
  read(answer: { type: string | null; text: string }, request: ModelRequest): WireReply | WireFailure
  /** The dialect after a refusal of this one. null: it is a plain error. */
  next(dialect: Dialect, refusal: WireRefusal, request: ModelRequest): Dialect | null
}
