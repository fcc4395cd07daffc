/** The curl line of a request: what it sends, to be run by hand. The key is named, never shown. */
import type { ApiRequest } from './request.ts'

/** For a POSIX shell: inside single quotes nothing has a meaning but the quote itself. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Without a value curl leaves the header out – a file of no known type goes without one – and does not put in its own. */
const headerLine = (name: string, value: string) => (value === '' ? `${name}:` : `${name}: ${value}`)

export function curlOf({ method, path, json, file, headers = {} }: ApiRequest, origin: string): string {
  const type = json === undefined ? file?.type : 'application/json'
  const said = { ...(type === undefined ? {} : { 'content-type': type }), ...headers }
  const parts = [
    // -g: brackets and braces of an address are part of it, no pattern of curl's.
    'curl -sSg',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    '-H "authorization: Bearer $KEY"',
    ...Object.entries(said).map(([name, value]) => `-H ${quoted(headerLine(name, value))}`),
    ...(json === undefined ? [] : [`--data-raw ${quoted(JSON.stringify(json))}`]),
    ...(file === undefined ? [] : [`--data-binary ${quoted(`@${file.name}`)}`]),
    quoted(origin + path),
  ]
  return parts.join(' ')
}
