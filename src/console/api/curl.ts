/** The curl line of a request: what it sends, to be run by hand. The key is named, never shown. */
import type { ApiRequest } from './request.ts'

/** For a POSIX shell: inside single quotes nothing has a meaning but the quote itself. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

export function curlOf({ method, path, json, file, headers = {} }: ApiRequest, origin: string): string {
  const type = json === undefined ? file?.type : 'application/json'
  const said = { ...(type === undefined || type === '' ? {} : { 'content-type': type }), ...headers }
  const parts = [
    // -g: brackets and braces of an address are part of it, no pattern of curl's.
    'curl -sSg',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    '-H "authorization: Bearer $KEY"',
    ...Object.entries(said).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : [`--data-raw ${quoted(JSON.stringify(json))}`]),
    ...(file === undefined ? [] : [`--data-binary ${quoted(`@${file.name}`)}`]),
    quoted(origin + path),
  ]
  return parts.join(' ')
}
