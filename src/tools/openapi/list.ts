/** Lists the tools of an OpenAPI document: gets its text from an address or a file of the task, and reads it. */
import type { Attempt } from '../../core/terms/attempt.ts'
import type { OpenApiSource } from '../../core/terms/tools/client-tools.ts'
import type { EventOf } from '../../core/terms/effect.ts'
import type { Locale } from '../../core/terms/locale.ts'
import { sha256, toHex } from '../../shell/hex.ts'
import { readWhole } from '../../shell/network/read-whole.ts'
import { retryAfterMs } from '../../shell/network/retry-after.ts'
import type { Files } from '../../shell/ports.ts'
import type { ToolContext } from '../../shell/tool-ports.ts'
import { DOCUMENT_BYTES_MAX, readDocument, quoteValue } from './document.ts'
import { makeTools, type MakingPorts } from './tools.ts'

/** What a request for a document comes to. `failure` tells apart what another try cannot mend. */
type DocumentAnswer =
  | { kind: 'answered'; status: number; headers: Headers; body: Uint8Array<ArrayBuffer> }
  | { kind: 'unanswered'; reason: string; failure?: string }

export interface OpenApiPorts extends MakingPorts {
  /**
   * One GET that follows the rules of addresses and reads at most DOCUMENT_BYTES_MAX bytes. The texts of the headers may name secrets. It
   * never rejects.
   */
  fetchDocument: (url: string, headers: Readonly<Record<string, string>>) => Promise<DocumentAnswer>
  files: Pick<Files, 'open'>
}

type Unlisted = EventOf<'tools_unlisted'>
type DocumentBytes = Attempt<Uint8Array<ArrayBuffer>, Omit<Unlisted, 'kind'>>

/** Never rejects for what a document or a server says. */
export async function listOpenApi(
  { source }: { source: OpenApiSource; position: number },
  ports: OpenApiPorts,
  call: Pick<ToolContext, 'tenant' | 'task' | 'now_ms' | 'locale'>,
): Promise<EventOf<'tools_listed'> | Unlisted> {
  const { document } = source
  const bytes =
    'url' in document
      ? await fetchBytes(document.url, source, ports, call)
      : await openBytes(document.file, ports, call)
  if (!bytes.ok) return { kind: 'tools_unlisted', ...bytes.error, reason: named(source, bytes.error.reason) }
  const made = await makeOf(bytes.value, source, ports, call.locale)
  if (!made.ok) return { kind: 'tools_unlisted', ...lasting(named(source, made.error)) }
  return { kind: 'tools_listed', ...made.value, digest: toHex(await sha256(bytes.value)) }
}

const named = ({ name }: OpenApiSource, error: string) => `the OpenAPI document of ${JSON.stringify(name)} ${error}`
const lasting = (reason: string) => ({ reason, passing: false, retry_after_ms: null })
const passing = (reason: string, retry_after_ms: number | null = null) => ({ reason, passing: true, retry_after_ms })

async function makeOf(bytes: Uint8Array, source: OpenApiSource, ports: OpenApiPorts, locale: Locale) {
  const text = textOf(bytes)
  if (text === null) return { ok: false as const, error: 'is not a text in UTF-8' }
  const document = await readDocument(text, ports.pause)
  await ports.pause()
  return document.ok ? makeTools(document.value, source, ports, locale) : document
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return null
  }
}

const TOO_LARGE = `has more than ${DOCUMENT_BYTES_MAX} bytes: make it smaller, for example with only the paths that are used`
const ACCEPT = 'application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5'

async function fetchBytes(
  url: string,
  { headers }: OpenApiSource,
  { fetchDocument }: OpenApiPorts,
  { now_ms }: Pick<ToolContext, 'now_ms'>,
): Promise<DocumentBytes> {
  const answer = await fetchDocument(url, { accept: ACCEPT, ...headers })
  if (answer.kind === 'unanswered') return { ok: false, error: unansweredError(answer) }
  const { status, body } = answer
  if (status < 200 || status >= 300) {
    const reason = `could not be fetched: the server answered ${status}`
    const may_pass = status === 408 || status === 429 || status >= 500
    return { ok: false, error: may_pass ? passing(reason, retryAfterMs(answer.headers, now_ms)) : lasting(reason) }
  }
  return body.byteLength > DOCUMENT_BYTES_MAX ? { ok: false, error: lasting(TOO_LARGE) } : { ok: true, value: body }
}

/** Another try cannot mend these. The names are those of shell/network. */
const LASTING: ReadonlySet<string> = new Set(['redirect', 'content_type'])

function unansweredError({ reason, failure }: Extract<DocumentAnswer, { kind: 'unanswered' }>) {
  if (failure === 'too_large') return lasting(TOO_LARGE)
  if (failure === 'address') return lasting(`could not be fetched: its address ${reason}`)
  const text = `could not be fetched: ${reason}`
  return failure !== undefined && LASTING.has(failure) ? lasting(text) : passing(text)
}

async function openBytes(
  file: string,
  { files }: OpenApiPorts,
  { tenant, task }: Pick<ToolContext, 'tenant' | 'task'>,
): Promise<DocumentBytes> {
  const shown = JSON.stringify(quoteValue(file))
  try {
    const opened = await files.open({ tenant, task }, file)
    if (!opened.ok) return { ok: false, error: passing(`could not be read from the file ${shown}`) }
    if (opened.value === null)
      return {
        ok: false,
        error: lasting(`is not there: the task has no file ${shown}; put it before the task goes on`),
      }
    const bytes = await readWhole(new Response(opened.value.body), DOCUMENT_BYTES_MAX)
    return bytes === null ? { ok: false, error: lasting(TOO_LARGE) } : { ok: true, value: bytes }
  } catch {
    return { ok: false, error: passing(`could not be read from the file ${shown}: it broke off`) }
  }
}
