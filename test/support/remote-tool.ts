/** One call of a client's tool to a server that a test scripts. */
import type { ClientTool } from '../../src/core/terms/tools/client-tools.ts'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import type { ToolContext } from '../../src/shell/tool-ports.ts'
import { fits } from '../../src/store/fits.ts'
import { httpTool } from '../../src/tools/http-tool.ts'
import type { FaultServer, Reply } from './fault-server.ts'

export const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`
/** The secrets of tenant acme during a change of its secret. */
export const [NEWER, OLDER] = [secretOf(1), secretOf(2)]
export const CALL: ToolContext = {
  timeout_ms: 30_000,
  traceparent: null,
  tenant: 'acme',
  task: 'task_1',
  key: 'task_1:4',
  now_ms: 0,
  timezone: 'UTC',
  locale: 'en',
  settings: DEFAULT_SETTINGS,
}
const PARAMETERS = {
  type: 'object',
  properties: { room: { type: 'string' }, seats: { $ref: '#/$defs/seats' } },
  required: ['room'],
  $defs: { seats: { type: 'integer', minimum: 1 } },
}
export const ARGS = '{"room":"会议室 🏠"}'
export const JSON_TYPE = { 'content-type': 'application/json' }

export const outside = (more: Partial<Parameters<typeof httpTool>[0]> = {}) => ({
  fetch: globalThis.fetch,
  secrets: new Map([['acme', [NEWER, OLDER]]]),
  loopback: true,
  fits,
  now_ms: () => Date.now(),
  ...more,
})
/** This callback address has its own secret. */
export const toolAt = ({ origin }: Pick<FaultServer, 'origin'>, more: Partial<ClientTool> = {}): ClientTool => ({
  name: 'book_room',
  description: '',
  parameters: PARAMETERS,
  url: `${origin}/tools?token=canary`,
  idempotent: false,
  ...more,
})
export const runAt = (
  server: FaultServer,
  input = ARGS,
  call: Partial<ToolContext> = {},
  more: Partial<ClientTool> = {},
) => httpTool(outside(), toolAt(server, more)).run(input, { ...CALL, ...call })
export const says = (body: object | string, headers: Record<string, string> = JSON_TYPE): Reply => ({
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
