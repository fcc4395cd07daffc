/**
 * Sends the requests of chat completions and of Responses through the openai package. Only this file uses the package, and the first call
 * loads it, so that a start does not pay for it.
 */
import OpenAI from 'openai'
import { boundedFetch, noAnswer, type HttpAnswer } from '../../shell/network/bounded-fetch.ts'
import { answerReading } from './event-stream.ts'
import type { Endpoint, Send, StreamReading } from './wire.ts'

/** The only headers that are sent. Nothing else that the package adds leaves the process, such as the platform of the machine. */
const HEADERS_OF_ENDPOINT = ['accept', 'authorization', 'content-type']
const HEADERS_OF_CALL = ['cf-aig-metadata', 'traceparent']

/** The call of the package that makes the request of a body. Bodies are checked by the tests of their wire. */
type Create = (client: OpenAI, body: object, options: RequestOptions) => { asResponse(): Promise<Response> }
type RequestOptions = Pick<Parameters<Send>[1], 'headers' | 'signal' | 'timeout'> & { fetchOptions: object }
/** What the package passes on to `fetch` as it got it. */
interface FetchOptions {
  reading?: StreamReading
}

/** What the package writes for an endpoint around the body of a call. It is the same for each call but for the headers that the call names. */
interface Frame {
  url: string
  headers: Record<string, string>
}

/**
 * Lets the package write the first request of an endpoint. Each later one has the same address and headers, and a body and the headers of its own
 * call: writing them anew costs the package a tenth of a step.
 *
 * The answer is read here, because the package reports a page of HTML as a string and a cut reply as a bare TypeError. The package gets an empty
 * 200 instead, so it has nothing to judge or to send again. Each call has an empty 200 of its own, so that concurrent calls cannot mix up their
 * answers. The signal ends a call, because the time-out of the package is no shorter.
 */
export function connectClient({ api_key, base_url, fetch }: Endpoint, create: Create): Send {
  const answers = new WeakMap<Response, HttpAnswer>()
  let frame: Frame | null = null
  const client = new OpenAI({
    // The package requires a key.
    apiKey: api_key || 'none',
    baseURL: base_url,
    // It gets no answer to send again, and should not.
    maxRetries: 0,
    logLevel: 'off',
    fetch: async (input, init) => {
      const stand_in = new Response()
      const { reading, ...sent }: FetchOptions & RequestInit = init ?? {}
      const given = new Headers(sent.headers)
      // Without a key of ours the one that the package required goes nowhere.
      if (api_key === '') given.delete('authorization')
      const of_endpoint = { 'user-agent': 'loop-agent', ...named(HEADERS_OF_ENDPOINT, given) }
      frame = { url: String(input), headers: of_endpoint }
      const headers = { ...of_endpoint, ...named(HEADERS_OF_CALL, given) }
      answers.set(stand_in, await boundedFetch(fetch, input, { ...sent, headers }, answerReading(reading)))
      return stand_in
    },
  })
  return async (body, { headers, signal, timeout, stream }) => {
    if (frame !== null) {
      const own = { ...frame.headers, ...headers }
      const request = { method: 'POST', headers: own, body: JSON.stringify(body), signal }
      return boundedFetch(fetch, frame.url, request, answerReading(stream))
    }
    const fetchOptions: FetchOptions = { reading: stream }
    const stand_in = await create(client, body, { headers, signal, timeout, fetchOptions })
      .asResponse()
      .catch(() => null)
    return (stand_in && answers.get(stand_in)) ?? noAnswer('the request could not be made')
  }
}

const named = (names: readonly string[], headers: Headers): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])))
