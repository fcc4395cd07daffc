/** Agents as lines for a terminal. */
import type { AgentView } from '../../core/shown/agent-view.ts'
import { oneLine } from '../../core/shown/line-text.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import type { Page } from '../../shell/caller.ts'
import { withCursorLine } from './plain.ts'

const LINE_CHARS = 100

const shownText = (value: unknown): string | null => (typeof value === 'string' ? oneLine(value, LINE_CHARS) : null)

/** One line of a list. */
function agentLine({ name, version, definition, updated_at }: AgentView): string {
  const { mode, description, goal } = definition
  const parts = [shownText(mode), updated_at, shownText(description) ?? shownText(goal)]
  return [`${name}@${version}`, ...parts.flatMap((part) => part ?? [])].join('  ')
}

/** The line of a list, what it does, and what its input has. */
export function agentText(agent: AgentView): string[] {
  const { definition, version, latest, name } = agent
  const { goal, instructions, input_schema } = definition
  const properties = isRecord(input_schema) ? input_schema['properties'] : null
  const members = isRecord(properties) ? Object.keys(properties) : []
  const lines: [string, string | null][] = [
    ['goal', shownText(goal)],
    ['instructions', shownText(instructions)],
    ['input', members.length === 0 ? null : oneLine(members.join(', '), LINE_CHARS)],
    ['newest', version === latest ? null : `${name}@${latest}`],
  ]
  return [agentLine(agent), ...lines.flatMap(([what, text]) => (text === null ? [] : [`${what}: ${text}`]))]
}

export const agentsText = (page: Page<AgentView>): string[] =>
  withCursorLine(page.data.map(agentLine), page.next_cursor)
