/** Tasks whose model reads files of its client, in each mode that offers `read_file`, over real file tools. */
import type { Settings } from '../../../src/core/terms/settings.ts'
import type { TaskView } from '../../../src/core/terms/view.ts'
import { bodyStream } from '../../../src/shell/network/chunked-body.ts'
import type { Bounds } from '../../../src/shell/caller.ts'
import type { Tool } from '../../../src/shell/tool-ports.ts'
import { builtInTools } from '../../../src/tools/index.ts'
import {
  ALL,
  benchOf,
  calling,
  CALLER,
  createTask,
  filesOver,
  NO_RUNNERS,
  taken,
  type Bench,
  type Line,
} from '../../support/scripted.ts'
import { action, answered, goOn, steps, thought } from '../dynamic/support.ts'

export const FILE_MODES = ['dynamic', 'session'] as const
export type FileMode = (typeof FILE_MODES)[number]

/** What the model does next: it calls a tool, or it ends the task with an answer. */
export type Move = { tool: string; input: object } | { answer: string }
export const read = (name: string): Move => ({ tool: 'read_file', input: { name } })
export const use = (tool: string, input: object): Move => ({ tool, input })
export const end = (answer: string): Move => ({ answer })

export const LINES: Record<FileMode, (move: Move) => Line> = {
  dynamic: (move) =>
    'answer' in move
      ? { ...thought(), ...answered(move.answer), action: null }
      : { ...thought(), ...goOn(), action: action(JSON.stringify(move.input), move.tool) },
  session: (move) => ('answer' in move ? `${move.answer}\n[Goal reached]` : calling('', [move.tool, move.input])),
}

const FILE_TOOLS = ['read_file', 'write_file', 'list_files']

/** A bench whose file tools work on the files that its client puts. `bench.calls` has their calls too. */
export function withFiles(bench: Bench): Bench {
  const search = { name: 'none', search: () => Promise.reject(new Error('no network in tests')) }
  const files = filesOver(bench.store, bench.ports.blobs ?? undefined)
  const real = builtInTools(bench.store, files, search, 'UTC', NO_RUNNERS)
  for (const name of FILE_TOOLS) {
    const tool = toolOf(bench, name)
    tool.run = (input, call) => {
      bench.calls.push({ tool: name, input, key: call.key })
      return real.get(name)?.run(input, call) ?? Promise.reject(new Error(`there is no tool ${name}`))
    }
  }
  return bench
}

export function toolOf(bench: Bench, name: string): Tool {
  const tool = bench.ports.tools.get(name)
  if (tool === undefined) throw new Error(`there is no tool ${name}`)
  return tool
}

export function fileBench(mode: FileMode, ...moves: Move[]): Bench {
  const lines = moves.map(LINES[mode])
  const script = mode === 'dynamic' ? { plan: [steps('A')], step_decision: lines } : { turn: lines }
  return withFiles(benchOf({ ...script, numbered_results: true }))
}

/** `merged_calls`: each move is one reply in both modes. */
export function begin(
  bench: Bench,
  mode: FileMode,
  goal = 'sum up notes.md',
  settings: Partial<Settings> = {},
  bounds: Bounds = ALL,
): Promise<TaskView> {
  return createTask(bench, { merged_calls: true, ...settings }, bounds, { mode, goal })
}

export async function put(bench: Bench, id: string, name = 'notes.md', text = 'the text of the notes') {
  const answer = await bench.service.putFile(CALLER, id, {
    name,
    body: bodyStream(text),
    length: null,
    bytes_max: 1_000,
  })
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer.refusal)}`)
  return taken(await bench.service.getTask(CALLER, id))
}

/** All that the model is told in a request. */
export const told = (bench: Bench, index = -1): string =>
  (bench.requests.at(index)?.messages ?? []).map(({ content }) => content).join('\n')

export const payloads = (task: TaskView, type: string) =>
  (task.slice?.events ?? []).filter((event) => event.type === type).map((event) => event.payload)

export const TICKET = { slice: 'x', boot: 'boot', more: 'nothing' as const, rounds: 0, wall_ms: 0, key: null }

/** What happens to a task when a time has come. */
export const tend = (bench: Bench, id: string) => bench.store.of(CALLER.tenant, id).tell({ kind: 'tend' }, TICKET)
