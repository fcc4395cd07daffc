/** Formats a text that a script writes into the repository, as `npm run format` would format the file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'oxfmt'
import { ROOT } from './node.mjs'

/** `path` tells the language. Throws when the text is not of that language. */
export async function formatText(path, text) {
  const style = JSON.parse(readFileSync(join(ROOT, '.oxfmtrc.json'), 'utf8'))
  const { code, errors } = await format(path, text, style)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  return code
}
