/**
 * Reads where a text names a secret: `secret:NAME` as its last word, at its start or after a blank, as in `Bearer secret:orders`. Every other
 * text stands for itself.
 */
import type { Attempt } from '../../core/terms/attempt.ts'
import { isResourceName, RESOURCE_NAME_RULE } from '../../core/terms/values/resource-name.ts'

const MARK = 'secret:'

/** A text in two parts: what is sent as it is, and the name of the secret whose value follows. null: none does. */
interface SecretReference {
  text: string
  name: string | null
}

/** The parts of a text, or an error that follows the name of its field. Neither repeats the text, which may be a value in the wrong place. */
export function readReference(text: string): Attempt<SecretReference, string> {
  const words = text.split(' ')
  const marked = words.filter((word) => word.toLowerCase().startsWith(MARK))
  if (marked.length === 0) return { ok: true, value: { text, name: null } }
  const last = words.at(-1) ?? ''
  const name = last.slice(MARK.length)
  if (marked.length > 1 || marked[0] !== last) return { ok: false, error: NOT_LAST }
  if (!last.startsWith(MARK)) return { ok: false, error: UPPER_CASE }
  if (!isResourceName(name)) return { ok: false, error: NO_NAME }
  return { ok: true, value: { text: text.slice(0, text.length - last.length), name } }
}

const NOT_LAST = 'must name one secret, as its last word: such as "Bearer secret:orders"'
const UPPER_CASE = 'must name a secret in lower case: secret:NAME'
const NO_NAME = `must name a secret as secret:NAME, NAME being ${RESOURCE_NAME_RULE}`

/** The names of the secrets that a text names, for the request that brings the text. An error follows the name of its field. */
export function secretNames(text: string): Attempt<string[], string> {
  const reference = readReference(text)
  if (!reference.ok) return reference
  const { name } = reference.value
  return { ok: true, value: name === null ? [] : [name] }
}
