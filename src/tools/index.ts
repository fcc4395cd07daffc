/** The registry of built-in tools: one line each. What the model is told of them is core/tools.ts. */
import type { Files, Search, TaskStore, Tool } from '../shell/ports.ts'
import { commandTool, SCHEDULE, TODO } from './commands.ts'
import { listFiles, readFile, writeFile } from './files.ts'
import { internetSearch } from './internet-search.ts'
import { think } from './think.ts'

export function builtInTools(
  store: TaskStore,
  files: Files,
  search: Search,
  timezone: string,
): ReadonlyMap<string, Tool> {
  const tools = [
    commandTool(TODO, store, timezone),
    commandTool(SCHEDULE, store, timezone),
    internetSearch(search),
    readFile(files),
    writeFile(files),
    listFiles(files),
    think,
  ]
  return new Map(tools.map((tool) => [tool.name, tool]))
}
