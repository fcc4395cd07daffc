/**
 * What a model that drives itself writes for the program: a `<thinking>` block, a `<tasks>` list, an end marker (S1-12…S1-19, S1-24, S1-25).
 * Read tolerantly (S1-37): any case, spaces within a tag, end tags that are missing. Pure functions of a text, in time linear to it.
 */
import { fencedLines, type Line } from './markup.ts'
import { withoutThinking } from './reply.ts'

export interface Task {
  name: string
  done: boolean
}

export interface Tags {
  /** The first thought; null: none. */
  thinking: string | null
  /** The first list, in its order; null: none, or one without a task. */
  tasks: Task[] | null
  /** Whether the end marker stands beyond blocks and code. */
  marked: boolean
  /** What is said to people: without blocks, marker and a rule at the end (O1-06). */
  report: string
}

type Name = 'thinking' | 'tasks'
interface Tag {
  name: Name
  closes: boolean
  /** Where it begins, and what comes behind it. */
  from: number
  to: number
}
interface Block {
  name: Name
  /** Of the whole block. */
  from: number
  to: number
  content: string
}

const TAG = /<\s*(?:(\/)\s*)?(thinking|tasks)\s*>/gi
/** Lines between a rule and its marker. */
const BLANKS_MAX = 4
/** Signs of emphasis, quotes and headings may stand around it. */
const MARKER_LINE = /^[\s*_#>-]*\[\s*analysis[_ ]complete\s*\][\s*_.。!！-]*$/i
const MARKER_LAST = /\[\s*analysis[_ ]complete\s*\][\s*_.。!！-]*$/i

export function readTags(reply: string): Tags {
  const text = withoutThinking(reply)
  const blocks = blocksOf(text)
  const first = (name: Name) => blocks.find((block) => block.name === name)?.content.trim()
  const beyond = without(text, blocks)
  const { marked, kept } = withoutMarker(fencedLines(beyond))
  return {
    thinking: first('thinking') || null,
    tasks: tasksIn(first('tasks') ?? ''),
    marked,
    report: kept
      .join('\n')
      .trim()
      .replace(/(?:\n|^)[ \t]*-{3,}$/, '')
      .trim(),
  }
}

const isRule = (text: string) => /^\s*-{3,}\s*$/.test(text)
function isMarkerBelow(lines: readonly Line[], index: number): boolean {
  const next = lines.slice(index + 1, index + 1 + BLANKS_MAX).find(({ text }) => text.trim() !== '')
  return next !== undefined && !next.fenced && MARKER_LINE.test(next.text)
}

/** It stands on a line of its own, or closes the text: one that is talked about ends nothing and stays. */
function withoutMarker(lines: readonly Line[]): { marked: boolean; kept: string[] } {
  const last = lines.findLastIndex(({ text }) => text.trim() !== '')
  let marked = false
  const kept = lines.map(({ text, fenced }, index) => {
    const marker = index === last && !MARKER_LINE.test(text) ? MARKER_LAST : MARKER_LINE
    if (fenced || !marker.test(text)) return text
    marked = true
    return text.replace(marker, '')
  })
  // The rule above a marker goes with it, whatever stands behind.
  const without = kept.map((text, index) => (isRule(text) && isMarkerBelow(lines, index) ? '' : text))
  return { marked, kept: without }
}

function tagsIn(text: string): Tag[] {
  return [...text.matchAll(TAG)].map((match) => ({
    name: match[2]?.toLowerCase() === 'tasks' ? 'tasks' : 'thinking',
    closes: match[1] === '/',
    from: match.index,
    to: match.index + match[0].length,
  }))
}

/** What comes next behind a tag: the next of its name, and the next that opens a block. */
interface Behind {
  own: Tag | undefined
  opening: Tag | undefined
}

/** From the last tag to the first: many of them cost no more than one look each. */
function behindEach(tags: readonly Tag[]): Behind[] {
  const latest = new Map<Name, Tag>()
  let opening: Tag | undefined
  const found = tags.toReversed().map((tag): Behind => {
    const behind = { own: latest.get(tag.name), opening }
    latest.set(tag.name, tag)
    if (!tag.closes) opening = tag
    return behind
  })
  return found.toReversed()
}

function blocksOf(text: string): Block[] {
  const tags = tagsIn(text)
  const behind = behindEach(tags)
  const blocks: Block[] = []
  let read = 0
  tags.forEach((tag, index) => {
    if (tag.from < read) return
    const block = tag.closes ? { ...tag, content: '' } : blockFrom(text, tag, behind[index])
    blocks.push(block)
    read = block.to
  })
  return blocks
}

/** Up to its end tag; where that is missing up to the next block, or as far as it looks like one. */
function blockFrom(text: string, tag: Tag, behind: Behind | undefined): Block {
  const { name, from } = tag
  const own = behind?.own
  if (own?.closes === true) return { name, from, to: own.to, content: text.slice(tag.to, own.from) }
  const next = behind?.opening
  const room = text.slice(tag.to, next?.from)
  const content = name === 'tasks' ? listAt(room) : next === undefined ? paragraphAt(room) : room
  return { name, from, to: tag.to + content.length, content }
}

/** The task lines a text begins with. */
function listAt(text: string): string {
  let to = 0
  for (const line of text.split('\n')) {
    if (line.trim() !== '' && taskIn(line) === null) break
    to += line.length + 1
  }
  return text.slice(0, to)
}

const paragraphAt = (text: string) => {
  const start = text.length - text.trimStart().length
  const end = text.slice(start).search(/\n[ \t]*\n/)
  return end === -1 ? text : text.slice(0, start + end)
}

/** A fence around nothing but blocks goes with them. */
function without(text: string, blocks: readonly Block[]): string {
  let from = 0
  const parts = blocks.map((block) => {
    const part = text.slice(from, block.from)
    from = block.to
    return part
  })
  const rest = [...parts, text.slice(from)].join('')
  return blocks.length === 0 ? rest : rest.replaceAll(/^[ \t]*```\w*[ \t]*\n\s*```[ \t]*$/gm, '')
}

const LINE = /^-\s*\[\s*(?:(x)\s*)?\]\s*(\S.*)$/i

function taskIn(line: string): Task | null {
  const [, mark, name] = LINE.exec(line.trim()) ?? []
  return name === undefined ? null : { name: properName(name), done: mark?.toLowerCase() === 'x' }
}

/** R14: groups in full-width parentheses are notes wherever they stand, those in half-width ones at the end only. */
function properName(written: string): string {
  const name = written.replaceAll(/（[^（）]*）/g, '').trim()
  const open = name.lastIndexOf('(')
  const isNote = open !== -1 && name.indexOf(')', open) === name.length - 1
  return isNote ? name.slice(0, open).trim() : name
}

function tasksIn(list: string): Task[] | null {
  const tasks = list.split('\n').flatMap((line) => taskIn(line) ?? [])
  const named = tasks.filter(({ name }) => name !== '')
  return named.length === 0 ? null : named
}
