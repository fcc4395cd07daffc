/**
 * Reads YAML of strangers within bounds. The library reads a document as a whole, which takes most of a second for 2 MiB. So its lexer and
 * parser are driven in portions, the tree is composed in pieces, and other requests are served between them.
 */
import { Lexer, Parser, type CST } from 'yaml'
import type { Attempt } from '../../core/terms/attempt.ts'
import { composeInPieces, NO_YAML, type Pause } from './yaml-pieces.ts'

/** No description of an interface nests as deep as this. */
export const LEVELS_MAX = 200
/** The tree of a text takes about 80 times its memory, and what strangers write may have a token in every second character. */
const YAML_CHARS_MAX = 1_048_576
const LEXEMES_MAX = 300_000
const TOO_LARGE = `must have at most ${YAML_CHARS_MAX} characters and ${LEXEMES_MAX} tokens in YAML: give it as JSON, or make it smaller`
/** About 15 ms of work. The clock of workerd stands still while code runs, so portions are counted and not timed. */
const LEXEMES_A_PORTION = 10_000

/** `error` follows the name of the document. */
export async function readYaml(text: string, pause: Pause): Promise<Attempt<unknown, string>> {
  if (text.length > YAML_CHARS_MAX) return { ok: false, error: TOO_LARGE }
  const parsed = await parseInPortions(text, pause)
  if (!parsed.ok) return parsed
  const { tokens, has_aliases } = parsed.value
  const documents = tokens.filter((token) => token.type === 'document')
  const [value] = documents.map((document) => document.value)
  if (documents.length > 1) return { ok: false, error: 'is several YAML documents in one text' }
  return value === undefined
    ? { ok: false, error: NO_YAML }
    : composeInPieces({ text, token: value, has_aliases }, pause)
}

interface ParsedYaml {
  tokens: CST.Token[]
  has_aliases: boolean
}

/** Marks a scalar in the stream of lexemes: what follows it is its text. */
const SCALAR = '\u001F'
const MERGE_KEY = '<<'

async function parseInPortions(text: string, pause: Pause): Promise<Attempt<ParsedYaml, string>> {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let [is_scalar, has_aliases, count] = [false, false, 0]
  for (const lexeme of new Lexer().lex(text)) {
    if (is_scalar && lexeme === MERGE_KEY)
      return { ok: false, error: 'has YAML merge keys (<<), which OpenAPI does not know: write their members out' }
    if (!is_scalar && lexeme.startsWith('*')) has_aliases = true
    is_scalar = lexeme === SCALAR
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > LEVELS_MAX) return { ok: false, error: `must not nest deeper than ${LEVELS_MAX}` }
    count += 1
    if (count > LEXEMES_MAX) return { ok: false, error: TOO_LARGE }
    if (count % LEXEMES_A_PORTION === 0) await pause()
  }
  for (const token of parser.end()) tokens.push(token)
  return { ok: true, value: { tokens, has_aliases } }
}
