/** The routes of files of a task: a part of the table in contract.ts. */
import { UPLOAD_TYPES } from '../core/terms/files/file-types.ts'
import { json, ONE_TASK, route } from './entries.ts'
import { FileParams, FileQuery, FilesQuery, NoQuery, TaskParams } from './schemas.ts'

const files = {
  tag: 'Files',
  open: false,
  query: NoQuery,
  params: FileParams,
  body: null,
  headers: [],
  also: [],
} as const
const one = { ...files, path: '/tasks/{id}/files/{name}' } as const

const TAGGED = { ETag: 'another one whenever the file is' }
const SHOWN = {
  ...TAGGED,
  'Content-Security-Policy': 'nothing in a file runs, or loads anything, in the origin of the service',
}
const PUT_AT = { Location: 'the path of the file' }

export const FILE_ROUTES = {
  putFile: route({
    ...one,
    method: 'put',
    summary: 'Put a file',
    description:
      'The body is the file, as it is: `curl -T sales.csv …/files/` does it. The ending of its name says what it is – csv, tsv, json, xlsx or xls, in ' +
      'any case – whatever the content type of the request. At most 50 MiB, a spreadsheet 10 MiB, counted as they come; at most 100 files a ' +
      'task. All that is stored for a tenant takes at most `MAX_STORED_BYTES` together. Also while a slice runs: what its effect under way has written, or is ' +
      'about to, counts as written before. A task that has ended for good takes no more files.',
    upload: UPLOAD_TYPES,
    success: json('A new file', 'File', 201, PUT_AT),
    also: [json('It takes the place of the one that was there', 'File')],
    problems: [
      ...ONE_TASK,
      'task_ended',
      'file_reserved',
      'too_many_files',
      'unreadable_body',
      'file_too_large',
      'unsupported_media_type',
      'quota_exceeded',
    ],
  }),
  getFile: route({
    ...one,
    method: 'get',
    linked: 'files',
    summary: 'Fetch a file',
    description: 'The bytes of a file: one that was put, one that a tool has written, or a document of the mode.',
    query: FileQuery,
    headers: ['If-None-Match'],
    success: { status: 200, description: 'The file', content: { kind: 'document', type: '*/*' }, headers: SHOWN },
    also: [{ status: 304, description: 'It is what you have', content: null, headers: TAGGED }],
    problems: [...ONE_TASK, 'file_not_found'],
  }),
  deleteFile: route({
    ...one,
    method: 'delete',
    summary: 'Delete a file',
    description: 'Whoever wrote it, also of a task that has ended: what it took is free again. After that it is 404.',
    success: { status: 204, description: 'It is gone', content: null, headers: {} },
    problems: [...ONE_TASK, 'file_not_found', 'file_reserved'],
  }),
  listFiles: route({
    ...files,
    method: 'get',
    path: '/tasks/{id}/files',
    linked: 'files',
    summary: 'List the files of a task',
    description: 'By name: those that were put, those that tools have written, and the documents of the mode.',
    params: TaskParams,
    query: FilesQuery,
    success: json('One page of files', 'FilePage'),
    problems: ONE_TASK,
  }),
} as const
