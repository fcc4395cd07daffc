/** Messages: `POST {base_url}/messages`, which Anthropic and some other endpoints speak. */
import { boundedFetch, noAnswer } from '../../../shell/network/bounded-fetch.ts'
import { answerReading } from '../event-stream.ts'
import { withImageLessons } from '../images.ts'
import type { Endpoint, Send, Wire } from '../wire.ts'
import { collectMessage } from './collect.ts'
import { nextMessagesDialect } from './refusals.ts'
import { readMessage } from './reply.ts'
import { messagesBody } from './request.ts'

/** The version of the API that the bodies are written in. */
const VERSION = '2023-06-01'

/** The headers of a call that say which call it is. No other one is passed on. */
const PASSED = ['cf-aig-metadata', 'traceparent']

/** Writes the requests itself: the package of the API would be half of what the service loads at all. */
function connectMessages({ api_key, base_url, fetch }: Endpoint): Send {
  const url = `${base_url.replace(/\/$/, '')}/messages`
  const fixed = {
    accept: 'application/json',
    'content-type': 'application/json',
    'anthropic-version': VERSION,
    'user-agent': 'loop-agent',
    ...(api_key === '' ? {} : { 'x-api-key': api_key }),
  }
  return async (body, { headers, signal, stream }) => {
    const passed = Object.entries(headers).filter(([name]) => PASSED.includes(name))
    const init = requestInit(body, { ...fixed, ...Object.fromEntries(passed) })
    return init === null
      ? noAnswer('the request could not be made')
      : boundedFetch(fetch, url, { ...init, method: 'POST', signal }, answerReading(stream))
  }
}

/** null: the body is no JSON, or a header cannot be sent, such as a key with a line break. */
function requestInit(body: object, headers: Record<string, string>): { body: string; headers: Headers } | null {
  try {
    return { body: JSON.stringify(body), headers: new Headers(headers) }
  } catch {
    return null
  }
}

export const messagesWire: Wire = {
  connect: connectMessages,
  body: messagesBody,
  collect: collectMessage,
  read: (answer, { tools }) => readMessage(answer, tools.length > 0),
  next: withImageLessons(nextMessagesDialect),
}
