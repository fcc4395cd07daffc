/** A task of any mode on the built-in model, with the real tools: its commands, and how it stands in the end. */
import type { TaskView } from '../../../src/core/terms/view.ts'
import type { ClientTool } from '../../../src/core/terms/tools/client-tools.ts'
import { offlineModel } from '../../../src/models/offline/index.ts'
import { builtInTools } from '../../../src/tools/index.ts'
import type { Tool } from '../../../src/shell/tool-ports.ts'
import { memoryStore } from '../../support/memory/memory-store.ts'
import {
  ALL,
  benchOf,
  clientToolsOf,
  createTask,
  filesOver,
  FREE,
  NO_RUNNERS,
  UNBOUNDED,
  type Bench,
} from '../../support/scripted.ts'
import { localeOf } from '../offline-driver.ts'

/** Tuesday noon, as in the table of goals. */
const NOW = Date.UTC(2026, 10, 24, 12, 0)

export interface Talk {
  bench: Bench
  task: TaskView
  /** The inputs of all calls of tools, in order. */
  commands: string[]
}

const recorded = (tool: Tool, commands: string[]): Tool => ({
  ...tool,
  run(input, call) {
    commands.push(input)
    return tool.run(input, call)
  },
})

/** A tool of the client answers with its arguments. */
const ANSWERING = clientToolsOf(({ name }) => ({
  name,
  run: (input) => Promise.resolve({ ok: true, code: 'http_ok', text: `${name} got ${input}` }),
}))

export async function startTalk(made: { goal: string; mode: string; tools?: ClientTool[] }): Promise<Talk> {
  const store = memoryStore(() => ({ now_ms: NOW, boot: 'boot', prices: FREE, daily: UNBOUNDED }))
  const search = { name: 'one', search: () => Promise.resolve([]) }
  const commands: string[] = []
  const built = builtInTools(store, filesOver(store), search, 'UTC', NO_RUNNERS)
  const tools = new Map([...built].map(([name, tool]) => [name, recorded(tool, commands)]))
  const bench = benchOf({}, { store, tools, client_tools: ANSWERING, model: offlineModel() })
  bench.clock.now = NOW
  const task = await createTask(bench, {}, ALL, { ...made, locale: localeOf(made.goal) })
  return { bench, task, commands }
}
