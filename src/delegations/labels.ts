/** Reads reports without a front matter (O2-07): a title with the id of the task, and lines such as `- Status: completed`. */
import type { ReportStatus } from '../core/terms/delegation.ts'
import { fencedLines } from './fences.ts'
import { headingOf } from './headings.ts'
import { isBlank } from './lines.ts'
import { reportStatusOf } from './report-status.ts'

type Name = 'status' | 'completed' | 'session_id' | 'task_id'

const NAME_OF: ReadonlyMap<string, Name> = new Map([
  ['status', 'status'],
  ['task status', 'status'],
  ['状态', 'status'],
  ['任务状态', 'status'],
  ['completed', 'completed'],
  ['session', 'session_id'],
  ['session id', 'session_id'],
  ['会话', 'session_id'],
  ['task', 'task_id'],
  ['task id', 'task_id'],
  ['command id', 'task_id'],
  ['任务', 'task_id'],
])
const VALUE_CHARS_MAX = 1_000

export interface ReportLabels {
  command_id: string | null
  status: ReportStatus
  session_id: string | null
}

export function readLabels(lines: readonly string[]): ReportLabels {
  const code = fencedLines(lines)
  const own = lines.filter((line, at) => code[at] !== true && !isBlank(line))
  const labels = new Map<Name, string>()
  for (const line of own) {
    const label = labelOf(line)
    if (label !== null && !labels.has(label.name)) labels.set(label.name, label.value)
  }
  const titles = [own[0] ?? '', own.find((line) => headingOf(line) !== null) ?? '', labels.get('task_id') ?? '']
  const completed = labels.get('completed')
  return {
    command_id: titles.map(taskIdIn).find((id) => id !== null) ?? null,
    status:
      labels.has('status') || completed === undefined ? reportStatusOf(labels.get('status') ?? null) : done(completed),
    session_id: labels.get('session_id')?.replace(/^["'`*]+|(?<!["'`*])["'`*]+$/g, '') ?? null,
  }
}

const BULLET = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/

/** A label is an item of a list, or has a bold name; the status needs neither. */
function labelOf(line: string): { name: Name; value: string } | null {
  const item = line.replace(BULLET, '')
  const colon = item.search(/[:：]/)
  const written = item.slice(0, Math.max(0, colon))
  const name = NAME_OF.get(
    written
      .replace(/[*_`\s]+/g, ' ')
      .trim()
      .toLowerCase(),
  )
  if (name === undefined) return null
  if (name !== 'status' && item === line && !/^(?:\*\*|__)/.test(item)) return null
  const value = item.slice(colon + 1, colon + 1 + VALUE_CHARS_MAX).replace(/^[ \t]*(?:\*\*|__)?/, '')
  return { name, value: value.trim() }
}

/** An id has a digit, because `task-based` is a word. It may be part of the name of the report. */
const TASK_ID = /(?<![\w-])(?:report-)?(task-(?=[\w-]*\d)[\w-]*\w)/

const taskIdIn = (line: string): string | null => TASK_ID.exec(line.slice(0, VALUE_CHARS_MAX))?.[1] ?? null

const NOT_AT_ALL = /^(?:no|not|none|never|false|n\/a|pending|0(?![\d:.])|[-–—]|否|未|没|无)(?![a-z])/i
const PART_OF = /^(\d{1,4})[ \t]*(?:\/|of|out of)[ \t]*(\d{1,4})(?![\d/])/i
const PERCENT = /^(\d{1,3})(?:\.\d+)?[ \t]*%/

/** Reads `- Completed: …`: a time, a yes or a list of results means success, unless the value says that it was not done, or only in part. */
function done(value: string): ReportStatus {
  const word = reportStatusOf(value)
  if (word !== 'UNKNOWN') return word
  if (value === '' || NOT_AT_ALL.test(value)) return 'UNKNOWN'
  const [, some, all] = PART_OF.exec(value) ?? []
  const share = some === undefined ? Number(PERCENT.exec(value)?.[1] ?? 100) / 100 : Number(some) / Number(all)
  return share < 1 || /^(?:partial|部分)/i.test(value) ? 'PARTIAL_SUCCESS' : 'SUCCESS'
}
