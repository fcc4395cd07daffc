/** The files of a task. An upload is read while it arrives, and a download is passed on while it is read. */
import * as z from 'zod'
import { filePath } from '../../core/protocol/view/stored-task-view.ts'
import { UPLOAD_ENDINGS, UPLOAD_TYPES, uploadBytesMax } from '../../core/terms/files/file-types.ts'
import { isFileName, type FileEntry } from '../../core/terms/files/files.ts'
import { rfc3339 } from '../../core/terms/text.ts'
import type { FileView } from '../../core/terms/view.ts'
import type { FoundFile } from '../../shell/files/files.ts'
import type { Upload } from '../../shell/files/checked-upload.ts'
import type { Readable } from '../../shell/links/read-links.ts'
import { bodyStream, isBrokenBody } from '../../shell/network/chunked-body.ts'
import { answerReply, emptyReply, endpoint, refusalReply, replyTo, type Ports, type Reply } from '../endpoint.ts'
import { hasKey } from '../gate/auth/auth.ts'
import { matchesEtag } from '../gate/etag.ts'
import { documentAnswer, emptyAnswer, jsonAnswer, TASK_PROBLEMS } from '../route-builders.ts'
import { FILE_NAME_RULE, linkToken, NoQuery, pageLimit, TaskParams } from '../shapes/fields.ts'
import { refuse, type HttpResult } from '../shapes/http-refusal.ts'

const FileParams = TaskParams.extend({
  name: z
    .string()
    .meta({ description: 'one segment: 1 to 128 letters, digits, `.`, `_`, `-`; not `.` or `..`', maxLength: 128 }),
})
const FileQuery = z.strictObject({ token: linkToken })
const FilesQuery = z.strictObject({
  limit: pageLimit,
  after: z.string().max(128).default('').describe('next_cursor of the page before: the name of its last file'),
  token: linkToken,
})

const FILES_ROUTE = {
  tag: 'Files',
  open: false,
  query: NoQuery,
  params: FileParams,
  body: null,
  headers: [],
  also: [],
} as const
const FILE_ROUTE = { ...FILES_ROUTE, path: '/tasks/{id}/files/{name}' } as const

const ETAG_HEADER = { ETag: 'another one whenever the file is' }
const POLICY_HEADER = {
  'Content-Security-Policy': 'nothing in a file runs, or loads anything, in the origin of the service',
}

/** A file may be replaced while it is opened. It is then looked up again, at most so often. */
const LOOKUPS_MAX = 3

export const FILE_ROUTES = {
  putFile: endpoint(
    {
      ...FILE_ROUTE,
      method: 'put',
      summary: 'Put a file',
      description:
        'The body is the file, as it is: `curl -T sales.csv …/files/` does it. The ending of its name says what it is – csv, tsv, json, xlsx, xls, md, txt, png, jpg, ' +
        'jpeg, webp or gif, in any case – whatever the content type of the request. At most 50 MiB, a spreadsheet 10 MiB, an image 5 MiB, a text 256 KiB, counted ' +
        'as they come; at most 100 files a task. An image has to be of the type that its name says, with 1 to 8000 pixels on each side. All that is stored for a tenant takes at most `MAX_STORED_BYTES` together. Also while a slice runs: what its effect under way has written, or is ' +
        'about to, counts as written before. A task that waits for the file goes on (`pending.kind: file`). A task that has ended for good takes no more files.',
      upload: UPLOAD_TYPES,
      success: jsonAnswer('A new file', 'File', 201, { Location: 'the path of the file' }),
      also: [jsonAnswer('It takes the place of the one that was there', 'File')],
      problems: [
        ...TASK_PROBLEMS,
        'task_ended',
        'file_reserved',
        'too_many_files',
        'unreadable_body',
        'file_too_large',
        'unsupported_media_type',
        'quota_exceeded',
      ],
    },
    async (ports, { caller, params, request }) => {
      const upload = uploadOf(params.name, request)
      if (!upload.ok) return refusalReply(upload.refusal)
      try {
        const stored = await ports.service.putFile(caller, params.id, upload.value)
        return await replyTo(stored, async ({ file, created, link_epoch }) => {
          const json = (await fileViewer(ports, { tenant: caller.tenant, task: params.id, link_epoch }, request))(file)
          const reply = answerReply(json, async () => [(await import('../text/plain.ts')).fileLine(json)])
          const location = filePath(params.id, file.name, null)
          return created ? { ...reply, status: 201, headers: { location } } : reply
        })
      } catch (error) {
        if (!isBrokenBody(error)) throw error
        const detail = 'The body ended before it was complete; nothing of it is kept.'
        return refusalReply({ code: 'unreadable_body', detail })
      }
    },
  ),
  getFile: endpoint(
    {
      ...FILE_ROUTE,
      method: 'get',
      linked: 'files',
      summary: 'Fetch a file',
      description: 'The bytes of a file: one that was put, one that a tool has written, or a document of the mode.',
      query: FileQuery,
      headers: ['If-None-Match'],
      success: documentAnswer('The file', '*/*', { ...ETAG_HEADER, ...POLICY_HEADER }),
      also: [emptyAnswer(304, 'It is what you have', ETAG_HEADER)],
      problems: [...TASK_PROBLEMS, 'file_not_found'],
    },
    async ({ service }, { caller, params, request }) => {
      for (let lookup = 0; lookup < LOOKUPS_MAX; lookup++) {
        const found = await service.fetchFile(caller, params.id, params.name)
        if (!found.ok) return refusalReply(found.refusal)
        const reply = await fileReply(found.value, request)
        if (reply !== null) return reply
      }
      return refusalReply({ code: 'file_not_found' })
    },
  ),
  deleteFile: endpoint(
    {
      ...FILE_ROUTE,
      method: 'delete',
      summary: 'Delete a file',
      description: 'Whoever wrote it, also of a task that has ended: what it took is free again. After that it is 404.',
      success: emptyAnswer(204, 'It is gone'),
      problems: [...TASK_PROBLEMS, 'file_not_found', 'file_reserved'],
    },
    async ({ service }, { caller, params }) => emptyReply(await service.deleteFile(caller, params.id, params.name)),
  ),
  listFiles: endpoint(
    {
      ...FILES_ROUTE,
      method: 'get',
      path: '/tasks/{id}/files',
      linked: 'files',
      summary: 'List the files of a task',
      description: 'By name: those that were put, those that tools have written, and the documents of the mode.',
      params: TaskParams,
      query: FilesQuery,
      success: jsonAnswer('One page of files', 'FilePage'),
      problems: TASK_PROBLEMS,
    },
    async (ports, { caller, params, query, request }) => {
      const { limit, after, token } = query
      return replyTo(await ports.service.listFiles(caller, params.id, { limit, after }), async (found) => {
        const { link_epoch, ...page } = found
        // A reader who came by a link gets the same link again. A new one would extend its days with each use.
        const given = hasKey(request) ? undefined : token
        const readable = { tenant: caller.tenant, task: params.id, link_epoch }
        const json = { ...page, data: page.data.map(await fileViewer(ports, readable, request, given)) }
        return answerReply(json, async () => (await import('../text/plain.ts')).filesText(json))
      })
    },
  ),
}

/** A path within a name is the most frequent mistake. */
function nameError(name: string): string {
  const last = name.split(/[/\\]/).findLast(isFileName)
  const advice = last === undefined || last === name ? '' : `; there are no folders, so put it as "${last}"`
  return `name must be ${FILE_NAME_RULE}${advice}`
}

/** The upload, unless its name or its headers refuse it. The bytes are counted on arrival, whatever the headers say. */
function uploadOf(name: string, { body, headers }: Request): HttpResult<Upload> {
  if (!isFileName(name))
    return refuse({ code: 'validation_failed', errors: [{ pointer: '/name', message: nameError(name) }] })
  const unsupported = (detail: string) =>
    refuse({ code: 'unsupported_media_type', detail, accepted: [...UPLOAD_TYPES], method: 'put' })
  const bytes_max = uploadBytesMax(name)
  if (bytes_max === null) return unsupported(`The name of the file must end with .${UPLOAD_ENDINGS.join(', .')}.`)
  if (/^multipart\//i.test(headers.get('content-type') ?? ''))
    return unsupported('The body is the file itself, not a form with it: curl -T, or --data-binary.')
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return unsupported('The body must not be compressed.')
  const announced = headers.get('content-length') ?? ''
  const length = /^\d{1,15}$/.test(announced) ? Number(announced) : null
  if (length !== null && length > bytes_max) return refuse({ code: 'file_too_large', max_bytes: bytes_max })
  return { ok: true, value: { name, body: body ?? bodyStream(''), length, bytes_max } }
}

/** A model or a stranger may have written the file, so a browser must not run it or load anything for it. */
const HARMLESS = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** null: the file was deleted after it was found. */
async function fileReply({ tag, bytes, content_type, body }: FoundFile, request: Request): Promise<Reply | null> {
  const etag = `"${tag}"`
  if (matchesEtag(request.headers.get('if-none-match'), etag)) return { kind: 'empty', status: 304, headers: { etag } }
  const headers = { ...HARMLESS, etag, 'content-type': content_type, 'content-length': String(bytes) }
  if (request.method === 'HEAD') return { kind: 'document', response: new Response(null, { headers }) }
  const content = await body()
  return content === null ? null : { kind: 'document', response: new Response(content, { headers }) }
}

/** Shows files with a link that opens them. `given` is the token by which the reader came. */
async function fileViewer({ config, links, now }: Ports, readable: Readable, { url }: Request, given?: string) {
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
