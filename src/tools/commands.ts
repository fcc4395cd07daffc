/** The tools for todos and events. Each call runs in the workspace under the effect key (O0-13, R10). */
import { findObject } from '../core/mode/json/json-object.ts'
import { isTooDeep, parseWellFormedJson } from '../core/mode/json-text.ts'
import { readSlashText, slashProblemText, type SlashReading, type SlashTool } from '../core/mode/slash-text.ts'
import type { Locale } from '../core/terms/locale.ts'
import { isRecord } from '../core/terms/plain/is-record.ts'
import type { CommandCall } from '../core/protocol/workspace-records.ts'
import { onceMoreIfLost } from '../shell/lost-object.ts'
import type { TaskStore } from '../shell/ports.ts'
import type { Tool, ToolContext } from '../shell/tool-ports.ts'

export const TODO_TOOL: SlashTool = { name: 'todo', words: ['/todo', '/view'] }
export const SCHEDULE_TOOL: SlashTool = { name: 'schedule', words: ['/schedule'] }

const FULL: Record<Locale, string> = {
  en: 'Not done: what is stored here takes all the room there is. Delete something first, or go on without it.',
  zh: '未执行：存储空间已用完。请先删除一些内容，或在没有它的情况下继续。',
}

type Workspaces = Pick<TaskStore, 'workspace'>

/** A tool whose input is one slash command. */
export function commandTool(tool: SlashTool, store: Workspaces, timezone: string): Tool {
  return {
    name: tool.name,
    async run(input, call) {
      const reading = call.settings.strict_replies ? readExactly(input, tool) : readSlashText(input, tool)
      if (!reading.ok) return { ok: false, code: 'usage_error', text: slashProblemText(reading, tool, call.locale) }
      return runInWorkspace(store, orderOf({}, reading.command, call, timezone), call)
    },
  }
}

/** With `strict_replies` nothing is added, taken off or refused. */
function readExactly(input: string, { words }: SlashTool): SlashReading {
  const [word = ''] = input.trim().split(/\s/, 1)
  if (words.includes(word)) return { ok: true, command: input }
  return { ok: false, form: null, problem: { about: 'no_command' } }
}

/** A tool whose input is the JSON of its members. The workspace says what is wrong with them. */
export const memberTool = (name: NonNullable<CommandCall['tool']>, store: Workspaces, timezone: string): Tool => ({
  name,
  run: (input, call) =>
    runInWorkspace(store, orderOf({ tool: name }, JSON.stringify(membersIn(input)), call, timezone), call),
})

/** The effect key keeps a repeated call from making a change twice. */
async function runInWorkspace(
  store: Workspaces,
  order: CommandCall,
  { tenant, locale }: ToolContext,
): ReturnType<Tool['run']> {
  const ran = await onceMoreIfLost(() => store.workspace(tenant).tell({ kind: 'run_command', ...order }))
  if (!ran.ok && ran.refusal.code === 'quota_exceeded') return { ok: false, code: 'quota_exceeded', text: FULL[locale] }
  if (!ran.ok) throw new Error(ran.refusal.code)
  const { ok, kind, text } = ran.value.result
  return { ok, code: kind, text }
}

/** Names under which models put the members of a call once more. */
const WRAPPERS = new Set(['arguments', 'parameters', 'args', 'input'])

/** The object that the input means. null: it means none. */
function membersIn(input: string): object | null {
  const text = input.trim()
  if (text === '') return {}
  const value = objectIn(text)
  const [only] = value === null ? [] : Object.entries(value)
  if (value === null || only === undefined || Object.keys(value).length > 1 || !WRAPPERS.has(only[0])) return value
  return isRecord(only[1]) ? only[1] : typeof only[1] === 'string' ? (objectIn(only[1].trim()) ?? value) : value
}

function objectIn(text: string): object | null {
  if (isTooDeep(text)) return null
  const value = parseWellFormedJson(text)
  if (isRecord(value)) return value
  if (typeof value === 'string') return isTooDeep(value) ? null : objectOrNull(parseWellFormedJson(value))
  const found = findObject(text)
  return found.ok ? found.value : null
}
const objectOrNull = (value: unknown): object | null => (isRecord(value) ? value : null)

function orderOf(named: Pick<CommandCall, 'tool'>, command: string, call: ToolContext, timezone: string): CommandCall {
  const { key, locale, now_ms, settings } = call
  const { schedule_window_days, conflict_preview_days } = settings
  const zones = { timezone, caller_timezone: call.timezone }
  return {
    ...named,
    command,
    key,
    request: null,
    locale,
    reader: 'model',
    wall_ms: now_ms,
    ...zones,
    schedule_window_days,
    conflict_preview_days,
  }
}
