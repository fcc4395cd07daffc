/**
 * A task of the real engine whose model is the real client over a fetch that turns hostile for the attempts it is told. Time is faked, so that a call that hangs costs its whole deadline and no time of the test.
 */
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import { vi } from 'vitest'
import type { ToolSpec } from '../../src/core/mode/mode.ts'
import type { JournalEntry, TaskView } from '../../src/core/terms/view.ts'
import type { PriceTable } from '../../src/core/terms/money.ts'
import type { Model } from '../../src/shell/ports.ts'
import { endpointModel } from '../../src/models/endpoint-model.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import { startFaultServer, type FaultServer } from './fault-server.ts'
import type { Worker } from './hostile-worker.ts'
import {
  asStream,
  completion,
  GOOD,
  KEY,
  ok,
  says,
  speak,
  spokenTongue,
  type Ask,
  type Hostile,
  type Phase,
} from './hostile-kit.ts'
import { CHAT } from './tongues/chat.ts'
import { memberOf } from './tongues/tongue.ts'
import { ALL, benchOf, CALLER, say, step, taken, type Bench } from './scripted.ts'

export const PRICES: PriceTable = {
  version: 'v1',
  default_model: 'gpt-configured',
  models: { 'gpt-configured': { input: 2_500_000, output: 10_000_000 } },
  every: null,
}
/** Micro-dollars of that many tokens by the table above, rounded up. */
export const costOf = (input: number, output: number) => Math.ceil((input * 25 + output * 100) / 10)

/** The working time of a request that is answered at once, and of one that never is (U7). */
const ANSWER_MS = 1_000
const DEADLINE_MS = 60_000

/** One request as it left the process. */
export interface Sent {
  phase: Phase
  seq: number
  form: string
  cap: number
  bytes: number
}
export interface HostileBench extends Bench {
  sent: Sent[]
  /** All answers of the service. */
  answers: TaskView[]
  /** The journal seqs of the attempts that got the hostile reply. */
  attacked: number[]
  heal(): void
  /** Lets this much time pass. */
  pass(ms: number): void
}

/** The real client of the wire that is spoken. */
const modelOver = (fetch: typeof globalThis.fetch): Model =>
  endpointModel({
    name: 'default',
    wire: spokenTongue().wire,
    base_url: 'http://model.test/v1',
    api_key: KEY,
    model: 'gpt-configured',
    binding: { run: (model, inputs, options) => runOver(fetch, { model, ...inputs }, options) },
    fetch,
  })

/** A run of Workers AI, as the request over which the binding itself sends it. */
const runOver = (fetch: typeof globalThis.fetch, inputs: object, options: object = {}): Promise<Response> =>
  fetch('http://model.test/run', {
    method: 'POST',
    body: JSON.stringify(inputs),
    headers: Object(memberOf(options, 'extraHeaders')),
    // The wire passes its signal on.
    signal: memberOf(options, 'signal') as AbortSignal,
  })

let server: FaultServer
export async function openHostileWorld(tongue = CHAT): Promise<void> {
  speak(tongue)
  server = await startFaultServer()
  // This loads the wire before the clock is stopped.
  const fetch = async () => ok(says('{}'))
  await modelOver(fetch).complete(
    {
      model: null,
      temperature: 0,
      reasoning_effort: null,
      messages: [],
      tools: [],
      contract: { name: 'plan', schema: {} },
      form: 'text',
      max_output_tokens: 64,
      metadata: { task: 't', mode: 'plan_execute', phase: 'plan', seq: 1 },
    },
    { timeout_ms: 5_000, traceparent: null },
  )
}
export async function closeHostileWorld(): Promise<void> {
  speak(CHAT)
  await server.close()
}

/** The hostile reply for the n-th attempt of a phase (from 0), or null for a good one. */
export type Plot = (phase: Phase, attempt: number) => Hostile | null

/** The completion message of a well-behaved model. */
type Wellmeant = (wire: Wire) => { content: string; tool_calls?: unknown[] }
const scripted: Wellmeant = ({ phase }) => ({ content: JSON.stringify(GOOD[phase as Phase]) }) // of plan_execute

export function hostileBench(plot: Plot, wellmeant: Wellmeant = scripted): HostileBench {
  const sent: Sent[] = []
  const attacked: number[] = []
  let healed = false
  const pass = (ms: number) => {
    bench.clock.now += ms
    vi.setSystemTime(bench.clock.now)
  }
  const fetch: typeof globalThis.fetch = async (_, init) => {
    pass(ANSWER_MS)
    const one = sentOf(init)
    const { phase, seq, form } = one
    const resent = sent.filter((earlier) => earlier.seq === seq).length
    sent.push(one)
    const attempts = new Set(sent.filter((earlier) => earlier.phase === phase).map((earlier) => earlier.seq))
    const attack = healed ? null : plot(phase, attempts.size - 1)
    const message = wellmeant(wireOf(init))
    const good = message.content
    const asAsked =
      memberOf(JSON.parse(String(init?.body)), 'stream') === true ? asStream : (answer: Response) => answer
    if (attack === null) return asAsked(ok(completion({ role: 'assistant', ...message })))
    if (resent === 0) attacked.push(seq)
    const outlast = () => {
      bench.clock.now += DEADLINE_MS
      vi.advanceTimersByTime(DEADLINE_MS)
    }
    const serve: Ask['serve'] = (reply) => {
      // A request that ended before it was sent has left its reply.
      server.reset()
      server.script(reply)
      return globalThis.fetch(server.origin, init)
    }
    return asAsked(await attack.answer({ phase, good, resent, form, now_ms: bench.clock.now, outlast, serve }))
  }
  const bench = benchOf({}, { model: modelOver(fetch) }, PRICES)
  return { ...bench, sent, attacked, answers: [], heal: () => void (healed = true), pass }
}

/** The tools and the schema of a request, as the endpoint reads them. */
export interface Wire {
  mode: ModeName
  phase: string
  tools: ToolSpec[]
}

function wireOf(init: RequestInit | undefined): Wire {
  const { tools } = spokenTongue().hear(JSON.parse(String(init?.body)))
  const { mode, phase } = JSON.parse(new Headers(init?.headers).get('cf-aig-metadata') ?? '{}')
  return { mode, phase, tools }
}

function sentOf(init: RequestInit | undefined): Sent {
  const body = String(init?.body)
  const { form, cap } = spokenTongue().hear(JSON.parse(body))
  const { phase, seq } = JSON.parse(new Headers(init?.headers).get('cf-aig-metadata') ?? '{}')
  const bytes = new TextEncoder().encode(body).byteLength
  return { phase, seq, form, cap, bytes }
}

/** Stores the answers, so that a test can search them for forbidden texts. */
export async function keep(bench: HostileBench, answer: Promise<TaskView>): Promise<TaskView> {
  const task = await answer
  bench.answers.push(task)
  return task
}

/** The number of requests after which a patient client abandons a task. */
const REQUESTS_MAX = 100

/** Puts the file that a task waits for. */
async function putAwaited(bench: HostileBench, { id, pending }: TaskView): Promise<TaskView> {
  const name = pending?.kind === 'file' ? (pending.name ?? 'sales.csv') : ''
  const body = bodyStream('a,b\n1,2\n')
  await bench.service.putFile(CALLER, id, { name, body, length: null, bytes_max: 1_000 })
  return taken(await bench.service.getTask(CALLER, id))
}

/** Steps, answers, files and reports until the task has stopped or ended; throws if it does neither. */
export async function drive(bench: HostileBench, first: TaskView, worker: Worker | null = null): Promise<TaskView> {
  let task = first
  for (let request = 0; request < REQUESTS_MAX; request++) {
    const choices = task.pending?.kind === 'question' ? task.pending.choices : null
    const answer = choices?.[0] ?? `answer ${request}`
    // Now and then the person has no such file, and says so.
    if (task.pending?.kind === 'file' && request % 3 > 0) task = await keep(bench, putAwaited(bench, task))
    else if (task.status === 'input_required') task = await keep(bench, say(bench, task.id, answer, ALL))
    else if (task.status === 'running') task = await keep(bench, step(bench, task.id, ALL))
    else if (task.status === 'waiting_external' && worker !== null) task = await keep(bench, worker(bench, task))
    else return task
  }
  throw new Error(`the task is still ${task.status} after ${REQUESTS_MAX} requests`)
}

/** The reservation of one effect, from its stored row. */
export function reservedOf(bench: HostileBench, id: string, seq: number) {
  const row = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))?.closed(seq)
  if (row === null || row === undefined || row.reserved === null) throw new Error(`row ${seq} reserved nothing`)
  return row.reserved
}

/** Everything that a client can see of a task: its whole ledger, and all other answers as text. */
export async function shownOf(bench: HostileBench, id: string): Promise<Shown> {
  const journal: JournalEntry[] = []
  for (let more = true; more;) {
    const page = await bench.service.listJournal(CALLER, id, { after: journal.length, limit: 100 })
    if (!page.ok) throw new Error('no journal')
    journal.push(...page.value.data)
    more = page.value.has_more
  }
  const events = await bench.service.listEvents(CALLER, id, { after: 0, limit: 100 })
  if (!events.ok) throw new Error('no events')
  return { journal, told: JSON.stringify([bench.answers, events.value.data]) }
}
export interface Shown {
  journal: JournalEntry[]
  told: string
}

/** Whole numbers below a bound, the same for the same seed. */
export function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
