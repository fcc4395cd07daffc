/** The command that was probably meant by a text that is none. */
import { nearestName } from '../../terms/values/known-names.ts'
import { COMMAND_FORMS } from './forms.ts'

/** Longer words are no misspelled ones. */
const READ_CHARS = 80

/** First words are short, so that one of them would be near to almost everything. */
const HEAD_SHARE = 5

/** Command words, such as `/todo add`, or only the first of them. null: no command is near. */
export function nearestCommand(input: string): string | null {
  const [first = '', second = ''] = input.slice(0, READ_CHARS).split(/\s+/, 2)
  const words = COMMAND_FORMS.map((form) => form.words.split(' '))
  const heads = [...new Set(words.map(([head = '']) => head))]
  const head = nearestName(first, heads, HEAD_SHARE)
  if (head === null) return null
  const verbs = words.flatMap(([own, verb]) => (own === head && verb !== undefined ? verb : []))
  const verb = nearestName(second, verbs)
  return verb === null ? head : `${head} ${verb}`
}
