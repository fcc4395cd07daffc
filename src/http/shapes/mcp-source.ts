/** An entry of `tools` that names an MCP server, and the source that it becomes. */
import * as z from 'zod'
import type { McpSource } from '../../core/terms/client-tools.ts'
import { ADDRESS_CHARS_MAX } from '../../shell/network/address.ts'

const HEADERS_MAX = 16
const HEADER_CHARS_MAX = 4_096
const TOOLS_MAX = 128
const NAME_CHARS_MAX = 128
const TEXT_CHARS_MAX = 1_024

/** RFC 9110 section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/
/** Visible characters and blanks; a line break would begin another header. */
const HEADER_VALUE = /^[\u0020-\u007E\u0080-\u00FF]*$/
/** The protocol and the connection set these. `secret:` in any other goes to the server and to no one else. */
const OWN_HEADERS: ReadonlySet<string> = new Set(
  'accept accept-encoding connection content-encoding content-length content-type expect host keep-alive last-event-id proxy-authorization te traceparent tracestate trailer transfer-encoding upgrade'.split(
    ' ',
  ),
)
const OWN_PREFIXES = ['mcp-', 'sec-', 'proxy-', 'cf-']

/** null: a client may set it. */
function headerNameError(name: string): string | null {
  if (!HEADER_NAME.test(name)) return 'must be the name of a header'
  const lower = name.toLowerCase()
  const is_own = OWN_HEADERS.has(lower) || OWN_PREFIXES.some((prefix) => lower.startsWith(prefix))
  return is_own ? 'must be another header: the service or the protocol sets this one' : null
}

const SourceHeaders = z
  .record(z.string(), z.string())
  .superRefine((headers, issues) => {
    const report = (message: string, path: string[] = []) => issues.addIssue({ code: 'custom', message, path })
    const names = Object.keys(headers)
    if (names.length > HEADERS_MAX) return report(`must be at most ${HEADERS_MAX}`)
    for (const [name, value] of Object.entries(headers)) {
      const error = headerNameError(name)
      if (error !== null) report(error, [name])
      if (value.length > HEADER_CHARS_MAX) report(`must have at most ${HEADER_CHARS_MAX} characters`, [name])
      else if (!HEADER_VALUE.test(value)) report('must have no line breaks and no characters beyond Latin-1', [name])
      if (names.some((other) => other !== name && other.toLowerCase() === name.toLowerCase()))
        report('must differ from the other headers, without case', [name])
    }
  })
  .meta({
    description:
      'sent with every request to the server; a value may end in `secret:name`, as `Bearer secret:tickets` does',
    maxProperties: HEADERS_MAX,
  })

const Text = z.string().min(1).max(TEXT_CHARS_MAX)
const OAuth = z
  .strictObject({
    client_id: Text.describe('as the authorization server knows the service'),
    client_secret: Text.describe(
      'best `secret:name`, which is sent only to the token endpoint that the secret is bound to',
    ),
    scope: Text.optional().describe('what the token is asked for; without it, what the server names'),
  })
  .describe('OAuth client credentials; the authorization server is found from the metadata of the server')

export const McpEntry = z
  .strictObject({
    mcp: z
      .string()
      .max(ADDRESS_CHARS_MAX)
      .describe('address of an MCP server that speaks Streamable HTTP; https, and a host that the internet knows'),
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,32}$/, 'must be 1 to 32 of A-Z a-z 0-9 _ -')
      .optional()
      .describe('stands before the names of its tools, as in `tickets.create`; without it, taken from the host'),
    headers: SourceHeaders.optional(),
    token: Text.optional().describe('sent as `Authorization: Bearer …`; best `secret:name`'),
    oauth: OAuth.optional(),
    tools: z
      .array(z.string().min(1).max(NAME_CHARS_MAX))
      .min(1)
      .max(TOOLS_MAX)
      .refine((names) => new Set(names).size === names.length, 'must differ')
      .optional()
      .describe('the only tools that are taken, as the server names them; without it all'),
    optional: z
      .boolean()
      .default(false)
      .describe('whether the task goes on without its tools when they cannot be listed'),
    on_lost: z
      .enum(['ask', 'skip'])
      .default('ask')
      .describe(
        'what becomes of a call that was lost with its worker and may not be repeated: a person is asked, or the model is told',
      ),
  })
  .superRefine((entry, issues) => {
    const names = Object.keys(entry.headers ?? {}).map((name) => name.toLowerCase())
    const ways = [entry.token !== undefined, entry.oauth !== undefined, names.includes('authorization')]
    if (ways.filter(Boolean).length > 1)
      issues.addIssue({
        code: 'custom',
        message: 'must be the only one of token, oauth and the header authorization',
        path: [entry.oauth === undefined ? 'token' : 'oauth'],
      })
  })
type McpEntry = z.infer<typeof McpEntry>

/** `name`: the one in the entry, or one that no other source of the task has. */
export function mcpSourceOf(entry: McpEntry, name: string): McpSource {
  const { mcp: url, headers = {}, token, oauth, tools = null, optional, on_lost } = entry
  return { kind: 'mcp', name, url, headers, optional, auth: authOf(token, oauth), tools, on_lost }
}

function authOf(token: string | undefined, oauth: z.infer<typeof OAuth> | undefined): McpSource['auth'] {
  if (token !== undefined) return { kind: 'bearer', token }
  if (oauth === undefined) return null
  const { client_id, client_secret, scope = null } = oauth
  return { kind: 'client_credentials', client_id, client_secret, scope }
}
