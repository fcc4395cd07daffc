/** The tools `todo` and `schedule`: their input is one slash command, which runs in the workspace under the effect key (O0-13, R10). */
import type { Locale } from '../core/terms/locale.ts'
import type { CommandCall } from '../core/protocol/workspace-records.ts'
import { onceMoreIfLost } from '../shell/lost-object.ts'
import type { Tool, ToolContext, TaskStore } from '../shell/ports.ts'

interface CommandTool {
  name: string
  /** The first words of the commands that this tool takes. */
  words: readonly string[]
}

export const TODO_TOOL: CommandTool = { name: 'todo', words: ['/todo', '/view'] }
export const SCHEDULE_TOOL: CommandTool = { name: 'schedule', words: ['/schedule'] }

const REFUSED: Record<Locale, (tool: CommandTool) => string> = {
  en: ({ name, words }) => `Usage: the input of ${name} is one command that begins with ${words.join(' or ')}`,
  zh: ({ name, words }) => `用法: ${name} 的输入是一条以 ${words.join(' 或 ')} 开头的命令`,
}

const FULL: Record<Locale, string> = {
  en: 'Not done: what is stored here takes all the room there is. Delete something first, or go on without it.',
  zh: '未执行：存储空间已用完。请先删除一些内容，或在没有它的情况下继续。',
}

export function commandTool(tool: CommandTool, store: Pick<TaskStore, 'workspace'>, timezone: string): Tool {
  return {
    name: tool.name,
    async run(input, call) {
      const [word = ''] = input.trim().split(/\s/, 1)
      if (!tool.words.includes(word)) return { ok: false, code: 'usage_error', text: REFUSED[call.locale](tool) }
      const order = orderOf(input, call, timezone)
      // The effect key keeps a repeated call from making a change twice.
      const ran = await onceMoreIfLost(() => store.workspace(call.tenant).tell({ kind: 'run_command', ...order }))
      if (!ran.ok && ran.refusal.code === 'quota_exceeded')
        return { ok: false, code: 'quota_exceeded', text: FULL[call.locale] }
      if (!ran.ok) throw new Error(ran.refusal.code)
      const { ok, kind, text } = ran.value.result
      return { ok, code: kind, text }
    },
  }
}

function orderOf(command: string, call: ToolContext, timezone: string): CommandCall {
  const { key, locale, now_ms, settings } = call
  const { schedule_window_days, conflict_preview_days } = settings
  const zones = { timezone, caller_timezone: call.timezone }
  return {
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
