/** Lists the tools of an MCP server: all pages within bounds, under names and schemas that every model endpoint takes. */
import type { Attempt } from '../../core/terms/attempt.ts'
import type { ClientTool, McpSource } from '../../core/terms/tools/client-tools.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { cut } from '../../core/terms/text.ts'
import { nameHint, nameList } from '../../core/terms/values/known-names.ts'
import { sha256, toHex } from '../../shell/hex.ts'
import { canonicalJson } from './canonical-json.ts'
import type { McpServer } from './server.ts'
import { failureError } from './failures.ts'
import { mcpFailure, type McpFailure } from './texts.ts'
import { headerError, toolOf, type GivenTool } from './tool-shape.ts'

const PAGES_MAX = 10
const TOOLS_MAX = 128
const BYTES_MAX = 262_144

/** The tools as the server gives them. `left_out`: how many more there are at least. */
interface Pages {
  tools: unknown[]
  left_out: number
  /** Whether there are pages that were not asked for. */
  has_more: boolean
}
interface ToolList {
  tools: ClientTool[]
  digest: string
  notes: string[]
}

export async function listTools(
  server: McpServer,
  { source, position }: { source: McpSource; position: number },
): Promise<ToolList> {
  if (!server.has_tools) throw failureError(mcpFailure('no_tools'))
  const { tools: given, left_out, has_more } = await readPages(server)
  const digest = toHex(await sha256(canonicalJson(given)))
  const { tools, notes } = readTools(given)
  const chosen = chooseTools(tools, source.tools, has_more || left_out > 0)
  if (!chosen.ok) throw failureError(chosen.error)
  const taken = new Set<string>()
  const made = chosen.value.map((tool) => toolOf(tool, { source, position, taken, runs_tasks: server.has_tasks }))
  const lost = has_more ? `at least ${left_out} tools and further pages` : `${left_out} tools`
  return {
    tools: made.map(({ tool }) => tool),
    digest,
    notes: [
      ...notes,
      ...made.flatMap((one) => one.notes),
      ...(left_out > 0 || has_more
        ? [`${lost} are left out: at most ${PAGES_MAX} pages, ${TOOLS_MAX} tools and 256 kB are taken`]
        : []),
    ],
  }
}

async function readPages(server: McpServer): Promise<Pages> {
  const pages: Pages = { tools: [], left_out: 0, has_more: false }
  let bytes = 0
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const result: Record<string, unknown> = await server.request('tools/list', cursor === null ? {} : { cursor })
    const { tools, nextCursor: next } = result
    if (!Array.isArray(tools)) throw failureError(mcpFailure('no_protocol', 'a list without tools'))
    for (const tool of tools) {
      bytes += JSON.stringify(tool).length
      if (pages.tools.length < TOOLS_MAX && bytes <= BYTES_MAX) pages.tools.push(tool)
      else pages.left_out += 1
    }
    if (typeof next !== 'string' || next === cursor) return pages
    cursor = next
    if (pages.left_out > 0) break
  }
  return { ...pages, has_more: true }
}

/** What can be called. What is not a tool is named in a note. */
function readTools(given: readonly unknown[]): { tools: GivenTool[]; notes: string[] } {
  const tools: GivenTool[] = []
  const notes: string[] = []
  for (const one of given) {
    const name = isRecord(one) && typeof one['name'] === 'string' ? one['name'] : ''
    const shown = cut(name, 80)
    if (!isRecord(one) || name === '') notes.push('an entry of the list is no tool')
    else if (tools.some((other) => other.name === name)) notes.push(`${shown}: it is listed twice`)
    else {
      const error = headerError(one['inputSchema'])
      if (error === null) tools.push({ ...one, name })
      else notes.push(`${shown}: left out, because ${error}`)
    }
  }
  return { tools, notes }
}

/** The tools that the source takes. A name that the server does not have is told with the nearest one. */
function chooseTools(
  tools: readonly GivenTool[],
  wanted: readonly string[] | null,
  is_cut: boolean,
): Attempt<GivenTool[], McpFailure> {
  if (wanted === null) return { ok: true, value: [...tools] }
  const names = tools.map(({ name }) => name)
  const unknown = wanted.filter((name) => !names.includes(name))
  if (unknown.length === 0) return { ok: true, value: tools.filter(({ name }) => wanted.includes(name)) }
  const said = unknown.slice(0, 5).map((name) => `"${cut(name, 80)}"${nameHint(name, names)}`)
  const known = cut(nameList(names), 1_000)
  const detail = `${said.join(', ')}; it has ${known}${is_cut ? ', and more than are taken' : ''}`
  return { ok: false, error: mcpFailure('unknown_tools', detail) }
}
