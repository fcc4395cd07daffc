/**
 * Whether a long task stays as cheap as a short one, in the modes that are conversations: a session of 400 turns and a dynamic task of 200
 * actions in this process, over rows in memory and a scripted model, a round a request. No server is measured, so all CPU is ours.
 */
import type { ModeName } from '../src/core/terms/mode-names.ts'
import type { Settings } from '../src/core/terms/settings.ts'
import type { Model, ModelRequest } from '../src/shell/ports.ts'
import type { Tool } from '../src/shell/tool-ports.ts'
import { benchOf, calling, CALLER, createTask, NONE, ONE, step, type Bench } from '../test/support/scripted.ts'

/** Rounds, from 1, both ends included. */
export const WINDOWS = { early: [21, 40], late: [181, 200] } as const
type Window = keyof typeof WINDOWS
export interface Long {
  mode: ModeName
  settings: Partial<Settings>
  rounds: number
  reply: (
    request: ModelRequest,
    serial: number,
  ) => { text: string; tool_calls?: { id: string; name: string; arguments: string }[] }
}
export interface Grown {
  cpu_ms: Record<Window, number>
  prompt_bytes: Record<Window, number>
  head_bytes: number
  rounds: number
  actions: number
}

const RESULT = 'x'.repeat(400)
const STEP_ROUNDS = 5
const written = (serial: number) => `/todo update 1 note ${serial} of what was found`

/** A step every fifth turn, a call in each. */
export const SESSION: Long = {
  mode: 'session',
  settings: { max_iterations: 400 },
  rounds: 400,
  reply(_request, serial) {
    const marks = serial === 1 ? Array.from({ length: 80 }, (_, n) => `[Step] Part ${n + 1}`).join('\n') : '[Done]'
    const { said, calls } = calling(serial % STEP_ROUNDS === 1 ? marks : `Turn ${serial}.`, [
      'todo',
      { command: written(serial) },
    ])
    return { text: said, tool_calls: calls }
  },
}

/** The same within a quarter of the default: its window is full before the early rounds are over. */
export const NARROW_SESSION: Long = { ...SESSION, settings: { ...SESSION.settings, transcript_token_limit: 8_000 } }

const planned = (serial: number) => ({ name: `Part ${serial}`, description: 'a part of it', expected_output: 'a note' })

/** Steps of five actions each. */
export function dynamicTask(): Long {
  let rounds = 0
  return {
    mode: 'dynamic',
    settings: { max_steps: 200, max_actions_per_step: 10 },
    rounds: 240,
    reply({ metadata: { phase } }, serial) {
      if (phase === 'plan') return json({ steps: Array.from({ length: 60 }, (_, n) => planned(n + 1)) })
      if (phase === 'think') return json({ thought: `So far so good, in round ${(rounds += 1)}.` })
      if (phase === 'action') return json({ tool: 'todo', input: written(serial), save_as: null })
      const is_complete = rounds % (STEP_ROUNDS + 1) === 0
      return json({
        is_complete,
        reason: 'five actions make a part',
        answer: 'all parts are made',
        add_steps: [],
        remove_steps: [],
      })
    },
  }
}
const json = (value: object) => ({ text: JSON.stringify(value) })

export async function grow({ mode, settings, rounds, reply }: Long): Promise<Grown> {
  const requests: ModelRequest[] = []
  const bench = benchOf({}, { model: modelOf(reply, requests), tools: new Map([['todo', DONE_AT_ONCE]]) })
  const { id } = await createTask(bench, settings, NONE, { mode })
  const [cpu, prompts] = [
    { early: 0, late: 0 },
    { early: 0, late: 0 },
  ]
  for (let round = 1; round <= rounds; round++) {
    requests.length = 0
    const begun = process.cpuUsage()
    const { status } = await step(bench, id, ONE)
    const { user, system } = process.cpuUsage(begun)
    const window = windowOf(round)
    if (window !== null) {
      cpu[window] += (user + system) / 1000 / 20
      prompts[window] = Math.max(prompts[window], ...requests.map(bytesOf))
    }
    if (status !== 'running' && round < rounds)
      throw new Error(`${mode} is ${status} after ${round} of ${rounds} rounds`)
  }
  return { cpu_ms: cpu, prompt_bytes: prompts, rounds, ...(await stored(bench, id)) }
}

function windowOf(round: number): Window | null {
  const within = ([from, to]: readonly [number, number]) => round >= from && round <= to
  return within(WINDOWS.early) ? 'early' : within(WINDOWS.late) ? 'late' : null
}

async function stored(bench: Bench, id: string) {
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  const last = rows?.last()
  if (last === null || last === undefined) throw new Error('the task has no rows')
  return { head_bytes: Buffer.byteLength(JSON.stringify(last.head)), actions: last.head.counters.actions }
}

const DONE_AT_ONCE: Tool = { name: 'todo', run: () => Promise.resolve({ ok: true, code: 'done', text: RESULT }) }

const bytesOf = ({ messages, tools }: ModelRequest) => Buffer.byteLength(JSON.stringify([messages, tools]))

function modelOf(reply: Long['reply'], requests: ModelRequest[]): Model {
  let serial = 0
  return {
    complete(request) {
      requests.push(request)
      const usage = { input_tokens: 10, output_tokens: 5 }
      const said = reply(request, (serial += 1))
      return Promise.resolve({ kind: 'model_replied', ...said, usage, model: 'scripted', form: request.form })
    },
  }
}
