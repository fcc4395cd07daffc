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

/** Inside single quotes of a POSIX shell only the quote itself has a meaning. */
const shellQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Without a value curl leaves the header out and adds none of its own. A file of an unknown type has no content type. */
const headerLine = (name: string, value: string) => (value === '' ? `${name}:` : `${name}: ${value}`)

/** Writes a request as a curl line, to be run by hand. The header with the key is the variable `KEY`, as in the documents; the key itself is never shown. */
export function curlOf({ method, path, json, file, headers = {} }: ApiRequest, origin: string): string {
  const type = json === undefined ? file?.type : 'application/json'
  const allHeaders = { ...(type === undefined ? {} : { 'content-type': type }), ...headers }
  const parts = [
    // With -g curl takes brackets and braces as parts of the address, not as a pattern.
    'curl -sSg',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    '-H "$KEY"',
    ...Object.entries(allHeaders).map(([name, value]) => `-H ${shellQuote(headerLine(name, value))}`),
    ...(json === undefined ? [] : [`--data-raw ${shellQuote(JSON.stringify(json))}`]),
    ...(file === undefined ? [] : [`--data-binary ${shellQuote(`@${file.name}`)}`]),
    shellQuote(origin + path),
  ]
  return parts.join(' ')
}
