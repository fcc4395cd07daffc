/** A task whose model is honest: it answers from its request alone. Its tools, its user and its workers know the codes. */
import { BUILT_IN_TOOLS } from '../../src/core/mode/tools.ts'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import type { Model, ModelRequest } from '../../src/shell/ports.ts'
import type { Tool } from '../../src/shell/tool-ports.ts'
import { createService } from '../../src/shell/create-service.ts'
import { delegate } from '../../src/tools/delegate.ts'
import { benchOf, createTask, eventOf, NONE, type Bench } from '../support/scripted.ts'
import { drive } from './drive.ts'
import { codesOf, factOf, goalOf, type Job } from './goal.ts'
import { autonomous } from './honest/autonomous.ts'
import { dynamic } from './honest/dynamic.ts'
import { sightOf, type Mind, type Sight } from './honest/mind.ts'
import { orchestrator, workOff } from './honest/orchestrator.ts'
import { planExecute } from './honest/plan-execute.ts'
import { session } from './honest/session.ts'

const HONEST: Record<ModeName, (sight: Sight) => string | object> = {
  plan_execute: planExecute,
  dynamic,
  orchestrator,
  session,
  autonomous,
}

export interface Played {
  task: TaskView
  bench: Bench
  /** The codes by name, as the world knows them. */
  codes: ReadonlyMap<string, string>
  /** What was booked. */
  booked: string[]
  /** What requests and commands should have had. */
  lacks: string[]
  /** How often a request or a command had to have a code. */
  needed: number
  /** Calls of tools, and questions. */
  actions: number
}

interface Play {
  mode: ModeName
  jobs: readonly Job[]
  seed: number
  settings?: Partial<Settings>
  /** The task is paused and resumed behind each of these rounds. */
  pauses?: readonly number[]
}

const ROOMY = { max_steps: 1_000, max_iterations: 200, max_clarifications: 20 }

export async function play({ mode, jobs, seed, settings = {}, pauses = [] }: Play): Promise<Played> {
  const world = worldOf(seed)
  const { mind } = world
  const requests: ModelRequest[] = []
  const base = benchOf({})
  const ports = { ...base.ports, model: honestModel(mode, mind, requests), tools: world.tools(base) }
  const bench: Bench = { ...base, ports, service: createService(ports), requests }
  const goal = goalOf(jobs)
  const created = await createTask(bench, { ...ROOMY, ...settings }, NONE, { mode, goal })
  let questions = 0
  const task = await drive(bench, created, {
    answer(question) {
      questions += 1
      return world.answerTo(question)
    },
    work: (command, row) => workOff(command, row, world, mind),
    pauses,
  })
  return {
    task,
    bench,
    codes: world.codes,
    booked: world.booked,
    lacks: mind.lacks,
    needed: mind.needed,
    actions: world.calls.count + questions,
  }
}

function honestModel(mode: ModeName, mind: Mind, requests: ModelRequest[]): Model {
  return {
    complete(request) {
      requests.push(request)
      return Promise.resolve(eventOf(HONEST[mode](sightOf(request, mind)), request))
    },
  }
}

/** What is outside: codes come from a seed, and each name keeps its code. */
function worldOf(seed: number) {
  const newCode = codesOf(seed)
  const codes = new Map<string, string>()
  const booked: string[] = []
  const calls = { count: 0 }
  const codeOf = (name: string): string => {
    const code = codes.get(name) ?? newCode()
    codes.set(name, code)
    return code
  }
  const book = (text: string) => void booked.push(text)
  const use = (input: string): string => {
    const [booking] = /Booking under the \w+ code [A-Z2-9]{8}/.exec(input) ?? []
    if (booking !== undefined) book(booking)
    if (booking !== undefined || input.includes('chosen') || input.includes('choice'))
      return 'It was added to the list.'
    const [, name] = /(\w+) code/.exec(input) ?? []
    return name === undefined ? FILLER : `${FILLER} ${factOf(name, codeOf(name))} It was last changed in spring.`
  }
  const tool = (name: string): Tool => ({
    name,
    run: (input) => {
      calls.count += 1
      return Promise.resolve({ ok: true, text: use(input), code: 'scripted' })
    },
  })
  return {
    codes,
    booked,
    calls,
    codeOf,
    book,
    mind: { choose: codeOf, needed: 0, lacks: [] } as Mind,
    tools: (bench: Bench) =>
      new Map([
        ...BUILT_IN_TOOLS.map(({ name }): [string, Tool] => [name, tool(name)]),
        ['delegate', delegate(bench.store)] as const,
      ]),
    answerTo: (question: string): string => {
      const [, name = ''] = /(\w+) code/.exec(question) ?? []
      return `Take this one. ${factOf(name, codeOf(name))}`
    },
  }
}

const FILLER =
  'The register of the depot has an entry of that name, which was found under its letter; the page also lists the hours of the depot and the person in charge.'
