/**
 * The table of goals: what is asked of the offline model, and the commands, questions and words expected of it.
 *
 *   > goal          `\n` is a line break
 *   @ local time    NOW when absent
 *   + command       one that was run before, to have something to change
 *   ? words that the next question contains
 *   < the answer to it
 *   tool: input     the commands, in order
 *   = words that the final answer contains
 */
import { CHINESE_CHANGES } from './offline-goals-chinese-changes.ts'
import { CHINESE_AWKWARD } from './offline-goals-chinese-awkward.ts'
import { CHINESE } from './offline-goals-chinese.ts'
import { ENGLISH_CHANGES } from './offline-goals-english-changes.ts'
import { ENGLISH_AWKWARD } from './offline-goals-english-awkward.ts'
import { ENGLISH } from './offline-goals-english.ts'

export interface Goal {
  goal: string
  at: string | null
  before: string[]
  questions: string[]
  answers: string[]
  commands: string[]
  says: string[]
}

function read(table: string): Goal[] {
  const goals: Goal[] = []
  for (const line of table.split('\n').filter((text) => text !== '')) {
    const text = line.slice(2)
    const goal = goals.at(-1)
    if (line.startsWith('> ')) {
      goals.push({
        goal: text.replaceAll(String.raw`\n`, '\n'),
        at: null,
        before: [],
        questions: [],
        answers: [],
        commands: [],
        says: [],
      })
    } else if (!goal) throw new Error(`no goal before: ${line}`)
    else if (line.startsWith('@ ')) goal.at = text
    else if (line.startsWith('+ ')) goal.before.push(text)
    else if (line.startsWith('? ')) goal.questions.push(text)
    else if (line.startsWith('< ')) goal.answers.push(text)
    else if (line.startsWith('= ')) goal.says.push(text)
    else goal.commands.push(line)
  }
  return goals
}

export const GOALS: Goal[] = [
  ENGLISH,
  ENGLISH_AWKWARD,
  ENGLISH_CHANGES,
  CHINESE,
  CHINESE_AWKWARD,
  CHINESE_CHANGES,
].flatMap(read)
