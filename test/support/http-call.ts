/** A plain HTTP tool as a request describes it, and one call of it. */
import type { ToolContext } from '../../src/shell/tool-ports.ts'
import { HttpCall, type ClientTool } from '../../src/core/terms/tools/client-tools.ts'
import { HttpEntry, httpToolOf } from '../../src/http/shapes/tools/http-entry.ts'
import { fits } from '../../src/store/fits.ts'
import { httpCallTool } from '../../src/tools/http/http-call-tool.ts'
import { CALL } from './remote-tool.ts'

type Outside = Parameters<typeof httpCallTool>[0]

/** What a network was asked. */
export interface AskedRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string
}

/** A network that gives one answer to everything. */
export function answering(answer: () => Response) {
  const asked: AskedRequest[] = []
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const request = new Request(String(input), init)
    const body = new TextDecoder().decode(await request.arrayBuffer())
    asked.push({ url: String(input), method: request.method, headers: Object.fromEntries(request.headers), body })
    return answer()
  }
  return { asked, fetch }
}

/** The secrets of tenant acme, which may go to any host but those of `.other.example.com`. */
export const SECRETS: Record<string, string> = { orders: 'k-canary-1', pass: 'p w/"canary"' }
const secrets: Outside['secrets'] = {
  reveal: async (tenant, name, address) => {
    const value = tenant === 'acme' ? SECRETS[name] : undefined
    if (value === undefined) return { ok: false, error: `there is no secret "${name}"` }
    return address.hostname.endsWith('.other.example.com')
      ? { ok: false, error: `the secret "${name}" may not be sent to ${address.hostname}` }
      : { ok: true, value }
  },
}

export const httpOutside = (more: Partial<Outside> = {}): Outside => ({
  fetch: () => Promise.reject(new Error('no network')),
  loopback: false,
  fits,
  secrets,
  now_ms: () => 0,
  ...more,
})

/** The tool of an entry of `tools`. */
export const toolOf = (entry: object): ClientTool => httpToolOf(HttpEntry.parse(entry))

/** The input of a call, and what is special about it. */
export interface OneCall {
  args?: unknown
  call?: Partial<ToolContext>
  outside?: Partial<Outside>
  /** Changes how the tool is called. */
  http?: Partial<HttpCall>
}

/** Calls the tool and says what was asked of the network. */
export async function callOnce(
  tool: ClientTool,
  answer: () => Response,
  { args = {}, call, outside, http }: OneCall = {},
) {
  const { asked, fetch } = answering(answer)
  const runner = httpCallTool(httpOutside({ fetch, ...outside }), tool, { ...HttpCall.parse(tool.call), ...http })
  const input = typeof args === 'string' ? args : JSON.stringify(args)
  return { asked, result: await runner.run(input, { ...CALL, ...call }) }
}

export const jsonAnswer =
  (value: unknown, status = 200) =>
  () =>
    Response.json(value, { status })
