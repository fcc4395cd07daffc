/** A request as data: what a button sends and what its curl line shows are the same thing. */

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query; of this very origin. */
  path: string
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is: a file of the user's. */
  file?: File
  headers?: Record<string, string>
  /** It changes nothing, though it is no GET. */
  isReading?: boolean
}

export const get = (path: string, headers?: Record<string, string>): ApiRequest => ({
  method: 'GET',
  path,
  ...(headers === undefined ? {} : { headers }),
})
export const post = (path: string, json: unknown = {}): ApiRequest => ({ method: 'POST', path, json })

/** The path of something of a task; ids and names come from the service, and are encoded all the same. */
export const ofTask = (id: string, ...rest: string[]) => ['/tasks', ...[id, ...rest].map(encodeURIComponent)].join('/')

/** `?a=1&b=2`, without those that are null or empty; nothing when none is left. */
export function query(values: Record<string, string | number | null>): string {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
