/**
 * A client for the conformance kit of the Model Context Protocol, which is no dependency of this repository. In another folder:
 * `npx @modelcontextprotocol/conformance client --command "node <this repository>/scripts/mcp-conformance.mjs" --suite all`. It lists the tools
 * of the server whose address comes last, and calls each of them as a task would: questions get the defaults of their form, and calls
 * that are held are looked at again. Scenarios in which a person signs in with a browser fail: the service has client credentials only.
 */
import { callMcp, listMcp } from '../src/tools/mcp/mcp-tools.ts'
import { DEFAULT_SETTINGS } from '../src/core/terms/settings.ts'
import { fits } from '../src/store/fits.ts'

const ROUNDS_MAX = 10
const url = process.argv.at(-1)
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')

const outside = {
  fetch: globalThis.fetch,
  reach: { loopback: true },
  secrets: { reveal: () => Promise.resolve({ ok: false, error: 'there is none' }) },
  files: { write: () => Promise.resolve({ ok: true, value: 'written' }) },
  fits,
  now_ms: () => Date.now(),
}
const call = {
  timeout_ms: 20_000,
  traceparent: null,
  tenant: 'conformance',
  task: 'task',
  key: 'task:1',
  now_ms: 0,
  timezone: 'UTC',
  locale: 'en',
  settings: DEFAULT_SETTINGS,
}
// A scenario of authorization without credentials of its own is tried with some all the same.
const some_id = process.env.MCP_CONFORMANCE_SCENARIO?.startsWith('auth/') ? 'conformance' : null
const { client_id = some_id, client_secret = 'unknown', scope = null } = context
const source = {
  kind: 'mcp',
  name: 'kit',
  url,
  headers: {},
  optional: false,
  auth: client_id === null ? null : { kind: 'client_credentials', client_id, client_secret, scope },
  tools: null,
  on_lost: 'ask',
}

const listed = await listMcp({ source, position: 0 }, outside, call)
console.log(JSON.stringify(listed))
if (listed.kind === 'tools_unlisted') process.exit(1)
for (const tool of listed.tools) console.log(tool.name, JSON.stringify(await run(tool)))

/** The result of one call, or its last state. */
async function run(tool) {
  const wanted = (context.toolCalls ?? []).find(({ name }) => name === tool.call.tool)?.arguments
  const input = JSON.stringify(wanted ?? valuesOf(tool.parameters))
  let result = await callMcp(tool, source, input, call, outside)
  for (let round = 0; round < ROUNDS_MAX && 'kind' in result; round++) {
    if (result.kind === 'tool_waits') await new Promise((resolve) => setTimeout(resolve, result.poll_ms))
    const answer = result.kind === 'tool_waits' ? null : { action: 'accept', content: valuesOf(result.question.schema) }
    result = await callMcp(tool, source, input, { ...call, held: { state: result.state, answer } }, outside)
  }
  return result
}

/** A value for each member that has a default or is required. */
function valuesOf(schema) {
  const { properties = {}, required = [] } = schema ?? {}
  const values = Object.entries(properties).flatMap(([name, part]) => {
    if (part.default !== undefined) return [[name, part.default]]
    return required.includes(name) || context.allArguments ? [[name, valueOf(part, name)]] : []
  })
  return Object.fromEntries(values)
}

function valueOf(part, name) {
  // A tool that echoes a schema wants that of another tool.
  if (name === 'schema') return listed.tools[0]?.parameters

  if (part.enum !== undefined) return part.enum[0]
  if (part.type === 'object') return valuesOf(part)
  return { string: 'a', number: 1, integer: 1, boolean: true, array: [] }[part.type] ?? null
}
