/** The list `tools` of a new task: what an entry may be, the limits of all together (U24), and the tools and sources that they make. */
import * as z from 'zod'
import { isSameToolName, looseName, type ClientTool, type ToolSource } from '../../../core/terms/tools/client-tools.ts'
import { exampleUrl } from '../../../core/terms/values/http-template.ts'
import { ADDRESS_CHARS_MAX } from '../../../shell/network/address.ts'
import { HttpEntry, httpToolName, httpToolOf } from './http-entry.ts'
import { McpEntry, mcpSourceOf } from './mcp-source.ts'
import { openApiAddresses, OpenApiEntry, openApiSourceOf } from './openapi-source.ts'
import { secretNames } from '../../../shell/secrets/references.ts'
import { Parameters, ToolName } from './tool-fields.ts'

const TOOLS_MAX = 32
const TOOLS_BYTES_MAX = 32_768
/** Each source may add up to 64 KiB to every request. */
const SOURCES_MAX = 8

const SignedEntry = z.strictObject({
  name: ToolName,
  description: z.string().default('').describe('what the model is told about it'),
  parameters: Parameters.optional(),
  url: z
    .string()
    .max(ADDRESS_CHARS_MAX)
    .describe('https, and a host that the internet knows; it is sent `{task_id, call_id, tool, arguments}`, signed'),
  idempotent: z
    .boolean()
    .default(false)
    .describe('whether a call whose worker is lost may be repeated under its `Idempotency-Key`'),
})
const PlainEntry = z.strictObject({
  http: HttpEntry.describe('a plain HTTP request to an API that knows nothing of tasks'),
})

/** The key `http`, `mcp` or `openapi` says what an entry is. An entry with none of them is a signed tool. */
const Entry = z.union([SignedEntry, PlainEntry, McpEntry, OpenApiEntry], {
  error: 'must have name and url of a signed tool, or one of http, mcp, openapi',
})
type Entry = z.output<typeof Entry>

const sourceOf = (entry: Entry): ToolSource | null =>
  'mcp' in entry ? mcpSourceOf(entry) : 'openapi' in entry ? openApiSourceOf(entry) : null

/** The name under which a model calls the tool, or which stands before those of a source, and its place in the entry. */
function namedAt(entry: Entry): { name: string; path: string[] } {
  if ('http' in entry) return { name: httpToolName(entry.http), path: ['http', 'name'] }
  if ('url' in entry) return { name: entry.name, path: ['name'] }
  return { name: sourceOf(entry)?.name ?? '', path: ['name'] }
}

export const Tools = z
  .array(Entry)
  .superRefine((entries, issues) => {
    const report = (message: string, path: (string | number)[] = []) =>
      issues.addIssue({ code: 'custom', message, path })
    // The checks below take time for each tool.
    if (entries.length > TOOLS_MAX) return report(`must be at most ${TOOLS_MAX}`)
    const bytes = new TextEncoder().encode(JSON.stringify(entries)).byteLength
    if (bytes > TOOLS_BYTES_MAX) report(`must have at most ${TOOLS_BYTES_MAX} bytes in all`)
    const sources = entries.flatMap((entry) => sourceOf(entry) ?? [])
    if (sources.length > SOURCES_MAX) report(`must have at most ${SOURCES_MAX} of mcp and openapi`)
    const named = entries.map(namedAt)
    for (const [index, { name, path }] of named.entries()) {
      const first = named.findIndex((other) => isSameToolName(other.name, name))
      if (first !== index) report('must differ from those of the other tools', [index, ...path])
      const entry = entries[index]
      const isTool = entry !== undefined && sourceOf(entry) === null
      const source = isTool ? sources.find((one) => looseName(name).startsWith(looseName(one.name))) : undefined
      // Models that see `tickets_create` in place of `tickets.create` could not tell the two apart.
      if (source !== undefined && /[_-]/.test(name.charAt(source.name.length)))
        report(`must not begin with the name of the source "${source.name}"`, [index, ...path])
    }
  })
  .meta({
    description: 'tools of your own, beside those of the mode: called over HTTP, or listed by a source (32 KB in all)',
    maxItems: TOOLS_MAX,
  })
export type ToolEntries = z.output<typeof Tools>

/** The tools that the entries make, in their order. */
export const clientToolsOf = (entries: ToolEntries): ClientTool[] =>
  entries.flatMap((entry): ClientTool[] => {
    if ('http' in entry) return [httpToolOf(entry.http)]
    if (!('url' in entry)) return []
    const { name, url, description, parameters = null, idempotent } = entry
    return [{ name, description, parameters, url, idempotent }]
  })

/** The sources that the entries name, in their order. A tool names its server by this position. */
export const toolSourcesOf = (entries: ToolEntries): ToolSource[] => entries.flatMap((entry) => sourceOf(entry) ?? [])

/** The places of documents that are files of a task. */
export const documentFilePlaces = (entries: ToolEntries): string[][] =>
  entries.flatMap((entry, index) =>
    'openapi' in entry && typeof entry.openapi === 'object' ? [['tools', String(index), 'openapi']] : [],
  )

/** An address that a request names, as it is judged. `is_signed`: what is sent there is signed. */
export interface NamedAddress {
  path: string[]
  url: string
  is_signed: boolean
}

function addressesOf(entry: Entry): { path: string[]; url: string }[] {
  if ('http' in entry) return [{ path: ['http', 'url'], url: exampleUrl(entry.http.url) }]
  if ('mcp' in entry) return [{ path: ['mcp'], url: entry.mcp }]
  return 'openapi' in entry ? openApiAddresses(entry) : [{ path: ['url'], url: entry.url }]
}

/** The addresses of all entries, each with its place. */
export const toolAddresses = (entries: ToolEntries): NamedAddress[] =>
  entries.flatMap((entry, index) =>
    addressesOf(entry).map(({ path, url }) => ({
      path: ['tools', String(index), ...path],
      url,
      is_signed: 'url' in entry,
    })),
  )

/** A text of an entry that may name a secret, with its place. */
interface SecretPlace {
  path: string[]
  name: string
}

function secretTextsOf(entry: Entry): { path: string[]; text: string }[] {
  const inTexts = (path: string[], texts: Readonly<Record<string, string>> = {}) =>
    Object.entries(texts).map(([name, text]) => ({ path: [...path, name], text }))
  if ('http' in entry)
    return [...inTexts(['http', 'headers'], entry.http.headers), ...inTexts(['http', 'query'], entry.http.query)]
  if ('openapi' in entry) return [...inTexts(['headers'], entry.headers), ...inTexts(['security'], entry.security)]
  if (!('mcp' in entry)) return []
  const { headers, token, oauth } = entry
  return [
    ...inTexts(['headers'], headers),
    ...(token === undefined ? [] : [{ path: ['token'], text: token }]),
    ...(oauth === undefined ? [] : [{ path: ['oauth', 'client_secret'], text: oauth.client_secret }]),
  ]
}

/** The secrets that the entries name, each with its place. */
export const secretPlaces = (entries: ToolEntries): SecretPlace[] =>
  entries.flatMap((entry, index) =>
    secretTextsOf(entry).flatMap(({ path, text }) => {
      const names = secretNames(text)
      return names.ok ? names.value.map((name) => ({ path: ['tools', String(index), ...path], name })) : []
    }),
  )
