/**
 * Reads the tags that a model of `autonomous` writes: a `<thinking>` block, a `<tasks>` list and an end marker
 * (S1-12 to S1-19, S1-24, S1-25). The reader is tolerant (S1-37): it accepts any case, spaces within a tag and missing end
 * tags. Its time is linear in the text.
 */
import { fencedLines, type Line } from './markup.ts'
import { removeThinking } from './reply.ts'

export interface TaskLine {
  name: string
  done: boolean
}

export interface TagContents {
  /** The content of the first thinking block. null: there is none, or it is empty. */
  thinking: string | null
  /** The first list, in its order. null: there is none, or it has no task. */
  tasks: TaskLine[] | null
  /** Whether there is an end marker outside blocks and code. */
  says_complete: boolean
  /** The text for people: without blocks, marker and a rule at the end (O1-06). */
  report: string
}

type Name = 'thinking' | 'tasks'
interface Tag {
  name: Name
  closes: boolean
  /** The positions of its first character, and of the character after it. */
  from: number
  to: number
}
interface Block {
  name: Name
  /** The positions of the whole block with its tags. */
  from: number
  to: number
  content: string
}

const TAG = /<\s*(?:(\/)\s*)?(thinking|tasks)\s*>/gi
/** How many lines may separate a rule from the marker below it. */
const BLANKS_MAX = 4
/** The marker on a line of its own. Markdown signs for emphasis, quotes and headings may surround it. */
const MARKER_LINE = /^[\s*_#>-]*\[\s*analysis[_ ]complete\s*\][\s*_.。!！-]*$/i
const MARKER_LAST = /\[\s*analysis[_ ]complete\s*\][\s*_.。!！-]*$/i

export function readTags(reply: string): TagContents {
  const text = removeThinking(reply)
  const blocks = blocksOf(text)
  const first = (name: Name) => blocks.find((block) => block.name === name)?.content.trim()
  const { says_complete, lines } = removeMarker(fencedLines(removeBlocks(text, blocks)))
  return {
    thinking: first('thinking') || null,
    tasks: parseTaskLines(first('tasks') ?? ''),
    says_complete,
    report: withoutMarkdownFence(
      lines
        .join('\n')
        .trim()
        .replace(/(?:\n|^)[ \t]*-{3,}$/, '')
        .trim(),
    ),
  }
}

/** A report that stands in a fence of its own would be shown as code. */
function withoutMarkdownFence(report: string): string {
  const lines = report.split('\n')
  const [open = -1, close = -1, ...others] = lines.flatMap((line, index) => (/^\s*```/.test(line) ? [index] : []))
  const isWrapped =
    others.length === 0 && close === lines.length - 1 && /^\s*```\s*(?:markdown|md)\s*$/i.test(lines[open] ?? '')
  if (!isWrapped) return report
  return [...lines.slice(0, open), ...lines.slice(open + 1, close)].join('\n').trim()
}

const isRule = (text: string) => /^\s*-{3,}\s*$/.test(text)
function isMarkerBelow(lines: readonly Line[], index: number): boolean {
  const next = lines.slice(index + 1, index + 1 + BLANKS_MAX).find(({ text }) => text.trim() !== '')
  return next !== undefined && !next.fenced && MARKER_LINE.test(next.text)
}

/**
 * Removes the end marker. It counts only on a line of its own or at the end of the text. A marker that a sentence mentions
 * stays and ends nothing.
 */
function removeMarker(lines: readonly Line[]): { says_complete: boolean; lines: string[] } {
  const last = lines.findLastIndex(({ text }) => text.trim() !== '')
  let says_complete = false
  const unmarked = lines.map(({ text, fenced }, index) => {
    const marker = index === last && !MARKER_LINE.test(text) ? MARKER_LAST : MARKER_LINE
    if (fenced || !marker.test(text)) return text
    says_complete = true
    return text.replace(marker, '')
  })
  // A rule above a marker belongs to the marker, so it is removed too.
  const unruled = unmarked.map((text, index) => (isRule(text) && isMarkerBelow(lines, index) ? '' : text))
  return { says_complete, lines: unruled }
}

function tagsIn(text: string): Tag[] {
  return [...text.matchAll(TAG)].map((match) => ({
    name: match[2]?.toLowerCase() === 'tasks' ? 'tasks' : 'thinking',
    closes: match[1] === '/',
    from: match.index,
    to: match.index + match[0].length,
  }))
}

/** The tags after a tag: the next one of the same name, and the next one that opens a block. */
interface FollowingTags {
  own: Tag | undefined
  opening: Tag | undefined
}

/** The following tags of each tag. One pass from the last tag to the first keeps the time linear. */
function followingTags(tags: readonly Tag[]): FollowingTags[] {
  const latest = new Map<Name, Tag>()
  let opening: Tag | undefined
  const reversed = tags.toReversed().map((tag): FollowingTags => {
    const following = { own: latest.get(tag.name), opening }
    latest.set(tag.name, tag)
    if (!tag.closes) opening = tag
    return following
  })
  return reversed.toReversed()
}

function blocksOf(text: string): Block[] {
  const tags = tagsIn(text)
  const following = followingTags(tags)
  const blocks: Block[] = []
  let end = 0
  tags.forEach((tag, index) => {
    if (tag.from < end) return
    const block = tag.closes ? { ...tag, content: '' } : blockFrom(text, tag, following[index])
    blocks.push(block)
    end = block.to
  })
  return blocks
}

/** The block that a tag opens. Without an end tag it ends at the next block, or after its task lines or its paragraph. */
function blockFrom(text: string, tag: Tag, following: FollowingTags | undefined): Block {
  const { name, from } = tag
  const own = following?.own
  if (own?.closes === true) return { name, from, to: own.to, content: text.slice(tag.to, own.from) }
  const next = following?.opening
  const remainder = text.slice(tag.to, next?.from)
  const content = name === 'tasks' ? taskLinesAt(remainder) : next === undefined ? paragraphAt(remainder) : remainder
  return { name, from, to: tag.to + content.length, content }
}

/** The task lines at the beginning of a text. */
function taskLinesAt(text: string): string {
  let to = 0
  for (const line of text.split('\n')) {
    if (line.trim() !== '' && parseTaskLine(line) === null) break
    to += line.length + 1
  }
  return text.slice(0, to)
}

const paragraphAt = (text: string) => {
  const start = text.length - text.trimStart().length
  const end = text.slice(start).search(/\n[ \t]*\n/)
  return end === -1 ? text : text.slice(0, start + end)
}

/** The text without its blocks. A fence that contained only blocks is removed too. */
function removeBlocks(text: string, blocks: readonly Block[]): string {
  let from = 0
  const parts = blocks.map((block) => {
    const part = text.slice(from, block.from)
    from = block.to
    return part
  })
  const remainder = [...parts, text.slice(from)].join('')
  return blocks.length === 0 ? remainder : remainder.replaceAll(/^[ \t]*```\w*[ \t]*\n\s*```[ \t]*$/gm, '')
}

/** S1-25: a line has a tick or one blank between its brackets. `[]` and `[  ]` are no tasks. */
const LINE = /^-\s*\[([x ])\]\s*(\S.*)$/i

function parseTaskLine(line: string): TaskLine | null {
  const [, mark, name] = LINE.exec(line.trim()) ?? []
  return name === undefined ? null : { name: taskName(name), done: mark?.toLowerCase() === 'x' }
}

/** The name without notes (R14). Full-width parentheses are notes anywhere, half-width ones only at the end. */
function taskName(text: string): string {
  const name = withoutFullWidthNotes(text).trim()
  const open = name.lastIndexOf('(')
  const isNote = open !== -1 && name.indexOf(')', open) === name.length - 1
  return isNote ? name.slice(0, open).trim() : name
}

/** A note may hold another one. A parenthesis without its other half stays. */
function withoutFullWidthNotes(text: string): string {
  const kept: string[] = ['']
  for (const char of text) {
    if (char === '（') kept.push('')
    else if (char === '）' && kept.length > 1) kept.pop()
    else kept.push(`${kept.pop() ?? ''}${char}`)
  }
  return kept.join('（')
}

function parseTaskLines(list: string): TaskLine[] | null {
  const tasks = list.split('\n').flatMap((line) => parseTaskLine(line) ?? [])
  const named = tasks.filter(({ name }) => name !== '')
  return named.length === 0 ? null : named
}
