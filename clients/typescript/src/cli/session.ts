/** Shows a task while it is worked off, and asks the person at the terminal what the task asks. */
import type { LoopAgent } from '../client.ts'
import { hasEnded, type Task } from '../types.ts'
import type { Terminal } from './terminal.ts'
import { endLines, eventLines, headingOf, nextCommand, waitLines } from './lines.ts'
import { clean, cleanJson } from './text.ts'

export const EXIT = { done: 0, failed: 1, usage: 2, waits: 3, interrupted: 130 } as const

export function exitCodeOf({ status, result }: Task): number {
  if (status === 'input_required' || status === 'paused') return EXIT.waits
  const outcome = result?.outcome ?? 'done'
  return status === 'completed' && outcome === 'done' ? EXIT.done : EXIT.failed
}

export interface SessionOptions {
  json: boolean
  /** Only events behind this one are shown. */
  after: number
}

/** Gives the exit code. `tasks`: the task after each change, as `client.run` and `client.follow` give it. */
export async function showTasks(
  client: LoopAgent,
  terminal: Terminal,
  tasks: AsyncIterable<Task>,
  { json, after }: SessionOptions,
): Promise<number> {
  // A program reads stdout, so the progress is told elsewhere.
  const print = (line: string) => (json ? terminal.err(line) : terminal.out(line))
  let seen = after
  let last: Task | null = null
  try {
    for await (const task of tasks) {
      if (last === null) print(headingOf(task))
      last = task
      seen = await printEvents(client, terminal, task.id, seen, print)
      if (task.status === 'input_required' && !(await answerFor(client, terminal, task))) break
    }
  } catch (error) {
    if (terminal.signal.aborted && last !== null)
      terminal.err(`\nInterrupted. loop watch ${clean(last.id)} shows it further.`)
    throw error
  }
  if (last === null) return EXIT.failed
  for (const line of json ? [] : endLines(last)) terminal.out(line)
  if (json) terminal.out(cleanJson(last))
  const next = hasEnded(last) ? null : nextCommand(last)
  if (next !== null) print(`\nIt goes on with: ${next}`)
  return exitCodeOf(last)
}

/** Prints what has happened behind the event `after`, and gives the last event. */
async function printEvents(
  client: LoopAgent,
  { signal }: Terminal,
  id: string,
  after: number,
  print: (line: string) => void,
): Promise<number> {
  let seen = after
  for await (const event of client.pastEvents(id, { after, limit: 100 }, { signal })) {
    seen = event.seq
    for (const line of eventLines(event)) print(line)
  }
  return seen
}

/** The number of the latest event. */
export const latestEvent = (client: LoopAgent, terminal: Terminal, id: string) =>
  printEvents(client, terminal, id, 0, () => undefined)

/** Whether the person has answered. Without a terminal nobody is asked. */
async function answerFor(client: LoopAgent, terminal: Terminal, task: Task): Promise<boolean> {
  if (terminal.ask === null || task.pending === null) return false
  for (const line of waitLines(task)) terminal.err(line)
  const answer = await terminal.ask(task.pending.kind === 'file' ? 'path> ' : '> ')
  if (answer === null || answer.trim() === '') return false
  const { signal } = terminal
  if (task.pending.kind === 'file') await putFile(client, terminal, task.id, answer.trim(), task.pending.name)
  else await client.answer(task, answer, { signal })
  return true
}

/** Stores a file of this machine under its own name, or under `name`. */
export async function putFile(
  client: LoopAgent,
  terminal: Terminal,
  id: string,
  path: string,
  name: string | null,
): Promise<void> {
  const file = await terminal.readFile(path)
  await client.files.put(id, name ?? file.name, file.data, { signal: terminal.signal })
}
