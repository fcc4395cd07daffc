/** What stands in the place of rounds that were left out of the conversation: a summary made by rule, of numbers and references. */
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

/** What was said and done before the window, in numbers and references. */
export const LeftOut = z.object({
  turns: count,
  /** [row of the first call, calls] of each tool; further tools are only counted. */
  tools: z.array(z.tuple([row, count])),
  other_calls: count,
  /** Rows of the latest writes of files, one of each file. */
  files: z.array(row),
  /** Rows of what the user said last. */
  said: z.array(row),
})
export type LeftOut = z.infer<typeof LeftOut>
export const NOTHING_LEFT_OUT: LeftOut = { turns: 0, tools: [], other_calls: 0, files: [], said: [] }

const TOOLS_MAX = 16
const FILES_MAX = 30
const SAID_MAX = 10
/** Characters shown of one word of the user, one name. */
const SAID_CHARS = 300
const NAME_CHARS = 120

/** The counts with one message more. */
export function tallyEntry(left: LeftOut, row: number, entry: Entry, recall: Recall): LeftOut {
  switch (entry.kind) {
    case 'assistant':
      return { ...left, turns: left.turns + 1 }
    case 'user':
      return { ...left, said: pushBounded(left.said, row, SAID_MAX) }
    case 'tool':
      // One that was not approved was not made.
      if (recall(row).event.kind === 'approval_answered')
        return entry.words === undefined ? left : { ...left, said: pushBounded(left.said, row, SAID_MAX) }
      return { ...withCall(left, row, recall), files: withFile(left.files, row, recall) }
  }
}

function toolAt(recall: Recall, row: number): string {
  const { effect } = recall(row)
  return effect?.kind === 'run_tool' ? effect.tool : ''
}

function withCall(left: LeftOut, row: number, recall: Recall): LeftOut {
  const name = toolAt(recall, row)
  const known = left.tools.findIndex(([first]) => toolAt(recall, first) === name)
  if (known === -1 && left.tools.length >= TOOLS_MAX) return { ...left, other_calls: left.other_calls + 1 }
  if (known === -1) return { ...left, tools: [...left.tools, [row, 1]] }
  const tools = left.tools.map(([first, calls], index): [number, number] => [
    first,
    index === known ? calls + 1 : calls,
  ])
  return { ...left, tools }
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

interface Words {
  heading: string
  turns(count: number): string
  tools(list: string): string
  others: string
  files(list: string): string
  steps(list: string): string
  said: string
}
const WORDS: Record<Locale, Words> = {
  en: {
    heading: '[Earlier parts of this conversation are left out. What they came to, put together by the program:]',
    turns: (count) => `Replies left out: ${count}`,
    tools: (list) => `Tool calls: ${list}`,
    others: 'others',
    files: (list) => `Files written: ${list}`,
    steps: (list) => `Steps completed: ${list}`,
    said: 'The user said:',
  },
  zh: {
    heading: '【较早的对话已省略，以下是程序整理的摘要】',
    turns: (count) => `省略的回复：${count} 条`,
    tools: (list) => `工具调用：${list}`,
    others: '其他',
    files: (list) => `已写入的文件：${list}`,
    steps: (list) => `已完成的步骤：${list}`,
    said: '用户说过：',
  },
}

/** `steps`: titles of those completed meanwhile. */
export function leftOutText(left: LeftOut, steps: readonly string[], recall: Recall, locale: Locale): string {
  const words = WORDS[locale]
  const calls = left.tools.map(([row, count]) => `${cut(toolAt(recall, row), NAME_CHARS)} ${count}`)
  const all = left.other_calls === 0 ? calls : [...calls, `${words.others} ${left.other_calls}`]
  const files = left.files.map((row) => cut(fileAt(recall, row) ?? '', NAME_CHARS))
  const said = left.said.map((row) => `- ${cut(wordsAt(recall, row), SAID_CHARS)}`)
  return [
    words.heading,
    words.turns(left.turns),
    ...(all.length === 0 ? [] : [words.tools(all.join(', '))]),
    ...(files.length === 0 ? [] : [words.files(files.join(', '))]),
    ...(steps.length === 0 ? [] : [words.steps(steps.map((title) => cut(title, NAME_CHARS)).join('; '))]),
    ...(said.length === 0 ? [] : [words.said, ...said]),
  ].join('\n')
}
