/** The file of a command (S2-12): front matter, then task, constraints and expected output. */
import { CommandType, type Amounts } from '../core/terms/delegation.ts'
import { amountKeys, amountLines, readAmounts } from './amounts.ts'
import { fieldLine, splitFrontMatter, timeLine } from './front-matter.ts'
import { unifyLineEnds, withoutBlankEnds } from './lines.ts'

export interface CommandFile {
  /** `task-<uuid>`. */
  id: string
  created_at: string
  session_id: string
  command_type: CommandType
  /** The address of its report; null: the file names none. */
  report_url: string | null
  /** The amounts that the command may spend; null: the file names none. */
  budget: Amounts | null
  task: string
  constraints: string
  expected_output: string
}

/** The headings are part of the interface, so they do not depend on the language of the texts. A file in English says so above them (U63). */
const HEADINGS = { task: '## 任务描述', constraints: '## 约束条件', expected_output: '## 预期输出' } as const
type Part = keyof typeof HEADINGS
const PARTS = ['task', 'constraints', 'expected_output'] as const satisfies Part[]

export const HEADINGS_NOTE =
  'The Chinese headings belong to the format of this file and have to stay: 任务描述 is the task, 约束条件 are its constraints, and 预期输出 is the expected output.'
/** A command is Chinese when the first line of its task is; an empty task needs no note. */
const isEnglish = (task: string): boolean => {
  const [title = ''] = task.trimStart().split('\n', 1)
  return title !== '' && !/\p{Script=Han}/u.test(title)
}

const BUDGET = 'budget_'
const KEYS: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'session_id',
  'command_type',
  'report_url',
  ...amountKeys(BUDGET),
])
/** Ids have the form `task-<uuid>` and are safe in a file name. */
const COMMAND_ID = /^task-[A-Za-z0-9_-]{1,100}$/

export const commandFileName = (id: string): string => `${id}.md`

/**
 * A written command is read back unchanged, except that line ends become `\n` and blank lines at both ends of a text are left out. A line of a
 * text that equals a heading gets a backslash.
 */
export function writeCommandFile(command: CommandFile): string {
  const front = [
    fieldLine('id', command.id),
    timeLine('created_at', command.created_at),
    fieldLine('session_id', command.session_id),
    fieldLine('command_type', command.command_type),
    ...(command.report_url === null ? [] : [fieldLine('report_url', command.report_url)]),
    ...amountLines(BUDGET, command.budget),
  ]
  const parts = PARTS.map((part) => {
    const text = withoutBlankEnds(unifyLineEnds(command[part]).split('\n').map(escapeLine))
    return text === '' ? `${HEADINGS[part]}\n` : `${HEADINGS[part]}\n${text}\n`
  })
  const note = isEnglish(unifyLineEnds(command.task)) ? `${HEADINGS_NOTE}\n\n` : ''
  return `---\n${front.join('\n')}\n---\n\n${note}${parts.join('\n')}`
}

/** null: it is not the file of a command. What stands above its headings is no part of it. Without a heading of the task, the whole text below the front matter is the task (O2-06). */
export function readCommandFile(text: string): CommandFile | null {
  const { fields, body } = splitFrontMatter(unifyLineEnds(text.replace(/^\ufeff/, '')).split('\n'), KEYS)
  const [id, created_at, session_id] = ['id', 'created_at', 'session_id'].map((key) => fields?.get(key))
  const type = CommandType.safeParse(fields?.get('command_type'))
  if (!fields || id === undefined || created_at === undefined || session_id === undefined) return null
  if (!type.success || !COMMAND_ID.test(id)) return null
  return {
    id,
    created_at,
    session_id,
    command_type: type.data,
    report_url: fields.get('report_url') ?? null,
    budget: readAmounts(fields, [BUDGET]),
    ...partsIn(body),
  }
}

function partsIn(body: readonly string[]): Record<Part, string> {
  const found = new Map<Part, string[]>()
  let current: string[] | undefined
  for (const line of body) {
    const part = PARTS.find((part) => HEADINGS[part] === line.trimEnd() && !found.has(part))
    if (part === undefined) current?.push(unescapeLine(line))
    else found.set(part, (current = []))
  }
  const textOf = (part: Part) => withoutBlankEnds(found.get(part) ?? [])
  return {
    task: found.has('task') ? textOf('task') : withoutBlankEnds(body),
    constraints: textOf('constraints'),
    expected_output: textOf('expected_output'),
  }
}

const isHeading = (line: string) => PARTS.some((part) => HEADINGS[part] === line.trimEnd())
const escapeLine = (line: string) => (isHeading(line.replace(/^\\+/, '')) ? `\\${line}` : line)
const unescapeLine = (line: string) =>
  line.startsWith('\\') && isHeading(line.replace(/^\\+/, '')) ? line.slice(1) : line
