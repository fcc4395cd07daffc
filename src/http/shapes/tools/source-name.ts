/** The name of a source of tools, which stands before the names of its tools, as in `tickets.create`. */
import * as z from 'zod'

const NAME = /^[a-z0-9_-]{1,24}$/
const NAME_CHARS_MAX = 24

export const SourceName = z
  .string()
  .refine((name) => NAME.test(name), 'must be 1 to 24 of a-z 0-9 _ -')
  .meta({
    description: 'stands before the names of its tools, as in `tickets.create`; default: of the host or the file',
    pattern: NAME.source,
  })

/** Labels that say what a host is for, and not whose it is. */
const LEFT_OUT: ReadonlySet<string> = new Set('api www mcp app docs raw'.split(' '))

/** The default name of a source: `tickets` for https://api.tickets.example.com/v1, and for the file tickets.json. */
export function sourceName(from: { url: string } | { file: string }): string {
  const word = 'file' in from ? fileWord(from.file) : hostWord(URL.parse(from.url)?.hostname ?? '')
  const name = word
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, NAME_CHARS_MAX)
  return name === '' ? 'api' : name
}

const fileWord = (file: string) => file.replace(/\.[^.]*$/, '')

/** The first label that says something. The last one is never that of an owner, unless it is the only one. */
function hostWord(host: string): string {
  const labels = host.split('.')
  const owners = labels.length === 1 ? labels : labels.slice(0, -1)
  return owners.find((label) => !LEFT_OUT.has(label)) ?? labels[0] ?? ''
}
