/** What the rows of tools change of a head beside the state of its mode: lists, held calls, and lists that changed. */
import type { Event, Note, Recall, StoredEffect } from '../../terms/effect.ts'
import type { Head } from '../../terms/head.ts'
import { briefOf } from '../../mode/mode.ts'
import { holdCall, nextLookMs } from './held-calls.ts'
import { findClientTool } from './offered-tools.ts'
import { listTools, markChanged } from './tool-lists.ts'

/** The row that an event closes. */
interface ToolRow {
  seq: number
  now_ms: number
  effect: StoredEffect | null
  recall: Recall
}

/** What a row changes that lists tools, or that holds a call or answers one. The mode is told nothing of it. null: it is no such row. */
export function changesOfTools(head: Head, event: Event, row: ToolRow): { head: Partial<Head>; notes: Note[] } | null {
  const { effect, seq, now_ms, recall } = row
  if (effect?.kind === 'list_tools') return listTools(head, effect.source, event, row)
  if (event.kind === 'tool_answered') {
    const { held } = head
    const isOpen = held !== null && held.row === event.request && held.answer === null
    return { notes: [], head: isOpen ? { held: { ...held, answer: seq } } : {} }
  }
  const held = effect?.kind === 'run_tool' ? holdCall(head, event, { seq, now_ms, effect, recall }) : null
  if (held === null) return null
  const retry_at = event.kind === 'tool_waits' && !held.expired ? now_ms + nextLookMs(held, event.poll_ms) : null
  return { notes: [], head: { held, retry_at } }
}

/** What a result of a tool changes of the head: its call is held no more, and its source may have another list. */
export function headAfterTool(head: Head, event: Event, { effect, recall }: ToolRow): Partial<Head> {
  if (effect?.kind !== 'run_tool') return {}
  const freed = head.held === null ? {} : { held: null, retry_at: null }
  const call = findClientTool(briefOf(recall), effect.tool)?.call
  if (event.kind !== 'tool_returned' || event.list_changed !== true || call?.kind !== 'mcp') return freed
  return { ...freed, lists: markChanged(head, call.source, recall) }
}
