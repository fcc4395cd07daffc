/** OpenAPI documents as tests write them, and what is listed of them. */
import type { ClientTool, HttpCall, OpenApiSource } from '../../src/core/terms/tools/client-tools.ts'
import type { Locale } from '../../src/core/terms/locale.ts'
import { readAddress } from '../../src/shell/network/address.ts'
import { listOpenApi, type OpenApiPorts } from '../../src/tools/openapi/list.ts'

export const SOURCE: OpenApiSource = {
  kind: 'openapi',
  name: 'shop',
  headers: {},
  optional: false,
  document: { url: 'https://docs.example.com/v1/openapi.json' },
  operations: null,
  tags: null,
  methods: null,
  server: null,
  security: {},
}

export const OK_RESPONSE = { responses: { 200: { description: 'ok', content: { 'application/json': {} } } } }

export const documentWith = (paths: object, more: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.example.com/v1' }],
  paths,
  ...more,
})

/** Everything that the import asks of outside; the document is what its address answers. */
export function portsFor(text: string | Uint8Array<ArrayBuffer>, more: Partial<OpenApiPorts> = {}): OpenApiPorts {
  const body = typeof text === 'string' ? new Uint8Array(new TextEncoder().encode(text)) : text
  return {
    fetchDocument: async () => ({ kind: 'answered', status: 200, headers: new Headers(), body }),
    files: { open: async () => ({ ok: true, value: null }) },
    checkAddress: (url) => readAddress(url, { loopback: false }),
    pause: async () => {},
    ...more,
  }
}

export const CALLER = { tenant: 'acme', task: 'task_1', now_ms: 0, locale: 'en' as Locale }

export const list = (
  document: object | string,
  source: Partial<OpenApiSource> = {},
  ports: Partial<OpenApiPorts> = {},
) =>
  listOpenApi(
    { source: { ...SOURCE, ...source }, position: 0 },
    portsFor(typeof document === 'string' ? document : JSON.stringify(document), ports),
    CALLER,
  )

/** The tools and notes of a document that can be listed. */
export async function listed(document: object | string, source: Partial<OpenApiSource> = {}) {
  const answer = await list(document, source)
  if (answer.kind !== 'tools_listed') throw new Error(answer.reason)
  return answer
}

/** The reason why a document cannot be listed. */
export async function reasonOf(document: object | string, source: Partial<OpenApiSource> = {}): Promise<string> {
  const answer = await list(document, source)
  return answer.kind === 'tools_unlisted' ? answer.reason : `listed ${answer.tools.map(({ name }) => name).join(', ')}`
}

/** The only tool of a document with one operation. */
export async function toolOf(operation: object, more: object = {}, source: Partial<OpenApiSource> = {}) {
  const { tools, notes } = await listed(documentWith({ '/orders': { post: operation } }, more), source)
  const [tool] = tools
  if (tool === undefined) throw new Error('no tool')
  return { tool, call: httpCallOf(tool), notes }
}

export function httpCallOf(tool: ClientTool): HttpCall {
  if (tool.call?.kind !== 'http') throw new Error('not an HTTP call')
  return tool.call
}

/** The request that a call makes, for arguments that are texts, numbers or a body. */
export function requestOf(tool: ClientTool, args: Record<string, unknown>) {
  const call = httpCallOf(tool)
  const valueOf = (part: HttpCall['query'][number]) => ('argument' in part ? args[part.argument] : part.value)
  const filled = tool.url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])))
  const url = new URL(filled)
  for (const part of call.query) {
    const value = valueOf(part)
    if (value !== undefined) for (const one of [value].flat()) url.searchParams.append(part.name, String(one))
  }
  const headers: Record<string, string> = {}
  for (const part of call.headers) {
    const value = valueOf(part)
    if (value !== undefined) headers[part.name.toLowerCase()] = String(value)
  }
  if (call.body !== null && args['body'] !== undefined) headers['content-type'] = call.body.type
  return { method: call.method, url, headers, body: call.body === null ? undefined : args['body'] }
}
