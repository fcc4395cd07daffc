/** Reads back what was said in the rows the state refers to: replies with their blocks, tasks, words of the user. */
import { replyReader, type NativeReply } from '../conversation/replies.ts'
import { readTags, type Tags } from '../../mode/tags.ts'
import { editedText, type ItemSource } from '../plan/items.ts'

export type TaggedReply = Tags & NativeReply
export const { replyIn, replyAt } = replyReader(readTags)

/** A task: its name, and what a person wrote about it. */
export const TASKS: ItemSource = {
  prefix: 'task',
  textOf([, row, index], recall) {
    const { event } = recall(row)
    return event.kind === 'plan_edited'
      ? editedText(event.items[index])
      : editedText({ title: replyAt(recall, row).tasks?.[index]?.name ?? '' })
  },
}
