/** Reads back what was said in the rows the state refers to: replies with their blocks, tasks, words of the user. */
import { readOnce } from '../conversation/reading.ts'
import type { Recall, ToolCall } from '../../terms/effect.ts'
import { expectEvent } from '../../mode/mode.ts'
import { removeThinking } from '../../mode/reply.ts'
import { readTags, type Tags } from '../../mode/tags.ts'
import type { AutonomousItem } from './state.ts'

export interface TaggedReply extends Tags {
  /** As the model is shown it again, its blocks in it (R13). */
  text: string
  calls: readonly ToolCall[]
}

export const saidIn = readOnce((event): TaggedReply => ({
  ...readTags(event.text),
  text: removeThinking(event.text).trim(),
  calls: event.tool_calls ?? [],
}))

export const saidAt = (recall: Recall, row: number): TaggedReply => saidIn(expectEvent(recall(row), 'model_replied'))

/** A reply with neither words nor calls is none. */
export const isEmpty = ({ text, calls }: TaggedReply): boolean => text === '' && calls.length === 0

/** What is known of a task: its name, and what was written of it by hand. */
export function detailsOf([, row, at]: AutonomousItem, recall: Recall) {
  const { event } = recall(row)
  if (event.kind === 'plan_edited') {
    const { title = '', description = '', expected_output = null } = event.items[at] ?? {}
    return { title, description, expected_output }
  }
  return { title: saidAt(recall, row).tasks?.[at]?.name ?? '', description: '', expected_output: null }
}

export const titleOf = (item: AutonomousItem, recall: Recall): string => detailsOf(item, recall).title
