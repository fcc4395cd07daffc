/** Reads the texts in the rows that the state names: replies with their blocks, and tasks. */
import { replyReader, type NativeReply } from '../conversation/replies.ts'
import type { Brief, EventOf, Recall } from '../../terms/effect.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { callsOf, writtenIn } from '../conversation/calls.ts'
import { readTags, type TagContents } from '../../mode/tags.ts'
import { editedText, type ItemSource } from '../plan/items.ts'

export type TaggedReply = TagContents & NativeReply
const { replyIn: readReply } = replyReader(readTags)

/** A reply, whose calls may be written as text (core/modes/conversation/written-calls.ts). */
export function replyIn(event: EventOf<'model_replied'>, brief: Brief): TaggedReply {
  const reply = readReply(event)
  const calls = callsOf(event, brief)
  if (calls.length === reply.calls.length) return reply
  const { rest } = writtenIn(event, brief)
  return { ...reply, text: rest, calls, report: readTags(rest).report }
}

export const replyAt = (recall: Recall, row: number): TaggedReply =>
  replyIn(expectEvent(recall(row), 'model_replied'), briefOf(recall))

/** The tool that a reply calls by text beside other text, which calls nothing. null: it does not. */
export function toolCalledByText(event: EventOf<'model_replied'>, brief: Brief): string | null {
  if (callsOf(event, brief).length > 0) return null
  return writtenIn(event, brief).calls[0]?.name ?? null
}

/** The text of a task: its name, and what a person wrote about it. */
export const TASKS: ItemSource = {
  prefix: 'task',
  textOf([, row, index], recall) {
    const { event } = recall(row)
    return event.kind === 'plan_edited'
      ? editedText(event.items[index])
      : editedText({ title: replyAt(recall, row).tasks?.[index]?.name ?? '' })
  },
}
