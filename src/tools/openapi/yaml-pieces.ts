/**
 * Makes the value of a parsed YAML text, piece by piece, with pauses between. Each piece is composed by the library. Aliases are followed
 * here, because the library looks through the whole tree for each of them; what they name is shared and never copied.
 */
import { Composer, CST } from 'yaml'
import type { Attempt } from '../../core/terms/attempt.ts'

export type Pause = () => Promise<void>

/** What is composed at once if it can be divided. */
const CHARS_A_PIECE = 32_768
/** Small pieces take about 5 µs each. */
const PIECES_A_PORTION = 3_000
/** What is composed at once if it cannot be divided: about 50 ms. */
const PIECE_CHARS_MAX = 131_072
const TOO_LONG = `has one part of more than ${PIECE_CHARS_MAX} characters that cannot be read piece by piece: give it as JSON`

export const NO_YAML = 'is not readable as YAML'

interface Composing {
  text: string
  pause: Pause
  /** The offset of the last pause, and the pieces since then. */
  since: number
  pieces: number
  /** What anchors name so far. null: nothing refers to them. */
  anchors: Map<string, unknown> | null
  /** The first error. What is made after it is not used. */
  error: string | null
}

/** `error` follows the name of the document. */
export async function composeInPieces(
  { text, token, has_aliases }: { text: string; token: CST.Token; has_aliases: boolean },
  pause: Pause,
): Promise<Attempt<unknown, string>> {
  const composing: Composing = {
    text,
    pause,
    since: 0,
    pieces: 0,
    anchors: has_aliases ? new Map() : null,
    error: null,
  }
  const value = await composeToken(composing, token, text.length)
  return composing.error === null ? { ok: true, value } : { ok: false, error: composing.error }
}

async function composeToken(composing: Composing, token: CST.Token, end: number): Promise<unknown> {
  if (composing.error !== null) return null
  composing.pieces += 1
  if (token.offset - composing.since > CHARS_A_PIECE || composing.pieces > PIECES_A_PORTION) {
    composing.since = token.offset
    composing.pieces = 0
    await composing.pause()
  }
  const { anchors } = composing
  if (token.type === 'alias' && anchors !== null) return followAlias(composing, anchors, token)
  const is_divided = anchors !== null || end - token.offset > CHARS_A_PIECE
  const items = is_divided ? itemsOf(token, anchors !== null) : null
  if (items === null) return composePiece(composing, token, end)
  const values: [string, unknown][] = []
  for (const [index, { key, value, anchor }] of items.list.entries()) {
    const item_end = items.list[index + 1]?.offset ?? end
    const made = value === null ? null : await composeToken(composing, value, item_end)
    if (anchor !== null) anchors?.set(anchor, made)
    values.push([key, made])
  }
  return items.is_list ? values.map(([, value]) => value) : Object.fromEntries(values)
}

function followAlias(composing: Composing, anchors: Map<string, unknown>, token: CST.Token & { source: string }) {
  const name = token.source.slice(1)
  if (!anchors.has(name)) report(composing, token.offset, `no anchor before it is called ${name}`)
  return anchors.get(name)
}

interface Item {
  key: string
  /** Where it begins, about. */
  offset: number
  value: CST.Token | null
  anchor: string | null
}

/** The items of a mapping or a list. null: it has none, or keys that are no plain texts. */
function itemsOf(token: CST.Token, with_flow: boolean): { is_list: boolean; list: Item[] } | null {
  const is_flow = token.type === 'flow-collection'
  if (token.type !== 'block-seq' && token.type !== 'block-map' && !(is_flow && with_flow)) return null
  const is_list = token.type === 'block-seq' || (token.type === 'flow-collection' && token.start.source === '[')
  const list: Item[] = []
  for (const item of token.items) {
    const { start, key = null, sep, value = null } = item
    const is_pair = sep !== undefined || key !== null
    // What follows the last item, such as comments, is an item of its own.
    if (!is_pair && value === null && !start.some(({ type }) => type === 'seq-item-ind')) continue
    if (is_list && is_pair) return null
    const name = is_list ? '' : textOf(key ?? value)
    if (name === null) return null
    const begun = key ?? value
    const anchor = [...(sep ?? []), ...(is_pair ? [] : start)].find(({ type }) => type === 'anchor')
    list.push({
      key: name,
      offset: begun?.offset ?? token.offset,
      value: is_list || is_pair ? value : null,
      anchor: anchor === undefined ? null : anchor.source.slice(1),
    })
  }
  return { is_list, list }
}

const textOf = (token: CST.Token | null): string | null =>
  token === null || token.type === 'alias' ? null : (CST.resolveAsScalar(token)?.value ?? null)

function composePiece(composing: Composing, token: CST.Token, end: number): unknown {
  if (end - token.offset > PIECE_CHARS_MAX) {
    composing.error ??= TOO_LONG
    return null
  }
  const { offset } = token
  const [document] = new Composer(OPTIONS).compose([
    { type: 'document', offset, start: [], value: token } satisfies CST.Document,
  ])
  const [error] = document?.errors ?? []
  if (document !== undefined && error === undefined) return document.toJS()
  report(composing, error?.pos[0] ?? offset, error?.message ?? '')
  return null
}
const OPTIONS = {
  // Comparing each key with each other one takes quadratic time.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
  schema: 'core',
} as const

const MESSAGE_CHARS_MAX = 200

function report(composing: Composing, offset: number, message: string): void {
  const line = composing.text.slice(0, offset).split('\n').length
  composing.error ??= `${NO_YAML}: line ${line}: ${message.slice(0, MESSAGE_CHARS_MAX)}`
}
