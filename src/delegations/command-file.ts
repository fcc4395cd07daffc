/** The file of a command, as the seed's template has it (S2-12): front matter, then task, constraints and expected output. */
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
  /** Where its report goes; null: the file does not say. */
  report_url: string | null
  /** What it may spend; null: nothing is said of it. */
  budget: Amounts | null
  task: string
  constraints: string
  expected_output: string
}

/** Headings are interface facts, whatever language the texts have. */
const HEADINGS = { task: '## 任务描述', constraints: '## 约束条件', expected_output: '## 预期输出' } as const
type Part = keyof typeof HEADINGS
const PARTS = ['task', 'constraints', 'expected_output'] as const satisfies Part[]

const BUDGET = 'budget_'
const KEYS: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'session_id',
  'command_type',
  'report_url',
  ...amountKeys(BUDGET),
])
/** As `task-<uuid>`, and safe in a file's name. */
const COMMAND_ID = /^task-[A-Za-z0-9_-]{1,100}$/

export const commandFileName = (id: string): string => `${id}.md`

/**
 * What is written is read again unchanged, but for ends of lines, which are `\n`, and blank lines at either end of a text, which are left out.
 * A line of a text that is one of the headings gets a backslash.
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
    const text = withoutBlankEnds(unifyLineEnds(command[part]).split('\n').map(escaped))
    return text === '' ? `${HEADINGS[part]}\n` : `${HEADINGS[part]}\n${text}\n`
  })
  return `---\n${front.join('\n')}\n---\n\n${parts.join('\n')}`
}

/** null: it is not the file of a command. Without a heading of the task, everything below the front matter is the task (O2-06). */
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
    if (part === undefined) current?.push(unescaped(line))
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
const escaped = (line: string) => (isHeading(line.replace(/^\\+/, '')) ? `\\${line}` : line)
const unescaped = (line: string) =>
  line.startsWith('\\') && isHeading(line.replace(/^\\+/, '')) ? line.slice(1) : line
