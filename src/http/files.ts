/** The routes of files: what is put is read as it comes, what is fetched is passed on as it is read. */
import { UPLOAD_ENDINGS, UPLOAD_TYPES, uploadBytesMax } from '../core/terms/files/file-types.ts'
import { isFileName, type FileEntry } from '../core/terms/files/files.ts'
import { filePath } from '../core/protocol/stored-task-view.ts'
import { rfc3339 } from '../core/terms/text.ts'
import type { FileView } from '../core/terms/view.ts'
import { bodyOf, isBrokenBody } from '../shell/network/chunked-body.ts'
import type { Found } from '../shell/files/files.ts'
import type { Readable } from '../shell/links/read-links.ts'
import type { Upload } from '../shell/files/uploads.ts'
import { bringsKey } from './auth.ts'
import type { Routes } from './contract.ts'
import type { HttpRefusal, Outcome } from './errors.ts'
import { noneMatch } from './etag.ts'
import { fileLine, filesText } from './plain.ts'
import { refused, type Call, type Handler, type Ports, type Reply } from './route.ts'

export const putFile: Handler<Routes['putFile']> = async (ports, { caller, params, request }) => {
  const upload = uploadOf(params.name, request)
  if (!upload.ok) return refused(upload.refusal)
  try {
    const put = await ports.service.putFile(caller, params.id, upload.value)
    if (!put.ok) return refused(put.refusal)
    const { file, created, link_epoch } = put.value
    const json = (await viewer(ports, { tenant: caller.tenant, task: params.id, link_epoch }, request))(file)
    const headers: Record<string, string> = created ? { location: filePath(params.id, file.name, null) } : {}
    return { kind: 'answer', status: created ? 201 : 200, json, lines: () => [fileLine(json)], headers }
  } catch (error) {
    if (!isBrokenBody(error)) throw error
    return refused({ code: 'unreadable_body', detail: 'The body ended before it was complete; nothing of it is kept.' })
  }
}

const fail = (refusal: HttpRefusal) => ({ ok: false, refusal }) as const
const NAME = 'name must be 1 to 128 letters, digits, ".", "_" or "-", and not "." or ".."'

/** What its name and its headers say against a file; what comes is counted whatever they say. */
function uploadOf(name: string, { body, headers }: Request): Outcome<Upload> {
  if (!isFileName(name)) return fail({ code: 'validation_failed', errors: [{ pointer: '/name', message: NAME }] })
  const unsupported = (detail: string) =>
    fail({ code: 'unsupported_media_type', detail, accepted: [...UPLOAD_TYPES], method: 'put' })
  const bytes_max = uploadBytesMax(name)
  if (bytes_max === null) return unsupported(`The name of the file must end with .${UPLOAD_ENDINGS.join(', .')}.`)
  if (/^multipart\//i.test(headers.get('content-type') ?? ''))
    return unsupported('The body is the file itself, not a form with it: curl -T, or --data-binary.')
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return unsupported('The body must not be compressed.')
  const announced = headers.get('content-length') ?? ''
  const length = /^\d{1,15}$/.test(announced) ? Number(announced) : null
  if (length !== null && length > bytes_max) return fail({ code: 'file_too_large', max_bytes: bytes_max })
  return { ok: true, value: { name, body: body ?? bodyOf(''), length, bytes_max } }
}

/** Whatever a model or a client has written into a file: a browser runs nothing of it, and nothing of it is loaded from elsewhere. */
const HARMLESS = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}
/** A file that is replaced while it is opened is looked for again. */
const LOOKS = 3

export const getFile: Handler<Routes['getFile']> = async ({ service }, { caller, params, request }) => {
  for (let look = 0; look < LOOKS; look++) {
    const found = await service.fetchFile(caller, params.id, params.name)
    if (!found.ok) return refused(found.refusal)
    const reply = await shown(found.value, request)
    if (reply !== null) return reply
  }
  return refused({ code: 'file_not_found' })
}

/** null: what was found is gone. */
async function shown(
  { tag, bytes, content_type, body }: Found,
  { method, headers: asked }: Request,
): Promise<Reply | null> {
  const etag = `"${tag}"`
  if (noneMatch(asked.get('if-none-match'), etag)) return { kind: 'empty', status: 304, headers: { etag } }
  const headers = { ...HARMLESS, etag, 'content-type': content_type, 'content-length': String(bytes) }
  if (method === 'HEAD') return { kind: 'document', response: new Response(null, { headers }) }
  const content = await body()
  return content === null ? null : { kind: 'document', response: new Response(content, { headers }) }
}

export const listFiles: Handler<Routes['listFiles']> = async (ports, call) => {
  const { caller, params, query, request } = call
  const { limit, after } = query
  const page = await ports.service.listFiles(caller, params.id, { limit, after })
  if (!page.ok) return refused(page.refusal)
  const { link_epoch, ...shown } = page.value
  const view = await viewer(ports, { tenant: caller.tenant, task: params.id, link_epoch }, request, linkedBy(call))
  const json = { ...shown, data: page.value.data.map(view) }
  return { kind: 'answer', status: 200, json, lines: () => filesText(json) }
}

export const deleteFile: Handler<Routes['deleteFile']> = async ({ service }, { caller, params }) => {
  const gone = await service.deleteFile(caller, params.id, params.name)
  return gone.ok ? { kind: 'empty', status: 204 } : refused(gone.refusal)
}

/** Who came by a link gets the same again: it must not outlive its days by being used. */
const linkedBy = ({ request, query }: Call<Routes['listFiles']>) => (bringsKey(request) ? undefined : query.token)

async function viewer(ports: Ports, readable: Readable, { url }: Request, given?: string) {
  const { config, links, now } = ports
  const token = given ?? (await links.files.sign(readable, now()))
  const origin = config.public_url ?? new URL(url).origin
  return ({ name, content_type, bytes, at }: Pick<FileEntry, 'name' | 'content_type' | 'bytes' | 'at'>): FileView => ({
    name,
    content_type,
    size: bytes,
    url: origin + filePath(readable.task, name, token),
    created_at: rfc3339(at),
  })
}
