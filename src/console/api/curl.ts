/** Writes a request as a curl line, to be run by hand. The line names the variable of the key and never shows the key. */
import type { ApiRequest } from './request.ts'

/** Inside single quotes of a POSIX shell only the quote itself has a meaning. */
const shellQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Without a value curl leaves the header out and adds none of its own. A file of an unknown type has no content type. */
const headerLine = (name: string, value: string) => (value === '' ? `${name}:` : `${name}: ${value}`)

export function curlOf({ method, path, json, file, headers = {} }: ApiRequest, origin: string): string {
  const type = json === undefined ? file?.type : 'application/json'
  const allHeaders = { ...(type === undefined ? {} : { 'content-type': type }), ...headers }
  const parts = [
    // With -g curl takes brackets and braces as parts of the address, not as a pattern.
    'curl -sSg',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    '-H "authorization: Bearer $KEY"',
    ...Object.entries(allHeaders).map(([name, value]) => `-H ${shellQuote(headerLine(name, value))}`),
    ...(json === undefined ? [] : [`--data-raw ${shellQuote(JSON.stringify(json))}`]),
    ...(file === undefined ? [] : [`--data-binary ${shellQuote(`@${file.name}`)}`]),
    shellQuote(origin + path),
  ]
  return parts.join(' ')
}
