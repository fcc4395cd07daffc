/** The summary that replaces omitted rounds of a conversation. The program makes it from numbers and references. */
import * as z from 'zod'
import type { Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { fieldsOf, fileNameIn } from '../../terms/files/file-input.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { cut } from '../../terms/text.ts'
import { callAt } from './calls.ts'
import type { Entry } from './entry.ts'
import { wordsAt } from './replies.ts'

const row = z.int().min(1)
const count = z.int().min(0)

/** The messages before the window, in numbers and references. */
export const OmittedRounds = z.object({
  turns: count,
  /** [row of the first call, number of calls] of each tool. Further tools are only counted. */
  tools: z.array(z.tuple([row, count])),
  other_calls: count,
  /** Rows of the latest writes, one for each file. */
  files: z.array(row),
  /** Rows of the latest texts of the user. */
  said: z.array(row),
})
export type OmittedRounds = z.infer<typeof OmittedRounds>
export const NO_OMITTED_ROUNDS: OmittedRounds = { turns: 0, tools: [], other_calls: 0, files: [], said: [] }

const TOOLS_MAX = 16
const FILES_MAX = 30
const SAID_MAX = 10
/** Characters shown of one text of the user, and of one name. */
const SAID_CHARS = 300
const NAME_CHARS = 120

/** Adds one message to the counts. */
export function tallyEntry(omitted: OmittedRounds, row: number, entry: Entry, recall: Recall): OmittedRounds {
  switch (entry.kind) {
    case 'assistant':
      return { ...omitted, turns: omitted.turns + 1 }
    case 'user':
      return { ...omitted, said: pushBounded(omitted.said, row, SAID_MAX) }
    case 'tool':
      // A rejected call was not made.
      if (recall(row).event.kind === 'approval_answered')
        return entry.words === undefined ? omitted : { ...omitted, said: pushBounded(omitted.said, row, SAID_MAX) }
      return { ...withCall(omitted, row, recall), files: withFile(omitted.files, row, recall) }
  }
}

function toolAt(recall: Recall, row: number): string {
  const { effect } = recall(row)
  return effect?.kind === 'run_tool' ? effect.tool : ''
}

function withCall(omitted: OmittedRounds, row: number, recall: Recall): OmittedRounds {
  const name = toolAt(recall, row)
  const position = omitted.tools.findIndex(([first]) => toolAt(recall, first) === name)
  if (position === -1 && omitted.tools.length >= TOOLS_MAX) return { ...omitted, other_calls: omitted.other_calls + 1 }
  if (position === -1) return { ...omitted, tools: [...omitted.tools, [row, 1]] }
  const tools = omitted.tools.map(([first, calls], index): [number, number] => [
    first,
    index === position ? calls + 1 : calls,
  ])
  return { ...omitted, tools }
}

/** The newest write of each file. */
function withFile(files: number[], row: number, recall: Recall): number[] {
  const name = fileAt(recall, row)
  if (name === null) return files
  const others = files.filter((other) => fileAt(recall, other) !== name)
  return pushBounded(others, row, FILES_MAX)
}

/** The file that a row has written. */
function fileAt(recall: Recall, row: number): string | null {
  const { effect, event } = recall(row)
  if (effect?.kind !== 'run_tool' || effect.tool !== 'write_file') return null
  if (event.kind !== 'tool_returned' || !event.ok) return null
  return fileNameIn(fieldsOf(callAt(recall, effect.by, effect.call).input))
}

const EN = {
  heading: '[Earlier parts of this conversation are left out. What they came to, put together by the program:]',
  turns: (count: number) => `Replies left out: ${count}`,
  tools: (list: string) => `Tool calls: ${list}`,
  others: 'others',
  files: (list: string) => `Files written: ${list}`,
  steps: (list: string) => `Steps completed: ${list}`,
  said: 'The user said:',
}
type Words = typeof EN

const ZH: Words = {
  heading: '【较早的对话已省略，以下是程序整理的摘要】',
  turns: (count) => `省略的回复：${count} 条`,
  tools: (list) => `工具调用：${list}`,
  others: '其他',
  files: (list) => `已写入的文件：${list}`,
  steps: (list) => `已完成的步骤：${list}`,
  said: '用户说过：',
}

const WORDS: Record<Locale, Words> = { en: EN, zh: ZH }

/** `steps`: the titles of the steps that were completed meanwhile. */
export function omittedText(omitted: OmittedRounds, steps: readonly string[], recall: Recall, locale: Locale): string {
  const words = WORDS[locale]
  const calls = omitted.tools.map(([row, count]) => `${cut(toolAt(recall, row), NAME_CHARS)} ${count}`)
  const all = omitted.other_calls === 0 ? calls : [...calls, `${words.others} ${omitted.other_calls}`]
  const files = omitted.files.map((row) => cut(fileAt(recall, row) ?? '', NAME_CHARS))
  const user_texts = omitted.said.map((row) => `- ${cut(wordsAt(recall, row), SAID_CHARS)}`)
  return [
    words.heading,
    words.turns(omitted.turns),
    ...(all.length === 0 ? [] : [words.tools(all.join(', '))]),
    ...(files.length === 0 ? [] : [words.files(files.join(', '))]),
    ...(steps.length === 0 ? [] : [words.steps(steps.map((title) => cut(title, NAME_CHARS)).join('; '))]),
    ...(user_texts.length === 0 ? [] : [words.said, ...user_texts]),
  ].join('\n')
}
