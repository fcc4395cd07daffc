/** The registry of built-in tools: one line each. What the model is told of them is core/tools.ts. */
import type { Gate } from '../shell/gate.ts'
import type { CodeRunner, Files, Search, TaskStore, Tool } from '../shell/ports.ts'
import { commandTool, SCHEDULE, TODO } from './commands.ts'
import { delegate } from './delegate.ts'
import { listFiles, readFile, writeFile } from './files.ts'
import { internetSearch } from './internet-search.ts'
import { readDataset } from './read-dataset.ts'
import { runCode } from './run-code.ts'
import { think } from './think.ts'

/** Who runs what models write; without a runner of Python it is refused. */
export interface CodeRunners {
  javascript: CodeRunner
  python: CodeRunner | null
  /** For what computes in this isolate; without one it is not shared. */
  gate?: Gate
}

export function builtInTools(
  store: TaskStore,
  files: Files,
  search: Search,
  timezone: string,
  runners: CodeRunners,
): ReadonlyMap<string, Tool> {
  const tools = [
    commandTool(TODO, store, timezone),
    commandTool(SCHEDULE, store, timezone),
    internetSearch(search),
    readFile(files),
    writeFile(files),
    listFiles(files),
    think,
    delegate(store),
    readDataset(files, runners.gate),
    runCode({ files, ...runners }),
  ]
  return new Map(tools.map((tool) => [tool.name, tool]))
}
