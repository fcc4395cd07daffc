/** Agents as lines for a terminal. */
import type { AgentView } from '../../core/shown/agent-view.ts'
import { oneLine } from '../../core/shown/line-text.ts'
import type { Page } from '../../shell/caller.ts'
import { withCursorLine } from './plain.ts'

const LINE_CHARS = 100

export function agentLine({ name, version, definition, updated_at }: AgentView): string {
  const { mode, description, goal } = definition
  const about = [description, goal].find((text) => typeof text === 'string')
  const shown = typeof about === 'string' ? [oneLine(about, LINE_CHARS)] : []
  return [`${name}@${version}`, ...(typeof mode === 'string' ? [mode] : []), updated_at, ...shown].join('  ')
}

export const agentsText = (page: Page<AgentView>): string[] =>
  withCursorLine(page.data.map(agentLine), page.next_cursor)
