/** The registry of built-in tools: one line each. Their descriptions for the model are in core/mode/tools.ts. */
import type { ComputeLock } from '../shell/compute-lock.ts'
import type { CodeRunner, Compute, Files, Search, TaskStore } from '../shell/ports.ts'
import type { Tool } from '../shell/tool-ports.ts'
import { COMMAND_TOOLS } from '../core/mode/workspace-tools.ts'
import { commandTool, memberTool, SCHEDULE_TOOL, TODO_TOOL } from './commands.ts'
import { delegate } from './delegate.ts'
import type { FetchUrlPorts } from './fetch-url/fetch-page.ts'
import { fetchUrl } from './fetch-url/tool.ts'
import { listFiles, readFile, writeFile } from './files.ts'
import { internetSearch } from './internet-search.ts'
import { readDataset } from './read-dataset.ts'
import { runCode } from './run-code/tool.ts'

/** The tool `think`: the model works something out without touching the world, and the text is kept as a result like any other. */
const thinkTool: Tool = {
  name: 'think',
  run: (input) => Promise.resolve({ ok: true, code: 'thought', text: input }),
}

/** What reads datasets and pages and runs model-written code. Without a runner for Python, Python is refused. */
export interface Runners {
  compute: Compute
  python: CodeRunner | null
  /** Lets one job at a time through to `compute`. */
  gate: ComputeLock
  /** How pages of the web are had. */
  web: Omit<FetchUrlPorts, 'pages' | 'gate'>
}

export function builtInTools(
  store: TaskStore,
  files: Files,
  search: Search,
  timezone: string,
  { compute, python, gate, web }: Runners,
): ReadonlyMap<string, Tool> {
  const tools = [
    ...COMMAND_TOOLS.map((name) => memberTool(name, store, timezone)),
    commandTool(TODO_TOOL, store, timezone),
    commandTool(SCHEDULE_TOOL, store, timezone),
    internetSearch(search),
    fetchUrl({ ...web, pages: compute.pages, gate }),
    readFile(files),
    writeFile(files),
    listFiles(files),
    thinkTool,
    delegate(store),
    readDataset({ files, datasets: compute.datasets, gate }),
    runCode({ files, javascript: compute.code, python, gate }),
  ]
  return new Map(tools.map((tool) => [tool.name, tool]))
}
