/** Reads back what was said in the rows the state refers to: replies with their blocks, tasks, words of the user. */
import { readOnce } from '../conversation/reading.ts'
import type { Recall, ToolCall } from '../../terms/effect.ts'
import { expectEvent } from '../../mode/mode.ts'
import { withoutThinking } from '../../mode/reply.ts'
import { readTags, type Tags } from '../../mode/tags.ts'
import { editedText, type ItemSource } from '../plan/items.ts'

export interface TaggedReply extends Tags {
  /** As the model is shown it again, its blocks in it (R13). */
  text: string
  calls: readonly ToolCall[]
}

export const saidIn = readOnce((event): TaggedReply => ({
  ...readTags(event.text),
  text: withoutThinking(event.text).trim(),
  calls: event.tool_calls ?? [],
}))

export const saidAt = (recall: Recall, row: number): TaggedReply => saidIn(expectEvent(recall(row), 'model_replied'))

/** A reply with neither words nor calls is none. */
export const isEmpty = ({ text, calls }: TaggedReply): boolean => text === '' && calls.length === 0

/** A task: its name, and what a person wrote about it. */
export const TASKS: ItemSource = {
  prefix: 'task',
  textOf([, row, index], recall) {
    const { event } = recall(row)
    return event.kind === 'plan_edited'
      ? editedText(event.items[index])
      : editedText({ title: saidAt(recall, row).tasks?.[index]?.name ?? '' })
  },
}
