/** An entry of `tools` that is an OpenAPI document: its fields, and the source of tools that it makes. */
import * as z from 'zod'
import { HTTP_METHODS, type OpenApiSource } from '../../core/terms/tools/client-tools.ts'
import { ADDRESS_CHARS_MAX } from '../../shell/network/address.ts'
import { SourceName, sourceName } from './source-name.ts'

/** A document makes at most 64 tools. */
const NAMES_MAX = 64
const NAME_CHARS_MAX = 300
const PARTS_MAX = 20
const TEXT_CHARS_MAX = 4_000
const FILE_CHARS_MAX = 128

const Address = z.string().min(1).max(ADDRESS_CHARS_MAX)
const DOCUMENT =
  'must be the address of the document, {"url": "https://…"}, or {"file": "api.json"} for a file of the task'
const Document = z.union(
  [Address, z.strictObject({ url: Address }), z.strictObject({ file: z.string().min(1).max(FILE_CHARS_MAX) })],
  { error: DOCUMENT },
)
const Names = z.array(z.string().min(1).max(NAME_CHARS_MAX)).min(1).max(NAMES_MAX)

/** Headers that belong to the connection, or that the service sets. */
const SET_HEADERS: ReadonlySet<string> = new Set(
  'host connection content-length content-type transfer-encoding keep-alive te trailer upgrade expect idempotency-key traceparent accept-encoding proxy-authorization proxy-connection'.split(
    ' ',
  ),
)
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const HEADER_TEXT = /^[\t\x20-\x7e]*$/

function headerError(name: string, text: string, names: readonly string[]): string | null {
  const lower = name.toLowerCase()
  if (!HEADER_NAME.test(name)) return 'is not the name of a header'
  if (SET_HEADERS.has(lower)) return 'is set by the service'
  if (names.filter((other) => other.toLowerCase() === lower).length > 1) return 'is there twice'
  return HEADER_TEXT.test(text) ? null : 'must have printable ASCII characters only'
}

const Texts = z
  .record(z.string().min(1).max(NAME_CHARS_MAX), z.string().max(TEXT_CHARS_MAX))
  .refine((texts) => Object.keys(texts).length <= PARTS_MAX, `must have at most ${PARTS_MAX} members`)
  .meta({ maxProperties: PARTS_MAX })

const Headers = Texts.superRefine((headers, issues) => {
  const names = Object.keys(headers)
  for (const [name, text] of Object.entries(headers)) {
    const message = headerError(name, text, names)
    if (message !== null) issues.addIssue({ code: 'custom', path: [name], message })
  }
})

/** The fields that may stand beside `openapi`. */
const OPENAPI_FIELDS = {
  name: SourceName.optional(),
  operations: Names.optional().describe(
    'the only operations that become tools: by `operationId`, or as `GET /orders/{id}`; default: all, if there are at most 64',
  ),
  tags: Names.optional().describe('only operations that have one of these tags'),
  methods: z
    .array(z.enum(HTTP_METHODS))
    .min(1)
    .max(HTTP_METHODS.length)
    .optional()
    .describe('only operations of these methods'),
  server: Address.optional().describe('the base address, in place of that of the document'),
  security: Texts.optional().describe(
    'by the name of a security scheme of the document: a key, a token or `user:password`; a text may end in `secret:name`',
  ),
  headers: Headers.optional().describe(
    'sent with each request, that for the document too; a text may end in `secret:name`',
  ),
  optional: z
    .boolean()
    .default(false)
    .describe('whether the task goes on without these tools if they cannot be listed'),
}

export const OpenApiEntry = z.strictObject({
  openapi: Document.describe('where an OpenAPI document is; its operations become tools'),
  ...OPENAPI_FIELDS,
})
export type OpenApiEntry = z.output<typeof OpenApiEntry>

export function openApiSourceOf(entry: OpenApiEntry): OpenApiSource {
  const document = typeof entry.openapi === 'string' ? { url: entry.openapi } : entry.openapi
  return {
    kind: 'openapi',
    name: entry.name ?? sourceName(document),
    headers: entry.headers ?? {},
    optional: entry.optional,
    document,
    operations: entry.operations ?? null,
    tags: entry.tags ?? null,
    methods: entry.methods ?? null,
    server: entry.server ?? null,
    security: entry.security ?? {},
  }
}

/** The addresses that an entry names, each with its place in the entry, for the rule of addresses. */
export function openApiAddresses({ openapi, server }: OpenApiEntry): { path: string[]; url: string }[] {
  const document =
    typeof openapi === 'string'
      ? [{ path: ['openapi'], url: openapi }]
      : 'url' in openapi
        ? [{ path: ['openapi', 'url'], url: openapi.url }]
        : []
  return server === undefined ? document : [...document, { path: ['server'], url: server }]
}
