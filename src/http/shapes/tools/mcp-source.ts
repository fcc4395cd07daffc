/** An entry of `tools` that names an MCP server, and the source that it becomes. */
import * as z from 'zod'
import type { McpSource } from '../../../core/terms/tools/client-tools.ts'
import { ADDRESS_CHARS_MAX } from '../../../shell/network/address.ts'
import { readReference } from '../../../shell/secrets/references.ts'
import { SourceName, sourceName } from './source-name.ts'
import { SecretText, SourceHeaders } from './tool-fields.ts'

const TOOLS_MAX = 128
const NAME_CHARS_MAX = 128
const TEXT_CHARS_MAX = 1_024

const Text = z.string().min(1).max(TEXT_CHARS_MAX)
const secretName = (text: string): string | null => {
  const reference = readReference(text)
  return reference.ok && reference.value.text === '' ? reference.value.name : null
}
const OAuth = z
  .strictObject({
    client_id: Text.describe('as the authorization server knows the service'),
    client_secret: SecretText.refine(
      (text) => secretName(text) !== null,
      'must be secret:name, because the server names the address that it is sent to',
    ).describe('`secret:name`, which is sent only to a token endpoint at a host of the secret'),
    scope: Text.optional().describe('what the token is asked for; without it, what the server names'),
  })
  .describe('OAuth client credentials; the authorization server is found from the metadata of the server')

export const McpEntry = z
  .strictObject({
    mcp: z
      .string()
      .max(ADDRESS_CHARS_MAX)
      .describe('address of an MCP server that speaks Streamable HTTP; https, and a host that the internet knows'),
    name: SourceName.optional(),
    headers: SourceHeaders.optional().describe(
      'sent with every request to the server; a value may end in `secret:name`, as `Bearer secret:tickets` does',
    ),
    token: SecretText.optional().describe('sent as `Authorization: Bearer …`; best `secret:name`'),
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
    // The protocol asks for two types at once.
    const accept = Object.keys(entry.headers ?? {}).find((name) => name.toLowerCase() === 'accept')
    if (accept !== undefined)
      issues.addIssue({ code: 'custom', message: 'is set by the service', path: ['headers', accept] })
    const ways = [entry.token !== undefined, entry.oauth !== undefined, names.includes('authorization')]
    if (ways.filter(Boolean).length > 1)
      issues.addIssue({
        code: 'custom',
        message: 'must be the only one of token, oauth and the header authorization',
        path: [entry.oauth === undefined ? 'token' : 'oauth'],
      })
  })
export type McpEntry = z.output<typeof McpEntry>

export function mcpSourceOf(entry: McpEntry): McpSource {
  const {
    mcp: url,
    name = sourceName({ url: entry.mcp }),
    headers = {},
    token,
    oauth,
    tools = null,
    optional,
    on_lost,
  } = entry
  return { kind: 'mcp', name, url, headers, optional, auth: authOf(token, oauth), tools, on_lost }
}

function authOf(token: string | undefined, oauth: z.infer<typeof OAuth> | undefined): McpSource['auth'] {
  if (token !== undefined) return { kind: 'bearer', token }
  if (oauth === undefined) return null
  const { client_id, client_secret, scope = null } = oauth
  return { kind: 'client_credentials', client_id, client_secret, scope }
}
