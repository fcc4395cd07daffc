/**
 * Reads YAML of strangers within bounds. The library reads a document as a whole, which takes most of a second for 2 MiB. So its lexer and
 * parser are driven in portions, the tree is composed in pieces, and other requests are served between them.
 */
import { Composer, CST, Lexer, Parser } from 'yaml'
import type { Attempt } from '../../core/terms/attempt.ts'

export type Pause = () => Promise<void>

/** No description of an interface nests as deep as this. */
export const LEVELS_MAX = 200
/** The tree of a text takes about 80 times its memory, and what strangers write may have a token in every second character. */
const YAML_CHARS_MAX = 1_048_576
const LEXEMES_MAX = 300_000
const TOO_LARGE = `must have at most ${YAML_CHARS_MAX} characters and ${LEXEMES_MAX} tokens in YAML: give it as JSON, or make it smaller`
/** About 15 ms of work. The clock of workerd stands still while code runs, so portions are counted and not timed. */
const LEXEMES_A_PORTION = 10_000
/** What is composed in one piece if it can be divided. */
const CHARS_A_PIECE = 32_768
/** What is composed in one piece if it cannot be divided: about 50 ms. */
const PIECE_CHARS_MAX = 131_072

/** `error` follows the name of the document. */
export async function readYaml(text: string, pause: Pause): Promise<Attempt<unknown, string>> {
  if (text.length > YAML_CHARS_MAX) return { ok: false, error: TOO_LARGE }
  try {
    const parsed = await parseInPortions(text, pause)
    return parsed.ok ? await composeDocument(text, parsed.value, pause) : parsed
  } catch (error) {
    // The library throws for an alias that is in its own anchor, among others.
    return {
      ok: false,
      error: `${NO_YAML}: ${error instanceof Error ? error.message.slice(0, MESSAGE_CHARS_MAX) : ''}`,
    }
  }
}
const NO_YAML = 'is not readable as YAML'

const MESSAGE_CHARS_MAX = 200

interface ParsedYaml {
  tokens: CST.Token[]
  aliases: number
}

/** The library looks through the whole tree for each of them. */
const ALIASES_MAX = 100

/** Marks a scalar in the stream of lexemes: what follows it is its text. */
const SCALAR = '\u001F'
const MERGE_KEY = '<<'

async function parseInPortions(text: string, pause: Pause): Promise<Attempt<ParsedYaml, string>> {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let [is_scalar, aliases, count] = [false, 0, 0]
  for (const lexeme of new Lexer().lex(text)) {
    if (is_scalar && lexeme === MERGE_KEY)
      return { ok: false, error: 'has YAML merge keys (<<), which OpenAPI does not know: write their members out' }
    if (!is_scalar && lexeme.startsWith('*')) aliases += 1
    if (aliases > ALIASES_MAX)
      return { ok: false, error: `must have at most ${ALIASES_MAX} YAML aliases: give it as JSON` }
    is_scalar = lexeme === SCALAR
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > LEVELS_MAX) return { ok: false, error: `must not nest deeper than ${LEVELS_MAX}` }
    count += 1
    if (count > LEXEMES_MAX) return { ok: false, error: TOO_LARGE }
    if (count % LEXEMES_A_PORTION === 0) await pause()
  }
  for (const token of parser.end()) tokens.push(token)
  return { ok: true, value: { tokens, aliases } }
}

async function composeDocument(
  text: string,
  { tokens, aliases }: ParsedYaml,
  pause: Pause,
): Promise<Attempt<unknown, string>> {
  const documents = tokens.filter((token) => token.type === 'document')
  const [document] = documents
  if (documents.length !== 1 || document?.value === undefined)
    return { ok: false, error: documents.length > 1 ? 'is several YAML documents in one text' : NO_YAML }
  const pacing: Pacing = { text, pause, since: 0, error: null }
  // An alias refers to a part that may be in another piece.
  const value =
    aliases > 0
      ? composePiece(pacing, document.value, text.length)
      : await composeInPieces(pacing, document.value, text.length)
  return pacing.error === null ? { ok: true, value } : { ok: false, error: pacing.error }
}

interface Pacing {
  text: string
  pause: Pause
  /** The offset of the last pause. */
  since: number
  /** The first error. What is read after it is not used. */
  error: string | null
}

async function composeInPieces(pacing: Pacing, token: CST.Token, end: number): Promise<unknown> {
  if (token.offset - pacing.since > CHARS_A_PIECE) {
    pacing.since = token.offset
    await pacing.pause()
  }
  const items = end - token.offset > CHARS_A_PIECE ? itemsOf(token) : null
  if (items === null) return composePiece(pacing, token, end)
  const values: [string, unknown][] = []
  for (const [index, { key, value }] of items.entries()) {
    const item_end = startOf(items[index + 1]) ?? end
    values.push([key, value === null || value === undefined ? null : await composeInPieces(pacing, value, item_end)])
  }
  return token.type === 'block-seq' ? values.map(([, value]) => value) : Object.fromEntries(values)
}

interface BlockItem {
  key: string
  key_offset: number | undefined
  value: CST.Token | null | undefined
}
const startOf = (item: BlockItem | undefined) => item?.key_offset ?? item?.value?.offset

/** The items of a mapping or a list in block style. null: the token is something else, or has keys that are no plain texts. */
function itemsOf(token: CST.Token): BlockItem[] | null {
  if (token.type === 'block-seq')
    return token.items.flatMap(({ start, value }) =>
      start.some(({ type }) => type === 'seq-item-ind') ? [{ key: '', key_offset: undefined, value }] : [],
    )
  if (token.type !== 'block-map') return null
  const items: BlockItem[] = []
  for (const { key, sep, value } of token.items) {
    // What follows the last item, such as comments, is an item without a key.
    if (key === undefined && sep === undefined) continue
    const name = key === null || key === undefined ? null : scalarText(key)
    if (name === null) return null
    items.push({ key: name, key_offset: key?.offset, value })
  }
  return items
}

const scalarText = (token: CST.Token): string | null => CST.resolveAsScalar(token)?.value ?? null

function composePiece(pacing: Pacing, token: CST.Token, end: number): unknown {
  if (pacing.error !== null) return null
  if (end - token.offset > PIECE_CHARS_MAX) {
    pacing.error = TOO_LONG
    return null
  }
  const document = composeToken(token)
  const [error] = document?.errors ?? []
  if (document !== undefined && error === undefined)
    // Aliases become the same value and no copies, so that counting them, which takes long, is not needed.
    return document.toJS({ maxAliasCount: -1 })
  const line = pacing.text.slice(0, error?.pos[0] ?? token.offset).split('\n').length
  pacing.error = `${NO_YAML}: line ${line}: ${(error?.message ?? '').slice(0, MESSAGE_CHARS_MAX)}`
  return null
}
const TOO_LONG = `has one part of more than ${PIECE_CHARS_MAX} characters that cannot be read piece by piece, or aliases in a text of that length: give it as JSON`

const OPTIONS = {
  // Comparing each key with each other one takes quadratic time.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
  schema: 'core',
} as const

function composeToken(token: CST.Token) {
  const { offset } = token
  const [document] = new Composer(OPTIONS).compose([
    { type: 'document', offset, start: [], value: token } satisfies CST.Document,
  ])
  return document
}
