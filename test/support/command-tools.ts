/** The real tools for todos and events over a workspace in memory, on a Saturday at noon. */
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import type { ToolContext } from '../../src/shell/tool-ports.ts'
import { builtInTools } from '../../src/tools/index.ts'
import { memoryStore } from './memory/memory-store.ts'
import { filesOver, FREE, NO_RUNNERS, UNBOUNDED } from './scripted.ts'

const NOW = Date.UTC(2026, 10, 21, 12, 0)
const search = { name: 'none', search: () => Promise.resolve([]) }

export function commandTools() {
  const store = memoryStore(() => ({ now_ms: NOW, boot: 'b', prices: FREE, daily: UNBOUNDED }))
  return builtInTools(store, filesOver(store), search, 'UTC', NO_RUNNERS)
}

export const callOf = (key: string, more: Partial<ToolContext> = {}): ToolContext => ({
  tenant: 't',
  task: 'task_1',
  key,
  now_ms: NOW,
  timezone: 'UTC',
  locale: 'en',
  settings: DEFAULT_SETTINGS,
  timeout_ms: 1000,
  traceparent: null,
  ...more,
})

/** Runs tools in one workspace, each call under a key of its own. */
export function commandRunner(shared: Partial<ToolContext> = {}) {
  const tools = commandTools()
  let keys = 0
  return (tool: string, input: string, more: Partial<ToolContext> = {}) => {
    const found = tools.get(tool)
    if (found === undefined) throw new Error(`no tool ${tool}`)
    return found.run(input, callOf(`task:${++keys}`, { ...shared, ...more }))
  }
}
