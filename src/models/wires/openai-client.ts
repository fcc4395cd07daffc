/**
 * Sends the requests of chat completions and of Responses through the openai package. Only this file uses the package, and the first call
 * loads it, so that a start does not pay for it.
 */
import OpenAI from 'openai'
import { boundedFetch, noAnswer, type HttpAnswer } from '../../shell/network/bounded-fetch.ts'
import { answerReading } from './event-stream.ts'
import type { Endpoint, Send, StreamReading } from './wire.ts'

/** The only headers that are sent. Nothing else that the package adds leaves the process, such as the platform of the machine. */
const HEADERS_SENT = ['accept', 'authorization', 'cf-aig-metadata', 'content-type', 'traceparent']

/** The call of the package that makes the request of a body. Bodies are checked by the tests of their wire. */
type Create = (client: OpenAI, body: object, options: RequestOptions) => { asResponse(): Promise<Response> }
type RequestOptions = Pick<Parameters<Send>[1], 'headers' | 'signal' | 'timeout'> & { fetchOptions: object }
/** What the package passes on to `fetch` as it got it. */
interface FetchOptions {
  reading?: StreamReading
}

/**
 * Creates one client for all calls of an endpoint, because creating a client costs half as much as a call. The package only writes the request.
 * The answer is read here, because the package reports a page of HTML as a string and a cut reply as a bare TypeError. The package gets an empty
 * 200 instead, so it has nothing to judge or to send again. Each call has an empty 200 of its own, so that concurrent calls cannot mix up their
 * answers. The signal ends a call, because the time-out of the package is no shorter.
 */
export function connectClient({ api_key, base_url, fetch }: Endpoint, create: Create): Send {
  const answers = new WeakMap<Response, HttpAnswer>()
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
      const headers = sentHeaders(sent.headers, api_key !== '')
      answers.set(stand_in, await boundedFetch(fetch, input, { ...sent, headers }, answerReading(reading)))
      return stand_in
    },
  })
  return async (body, { headers, signal, timeout, stream }) => {
    const fetchOptions: FetchOptions = { reading: stream }
    const stand_in = await create(client, body, { headers, signal, timeout, fetchOptions })
      .asResponse()
      .catch(() => null)
    return (stand_in && answers.get(stand_in)) ?? noAnswer('the request could not be made')
  }
}

function sentHeaders(all: HeadersInit | undefined, authorized: boolean): Headers {
  const given = new Headers(all)
  const headers = new Headers({ 'user-agent': 'loop-agent' })
  for (const name of HEADERS_SENT) {
    const value = given.get(name)
    if (value !== null && (authorized || name !== 'authorization')) headers.set(name, value)
  }
  return headers
}
