/**
 * The lists of tools that the sources of a task gave. Each is kept by the row of the effect that fetched it, so a replay and a fork see
 * the same tools. A list is fetched before the first effect that could use it, and again after a stop if its source said that it changed.
 */
import { looseName, type ClientTool, type ToolSource } from '../../terms/tools/client-tools.ts'
import type { Event, EventOf, Fact, Note, Recall } from '../../terms/effect.ts'
import { backoffMs, NO_STREAK } from '../../terms/failure-streak.ts'
import type { Head } from '../../terms/head.ts'
import { pauseReasonText, type PauseReason } from '../../terms/pause-reason.ts'
import { ASK_USER } from '../../mode/ask-user.ts'
import { briefOf } from '../../mode/mode.ts'
import { BUILT_IN_TOOLS } from '../../mode/tools.ts'

export const sourcesOf = (recall: Recall): readonly ToolSource[] => briefOf(recall).sources ?? []

const NO_TOOLS: readonly ClientTool[] = []

/** The tools that a row has listed. A row that could not list them has none: the task goes on without an optional source. */
const toolsAt = (recall: Recall, row: number | null): readonly ClientTool[] => {
  const event = row === null ? null : recall(row).event
  return event?.kind === 'tools_listed' ? event.tools : NO_TOOLS
}

/**
 * The rows as the state machine and its prompts read them: the brief holds the listed tools too. Everything that chooses, calls or shows
 * a tool reads the brief by this.
 */
export function withListedTools({ lists }: Pick<Head, 'lists'>, recall: Recall): Recall {
  if (lists.every(({ row }) => row === null) || WITH_TOOLS.has(recall)) return recall
  const listed = distinctTools(lists, recall)
  if (listed.length === 0) return recall
  let first: Fact | null = null
  const withTools = (fact: Fact): Fact =>
    fact.event.kind === 'task_created'
      ? {
          ...fact,
          event: { ...fact.event, brief: { ...fact.event.brief, tools: [...fact.event.brief.tools, ...listed] } },
        }
      : fact
  const wrapped: Recall = (seq) => (seq === 1 ? (first ??= withTools(recall(1))) : recall(seq))
  WITH_TOOLS.add(wrapped)
  return wrapped
}

/** The listed tools of a brief, for the lists of its rows. Names are compared again and again, and a list may have a hundred. */
const distinct_tools = new WeakMap<object, { lists: (readonly ClientTool[])[]; tools: readonly ClientTool[] }>()

/**
 * The listed tools under names that no model can take for another: not for one of the client, of the service or of another list, also
 * where its API takes no dots. The later one of two gets a number.
 */
function distinctTools(lists: Head['lists'], recall: Recall): readonly ClientTool[] {
  const brief = briefOf(recall)
  const given = lists.map(({ row }) => toolsAt(recall, row))
  const known = distinct_tools.get(brief)
  if (known?.lists.length === given.length && given.every((list, index) => list === known.lists[index]))
    return known.tools
  const taken = new Set([...brief.tools, ...BUILT_IN_TOOLS].map(({ name }) => looseName(name)))
  taken.add(looseName(ASK_USER))
  const tools = given.flatMap((list) =>
    list.map((tool) => {
      let name = tool.name
      for (let number = 2; taken.has(looseName(name)); number++) name = `${tool.name.slice(0, NAME_CHARS)}_${number}`
      taken.add(looseName(name))
      return name === tool.name ? tool : { ...tool, name }
    }),
  )
  distinct_tools.set(brief, { lists: given, tools })
  return tools
}

/** With its number a name has at most 64 characters, which is what wires take. */
const NAME_CHARS = 60

/** The rows that hold the listed tools already. */
const WITH_TOOLS = new WeakSet<Recall>()

/** The position of the source that has to be listed next. null: all are listed. */
export function sourceToList({ lists }: Pick<Head, 'lists'>, recall: Recall): number | null {
  const next = sourcesOf(recall).findIndex((_, position) => (lists[position]?.row ?? null) === null)
  return next === -1 ? null : next
}

const NOT_LISTED: Head['lists'][number] = { row: null, changed: false }

function withList(head: Head, recall: Recall, position: number, entry: Head['lists'][number]): Head['lists'] {
  return sourcesOf(recall).map((_, index) => (index === position ? entry : (head.lists[index] ?? NOT_LISTED)))
}

/** How often in a row a source is asked before the task pauses, or goes on without it. */
export const LIST_TRIES_MAX = 3
export const LIST_TIMEOUT_MS = 30_000
const TOOLS_UNAVAILABLE: PauseReason = { kind: 'tools_unavailable' }

type Changes = { head: Partial<Head>; notes: Note[] }

/** What the row of a list effect changes. A list whose worker died again and again counts as one that could not be had. */
export function listTools(
  head: Head,
  position: number,
  event: Event,
  { seq, recall, now_ms }: { seq: number; recall: Recall; now_ms: number },
): Changes {
  const source = sourcesOf(recall)[position]
  if (source === undefined || event.kind === 'abandoned') return { head: {}, notes: [] }
  if (event.kind === 'tools_listed') {
    const { tools, digest, notes } = event
    const names = tools.map(({ name }) => name)
    const note: Note = { type: 'tools_listed', payload: { source: source.name, tools: names, digest, notes } }
    return {
      head: { lists: withList(head, recall, position, { row: seq, changed: false }), ...afterTries(head, recall) },
      notes: [note],
    }
  }
  const failed: EventOf<'tools_unlisted'> =
    event.kind === 'tools_unlisted'
      ? event
      : { kind: 'tools_unlisted', reason: 'the worker was lost', passing: true, retry_after_ms: null }
  const streak = { ...head.streak, count: head.streak.count + 1 }
  if (failed.passing && streak.count < LIST_TRIES_MAX)
    return { head: { streak, failed_row: seq, retry_at: now_ms + backoffMs(streak, failed.retry_after_ms) }, notes: [] }
  const payload = { source: source.name, reason: failed.reason, optional: source.optional }
  const note: Note = { type: 'tools_unavailable', payload }
  if (source.optional)
    return {
      head: { lists: withList(head, recall, position, { row: seq, changed: false }), ...afterTries(head, recall) },
      notes: [note],
    }
  const paused = { pause_reason: TOOLS_UNAVAILABLE, unavailable: head.unavailable + 1, retry_at: null }
  const stop: Note = { type: 'task_paused', payload: { stop_reason: pauseReasonText(TOOLS_UNAVAILABLE) } }
  return { head: { ...paused, streak: NO_STREAK, failed_row: seq }, notes: [note, stop] }
}

/** The tries are over. What failed of a model before counts on. */
function afterTries({ failed_row, streak, unavailable }: Head, recall: Recall) {
  const ofTools = failed_row !== null && recall(failed_row).event.kind === 'tools_unlisted'
  return { retry_at: null, streak: ofTools ? NO_STREAK : streak, unavailable: ofTools ? 0 : unavailable }
}

/** The lists after a tool has told that its source changed. */
export function markChanged(head: Head, position: number, recall: Recall): Head['lists'] {
  const entry = head.lists[position] ?? NOT_LISTED
  return withList(head, recall, position, { ...entry, changed: true })
}

/**
 * The lists of a task that goes on after a stop: those that changed, and those that an optional source did not give, are fetched again. A
 * held call goes on with its tool as it was listed, and a person approves a tool as it is listed, so the lists stay until a stop without
 * either.
 */
export const listsAfterStop = (
  { lists, held, approval }: Pick<Head, 'lists' | 'held' | 'approval'>,
  recall: Recall,
): Head['lists'] =>
  held !== null || approval?.kind === 'action'
    ? lists
    : lists.map((entry) => {
        const wasGiven = entry.row === null || recall(entry.row).event.kind === 'tools_listed'
        return entry.changed || !wasGiven ? NOT_LISTED : entry
      })
