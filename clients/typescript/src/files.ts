/** Files of a task: put, fetched, listed and deleted, and sent along with a new task. */
import { callEmpty, requestOf, type Address, type CallJson } from './api.ts'
import { Pages } from './pages.ts'
import { readJson, send } from './transport.ts'
import type { AnswerOf, RequestOptions, StoredFile, Task, TaskOptions } from './types.ts'

/** What a file may be given as. A stream is not taken, because it could not be sent again. */
export type FileData = string | Blob | ArrayBuffer | Uint8Array

export interface TaskFile {
  name: string
  data: FileData
}

const ANY_TYPE = 'application/octet-stream'

/** The bytes are copied, so that a later change of an array does not change what is sent again. */
function blobOf(data: FileData, type = ANY_TYPE): Blob {
  return new Blob([data instanceof Uint8Array ? new Uint8Array(data) : data], { type })
}

/** `POST /tasks` as a form: the fields as JSON in the part `task`, and the files behind them. */
export async function createWithFiles(
  address: Address,
  task: object,
  files: readonly TaskFile[],
  options: TaskOptions,
): Promise<Task> {
  const body = new FormData()
  body.append('task', JSON.stringify(task))
  for (const { name, data } of files) body.append('file', blobOf(data), name)
  const request = requestOf(address, 'post', '/tasks', { options }, { body })
  return send(address, { ...request, read: (response) => readJson<Task>(request, response) })
}

export class Files {
  readonly #address: Address
  readonly #call: CallJson

  constructor(address: Address, call: CallJson) {
    this.#address = address
    this.#call = call
  }

  /** Stores the file, in the place of one that has its name. The ending of the name says what it is. */
  async put(id: string, name: string, data: FileData, options?: RequestOptions): Promise<StoredFile> {
    const parts = { params: { id, name }, options }
    const body = blobOf(data)
    const request = requestOf(this.#address, 'put', '/tasks/{id}/files/{name}', parts, { body, type: ANY_TYPE })
    return send(this.#address, { ...request, read: (response) => readJson<StoredFile>(request, response) })
  }

  async get(id: string, name: string, options: RequestOptions = {}): Promise<Blob> {
    const parts = { params: { id, name }, options: { ...options, accept: '*/*' } }
    const request = requestOf(this.#address, 'get', '/tasks/{id}/files/{name}', parts)
    return send(this.#address, { ...request, read: (response) => response.blob() })
  }

  list(id: string, options?: RequestOptions): Pages<AnswerOf<'get', '/tasks/{id}/files'>> {
    return new Pages((cursor) => this.#call('get', '/tasks/{id}/files', { params: { id }, cursor, options }))
  }

  delete(id: string, name: string, options?: RequestOptions): Promise<void> {
    return callEmpty(this.#address, 'delete', '/tasks/{id}/files/{name}', { params: { id, name }, options })
  }
}
