/** The commands of `loop`, each on the verbs of the client. */
import { LoopAgent } from '../client.ts'
import { LoopAgentError } from '../errors.ts'
import type { CreateTask, Task } from '../types.ts'
import { readArguments, UsageError, type CommandLine, type CommandName } from './arguments.ts'
import { HELP } from './help.ts'
import { endLines, headingOf, listLine, nextCommand, tailLine } from './lines.ts'
import { EXIT, latestEvent, putFile, showTasks } from './session.ts'
import type { Terminal } from './terminal.ts'
import { clean, cleanJson } from './text.ts'

const URL_DEFAULT = 'http://127.0.0.1:8787'
const KEY_DEFAULT = 'dev-key'
const LIST_DEFAULT = 20

interface Context {
  client: LoopAgent
  terminal: Terminal
  line: CommandLine
  /** The first text: an id, except of `run`. */
  id: string
}

/** Does what the command line says, and gives the exit code. */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  const url = terminal.env['LOOP_AGENT_URL'] || URL_DEFAULT
  try {
    const line = readArguments(argv)
    if (line === null) {
      terminal.out(HELP)
      return EXIT.done
    }
    const client = clientFor(url, terminal)
    return await COMMANDS[line.command]({ client, terminal, line, id: line.texts[0] ?? '' })
  } catch (error) {
    if (terminal.signal.aborted) return EXIT.interrupted
    if (error instanceof UsageError) {
      terminal.err(`error: ${clean(error.message)}\nloop --help tells more.`)
      return EXIT.usage
    }
    if (!(error instanceof LoopAgentError)) throw error
    terminal.err(`error: ${clean(error.message)}`)
    const advice = adviceOf(error, url)
    if (advice !== null) terminal.err(advice)
    return EXIT.failed
  }
}

function clientFor(url: string, { env, fetch }: Terminal): LoopAgent {
  try {
    return new LoopAgent({ url, key: env['LOOP_AGENT_KEY'] || KEY_DEFAULT, ...(fetch === undefined ? {} : { fetch }) })
  } catch (error) {
    throw new UsageError(`LOOP_AGENT_URL or LOOP_AGENT_KEY: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function adviceOf({ code }: LoopAgentError, url: string): string | null {
  if (code === 'network_error') return `Does the service run at ${clean(url)}? LOOP_AGENT_URL names another address.`
  return code === 'unauthorized' ? 'LOOP_AGENT_KEY has the key.' : null
}

const COMMANDS: Record<CommandName, (context: Context) => Promise<number>> = {
  run: async ({ client, terminal, line, id: goal }) => {
    const files = await Promise.all(line.files.map((path) => terminal.readFile(path)))
    const tasks = client.run(taskOf(goal, line), { files, signal: terminal.signal })
    return showTasks(client, terminal, tasks, { json: line.json, after: 0 })
  },

  watch: async ({ client, terminal, line, id }) => {
    const { signal } = terminal
    const task = await client.get(id, { signal })
    if (task.drive === 'manual' && task.status === 'running' && !line.step)
      terminal.err('The drive of this task is manual: with --step it is worked off here.')
    return showTasks(client, terminal, client.follow(id, { steps: line.step, signal }), { json: line.json, after: 0 })
  },

  answer: async (context) => {
    const { client, terminal, line, id } = context
    const { signal } = terminal
    const after = await latestEvent(client, terminal, id)
    await client.answer(await client.get(id, { signal }), line.texts[1] ?? '', { signal })
    return goOn(context, id, after)
  },

  put: async (context) => {
    const { client, terminal, line, id } = context
    const after = await latestEvent(client, terminal, id)
    await putFile(client, terminal, id, line.texts[1] ?? '', null)
    return goOn(context, id, after)
  },

  tail: async ({ client, terminal, line, id }) => {
    for await (const event of client.events(id, { after: line.after, signal: terminal.signal }))
      terminal.out(line.json ? cleanJson(event) : tailLine(event))
    return EXIT.done
  },

  list: async ({ client, terminal, line: { status, mode, json, limit = LIST_DEFAULT } }) => {
    const query = { limit: Math.min(limit, 100), ...(status && { status }), ...(mode && { mode }) }
    let left = limit
    for await (const task of client.list(query, { signal: terminal.signal })) {
      terminal.out(json ? cleanJson(task) : listLine(task))
      left -= 1
      if (left === 0) break
    }
    return EXIT.done
  },

  show: async ({ client, terminal, line, id }) => {
    printTask(terminal, line, await client.get(id, { signal: terminal.signal }))
    return EXIT.done
  },

  cancel: async ({ client, terminal, line, id }) => {
    printTask(terminal, line, await client.cancel(id, { signal: terminal.signal }))
    return EXIT.done
  },

  retry: async (context) => {
    const { client, terminal, line, id } = context
    const { signal } = terminal
    const task = await client.retry(id, line.drive === undefined ? {} : { drive: line.drive }, { signal })
    return goOn(context, task.id, 0)
  },
}

const goOn = ({ client, terminal, line }: Context, id: string, after: number) =>
  showTasks(client, terminal, client.follow(id, { steps: true, signal: terminal.signal }), { json: line.json, after })

/** Modes that count the turns of a model have another name for their limit. */
const COUNTS_ITERATIONS = new Set<string | undefined>(['session', 'autonomous'])

function taskOf(goal: string, { mode, drive = 'background', maxSteps }: CommandLine): CreateTask {
  const task: CreateTask = mode === undefined ? { goal, drive } : { goal, drive, mode }
  if (maxSteps === undefined) return task
  return { ...task, settings: COUNTS_ITERATIONS.has(mode) ? { max_iterations: maxSteps } : { max_steps: maxSteps } }
}

function printTask(terminal: Terminal, { json }: CommandLine, task: Task): void {
  if (json) return terminal.out(cleanJson(task))
  const next = nextCommand(task)
  const lines = [headingOf(task), ...endLines(task), ...(next === null ? [] : ['', `It goes on with: ${next}`])]
  for (const line of lines) terminal.out(line)
}
