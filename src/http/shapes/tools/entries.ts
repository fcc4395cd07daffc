/** The list `tools` of a new task: what an entry may be, the limits of all together (U24), and the tools that they make. */
import * as z from 'zod'
import { isSameToolName, type ClientTool } from '../../../core/terms/tools/client-tools.ts'
import { exampleUrl } from '../../../core/terms/values/http-template.ts'
import { ADDRESS_CHARS_MAX } from '../../../shell/network/address.ts'
import { HttpEntry, httpToolName, httpToolOf } from './http-entry.ts'
import { Parameters, ToolName } from './tool-fields.ts'

const TOOLS_MAX = 32
const TOOLS_BYTES_MAX = 32_768

/** Entries that have one key, which says what they are. */
const KINDS = { http: HttpEntry.optional().describe('a plain HTTP request; then it is the only field of the entry') }
const KIND_NAMES = Object.keys(KINDS).join(', ')

/** A signed tool has its own fields; `name` and `url` are required of it. One object holds all kinds, so that an error names its field. */
const Entry = z
  .strictObject({
    name: ToolName.optional(),
    description: z.string().optional().describe('what the model is told about it'),
    parameters: Parameters.optional(),
    url: z
      .string()
      .max(ADDRESS_CHARS_MAX)
      .optional()
      .describe('https, and a host that the internet knows; it is sent `{task_id, call_id, tool, arguments}`, signed'),
    idempotent: z
      .boolean()
      .optional()
      .describe('whether a call whose worker is lost may be repeated under its `Idempotency-Key`; default: false'),
    ...KINDS,
  })
  .superRefine((entry, issues) => {
    // A misspelt key is reported as unknown, and not as missing.
    if (issues.issues.length > 0) return
    for (const { path, message } of kindErrors(entry)) issues.addIssue({ code: 'custom', path, message })
  })
  .meta({ oneOf: [{ required: ['name', 'url'] }, ...Object.keys(KINDS).map((kind) => ({ required: [kind] }))] })
type Entry = z.output<typeof Entry>

function kindErrors(entry: Entry): { path: string[]; message: string }[] {
  const given = Object.keys(entry)
  const kinds = given.filter((key) => Object.hasOwn(KINDS, key))
  if (kinds.length > 1) return [{ path: [], message: `must have one of ${KIND_NAMES}, not ${kinds.join(' and ')}` }]
  if (kinds.length === 1) {
    const others = given.filter((key) => !kinds.includes(key))
    return others.map((key) => ({ path: [key], message: `must be left out beside ${kinds[0]}, or stand in it` }))
  }
  if (given.length === 0)
    return [{ path: [], message: `must have name and url of a signed tool, or one of ${KIND_NAMES}` }]
  return ['name', 'url'].filter((key) => !given.includes(key)).map((key) => ({ path: [key], message: 'is required' }))
}

/** The name under which a model calls the tool, and its place in the entry. null: the entry is one of several tools. */
function namedAt(entry: Entry): { name: string; path: string[] } | null {
  if (entry.http !== undefined) return { name: httpToolName(entry.http), path: ['http', 'name'] }
  return entry.name === undefined ? null : { name: entry.name, path: ['name'] }
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
    const named = entries.map(namedAt)
    for (const [index, one] of named.entries()) {
      const first = named.findIndex((other) => other !== null && one !== null && isSameToolName(other.name, one.name))
      if (one !== null && first !== index) report('must differ from those of the other tools', [index, ...one.path])
    }
  })
  .meta({
    description: 'tools of your own, beside those of the mode, called over HTTP (32 KB in all)',
    maxItems: TOOLS_MAX,
  })
export type ToolEntries = z.output<typeof Tools>

/** The tools that the entries make, in their order. */
export const clientToolsOf = (entries: ToolEntries): ClientTool[] =>
  entries.flatMap((entry): ClientTool[] => {
    if (entry.http !== undefined) return [httpToolOf(entry.http)]
    const { name, url, description = '', parameters = null, idempotent = false } = entry
    return name === undefined || url === undefined ? [] : [{ name, description, parameters, url, idempotent }]
  })

/** An address that a request names, as it is judged. `is_signed`: what is sent there is signed. */
export interface NamedAddress {
  path: string[]
  url: string
  is_signed: boolean
}

/** The addresses of all entries, each with its place. */
export const toolAddresses = (entries: ToolEntries): NamedAddress[] =>
  entries.flatMap((entry, index): NamedAddress[] => {
    const path = ['tools', String(index)]
    const signed = entry.url === undefined ? [] : [{ path: [...path, 'url'], url: entry.url, is_signed: true }]
    const plain =
      entry.http === undefined
        ? []
        : [{ path: [...path, 'http', 'url'], url: exampleUrl(entry.http.url), is_signed: false }]
    return [...signed, ...plain]
  })
