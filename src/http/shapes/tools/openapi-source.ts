/** An entry of `tools` that is an OpenAPI document: its fields, and the source of tools that it makes. */
import * as z from 'zod'
import { HTTP_METHODS, type OpenApiSource } from '../../../core/terms/tools/client-tools.ts'
import { ADDRESS_CHARS_MAX } from '../../../shell/network/address.ts'
import { SourceName, sourceName } from './source-name.ts'
import { SecretTexts, SourceHeaders } from './tool-fields.ts'

/** A document makes at most 64 tools. */
const NAMES_MAX = 64
const NAME_CHARS_MAX = 300
const FILE_CHARS_MAX = 128

const Address = z.string().min(1).max(ADDRESS_CHARS_MAX)
const DOCUMENT =
  'must be the address of the document, {"url": "https://…"}, or {"file": "api.json"} for a file of the task'
const Document = z.union(
  [Address, z.strictObject({ url: Address }), z.strictObject({ file: z.string().min(1).max(FILE_CHARS_MAX) })],
  { error: DOCUMENT },
)
const Names = z.array(z.string().min(1).max(NAME_CHARS_MAX)).min(1).max(NAMES_MAX)

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
  server: Address.optional().describe(
    'the base address, in place of that of the document; headers and keys that are spelled out go only there or to the host of the document',
  ),
  security: SecretTexts.optional().describe(
    'by the name of a security scheme of the document: a key, a token or `user:password`; a text may end in `secret:name`',
  ),
  headers: SourceHeaders.optional().describe(
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
