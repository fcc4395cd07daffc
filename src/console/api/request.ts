/** A request as data. A button sends it and its curl line shows it, so both are always the same. */

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with its query, at the origin of this page. */
  path: string
  /** The body, which is sent as JSON. */
  json?: unknown
  /** The body as it is: a file of the user. */
  file?: File
  headers?: Record<string, string>
  /** Whether a request that is no GET changes nothing. */
  isReadOnly?: boolean
}

export const get = (path: string, headers?: Record<string, string>): ApiRequest => ({
  method: 'GET',
  path,
  ...(headers === undefined ? {} : { headers }),
})
export const post = (path: string, json: unknown = {}): ApiRequest => ({ method: 'POST', path, json })

/** The path of a part of a task. Ids and names are encoded, because names of files can have any character. */
export const taskPath = (id: string, ...rest: string[]) =>
  ['/tasks', ...[id, ...rest].map(encodeURIComponent)].join('/')

/** Returns `?a=1&b=2` without values that are null or empty, or an empty text if none is left. */
export function queryText(values: Record<string, string | number | null>): string {
  const filled = Object.entries(values).filter(([, value]) => value !== null && value !== '')
  const text = new URLSearchParams(filled.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
