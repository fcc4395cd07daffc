/**
 * Every crash point, and every pair of them, of short scripts: a worker dies before or after call number n, alone or with
 * the whole process; the client comes again. The checkers of the seeded cases hold, and the end is exactly the one the
 * accounting allows for the calls that were lost.
 */
import type { Player } from './player.ts'
import { checkWhole } from './calm.ts'
import { crash, NO_FAULTS, openGate, reboot, type Chaos } from './chaos.ts'
import { attempt, newTicketed, type Clients, type Ticketed } from './clients.ts'
import type { Coverage } from './coverage.ts'
import { randomOf } from './random.ts'
import { readRequest, stepRequest, type Request } from './requests.ts'
import type { Gate } from './scheduler.ts'
import { LIFE, type Script } from './script.ts'
import { firstRequest, reaction, secondRequests, type Seat } from './script-client.ts'
import { same } from './same.ts'
import { checkEnd, ID } from './script-end.ts'
import { demand } from './violation.ts'
import { lifeOf, worldOf, type World } from './world.ts'

export interface Point {
  gate: number
  when: 'before' | 'after'
}
/** How a worker dies: with its process, or alone, so that only its lease tells. `keyed`: whether steps carry a key. */
export interface Manner {
  reboot: boolean
  keyed: boolean
}
export interface Played {
  /** Calls that were made. */
  gates: number
  crashes: number
}

const REQUESTS_MAX = 60
const TRIES_MAX = 8

interface Stage {
  script: Script
  clients: Clients
  chaos: Chaos
  manner: Manner
  points: Point[]
  gates: number
  /** Losses by the number of the model call that was lost. */
  lost: Map<number, number>
  /** Slices whose loss is counted. */
  bereft: Set<string>
  /** Calls begun so far, by label. */
  begun: Map<string, number>
  serial: number
  /** Gates whose second client is at work: they stay shut meanwhile. */
  shut: Set<Gate>
}

export async function playScript(
  script: Script,
  points: Point[],
  manner: Manner,
  seen: Coverage,
  trace: string[] | null = null,
): Promise<Played> {
  const stage = stageOf(script, points, manner, seen, trace)
  await send(stage, firstRequest(script))
  await work(stage)
  await settleDown(stage)
  checkEnd(script, stage.clients.world, (move) => stage.lost.get(move) ?? 0)
  await checkWhole(stage.clients, points.length === 0)
  return { gates: stage.gates, crashes: stage.chaos.crashes }
}

function stageOf(script: Script, points: Point[], manner: Manner, seen: Coverage, trace: string[] | null): Stage {
  const toolFails = () => script.failing.includes(closedOf(world, 'run_tool'))
  const world: World = worldOf(
    { model: reader(script, () => world), toolFails, tool_ms: () => 10 },
    !manner.reboot,
    seen,
  )
  const clients: Clients = { world, known: [], all: [], failure: null }
  const chaos: Chaos = { random: randomOf(1), clients, faults: NO_FAULTS, ghosts: [], crashes: 0, trace }
  const fresh = {
    gates: 0,
    lost: new Map(),
    begun: new Map(),
    serial: 0,
    bereft: new Set<string>(),
    shut: new Set<Gate>(),
  }
  return { script, clients, chaos, manner, points, ...fresh }
}

/** Closed rows of a kind of effect, whose event says that somebody answered. */
function closedOf(world: World, kind: 'call_model' | 'run_tool', phase: string | null = null): number {
  const rows = world.tasks.get(ID)?.rows
  let count = 0
  for (let seq = 1; seq <= (rows?.last()?.seq ?? 0); seq++) {
    const row = rows?.closed(seq)
    const lost = row?.event.kind === 'effect_orphaned' || row?.event.kind === 'abandoned'
    if (row?.effect?.kind === kind && !lost && (phase === null || row.effect.phase === phase)) count += 1
  }
  return count
}

/** Reads the script: the reply to a call is that of its place, however often the call is made. */
function reader(script: Script, world: () => World): Player {
  return ({ metadata, form }) => {
    const { phase } = metadata
    const mine = script.moves.filter((move) => move.phase === phase)
    // Where a second client changes the course, the last reply of the phase is given again.
    const move = mine[closedOf(world(), 'call_model', phase)] ?? mine.at(-1)
    const usage = { input_tokens: 100, output_tokens: 20 }
    if (move === undefined || move.kind === 'fail') {
      return { kind: 'model_failed', reason: 'HTTP 503', status: 503, retry_after_ms: null, took_ms: 100 }
    }
    const said = { usage, model: 'reader', form, took_ms: 100 }
    if (move.native !== undefined) return { kind: 'model_replied', ...move.native, ...said }
    const text = JSON.stringify(move.reply).replaceAll(LIFE, String(lifeOf(world(), ID)))
    return { kind: 'model_replied', text, ...said }
  }
}

/** A client that looks at the task and does what it asks for. */
async function work(stage: Stage): Promise<void> {
  const { script, clients } = stage
  const [answers, remedies, reports] = [[...script.answers], [...script.remedies], [...script.reports]]
  for (let sent = 0; sent < REQUESTS_MAX; sent++) {
    const task = await look(stage)
    if (task === null || !(GOES_ON.has(task.status) || lacksAttempts(task))) return
    clients.world.clock.now += task.retry_after_ms ?? 0
    if (task.status === 'running') {
      await send(stage, stepRequest(make(stage, 'step')))
      continue
    }
    const left = task.status === 'input_required' ? answers : task.status === 'waiting_external' ? reports : remedies
    const request = reaction(seatOf(stage), task, { answer: answers[0], remedy: remedies[0], report: reports[0] })
    if (request === null) return
    const ticketed = await send(stage, request)
    const after = await look(stage)
    const isOver = after?.status !== task.status || !same(after.pending, task.pending)
    if (ticketed.answered || isOver) left.shift()
  }
  demand(false, 'a patient client reaches an end', () => script.name)
}
const GOES_ON = new Set(['running', 'paused', 'input_required', 'waiting_external'])

/** Such an end can be left. */
const lacksAttempts = ({ stop_reason }: { stop_reason: string | null }) => stop_reason === 'contract_failures'

const seatOf = (stage: Stage): Seat => ({
  script: stage.script,
  world: stage.clients.world,
  make: (name) => make(stage, name),
  serial: () => stage.serial,
})

function make(stage: Stage, name: string) {
  stage.serial += 1
  const key = { scope: `POST /tasks/${ID}/${name}`, key: `${name}${stage.serial}`, digest: 'body' }
  return { name, id: ID, key: stage.manner.keyed ? key : null, bounds: { rounds: stage.script.rounds, max_ms: 25_000 } }
}

async function look({ clients }: Stage) {
  const request = readRequest({ name: 'look', id: ID, key: null, bounds: { rounds: 0, max_ms: 0 } })
  const ticketed = newTicketed(clients, request)
  await attempt(clients, ticketed, true)
  return ticketed.last?.ok === true ? (ticketed.last.value?.task ?? null) : null
}

/** Sends a request, again and again under its key; without one its client looks what became of it. */
async function send(stage: Stage, request: Request): Promise<Ticketed> {
  const { clients } = stage
  const ticketed = newTicketed(clients, request)
  for (let tries = 0; tries < TRIES_MAX && !ticketed.answered; tries++) {
    await attempt(clients, ticketed)
    await openAll(stage)
    const refusal = ticketed.last?.ok === false ? ticketed.last.refusal : null
    if (refusal !== null && 'expires_ms' in refusal)
      clients.world.clock.now = Math.max(clients.world.clock.now, refusal.expires_ms)
    if (request.key === null && refusal === null && !SAFE.test(request.name)) break
  }
  return ticketed
}

/** What may always be sent again. */
const SAFE = /^(?:delete|put .*)$/

async function openAll(stage: Stage): Promise<void> {
  const { parked } = stage.clients.world.scheduler
  for (let gate = nextGate(stage); gate !== undefined; gate = nextGate(stage)) {
    await interrupt(stage, gate)
    if (parked.includes(gate)) await open(stage, gate)
    if (stage.clients.failure !== null) throw stage.clients.failure.error
  }
}
const nextGate = ({ clients, shut }: Stage) => clients.world.scheduler.parked.find((gate) => !shut.has(gate))

/** The second client, when its moment has come. */
async function interrupt(stage: Stage, gate: Gate): Promise<void> {
  const { meanwhile } = stage.script
  const nth = (stage.begun.get(gate.label) ?? 0) + 1
  stage.begun.set(gate.label, nth)
  if (meanwhile === null || meanwhile.at !== gate.label || meanwhile.nth !== nth) return
  stage.shut.add(gate)
  const keyed = { ...stage, manner: { ...stage.manner, keyed: true } }
  const requests = secondRequests(seatOf(keyed), meanwhile.does)
  for (const request of requests) {
    const { answered } = await send(stage, request)
    demand(answered, 'a patient client reaches an end', () => `${request.name} in ${stage.script.name}`)
  }
  stage.serial = keyed.serial
  stage.shut.delete(gate)
}

async function open(stage: Stage, gate: Gate): Promise<void> {
  const { chaos, points, manner } = stage
  const point = points.find((one) => one.gate === stage.gates)
  stage.gates += 1
  if (point === undefined) return openGate(chaos, gate)
  const place = closedOf(stage.clients.world, 'call_model')
  await crash(chaos, gate, point.when)
  if (manner.reboot) await reboot(chaos)
  noteLoss(stage, place)
}

/** A model call whose worker is dead will be asked again, and is paid for. */
function noteLoss(stage: Stage, before: number): void {
  const { world } = stage.clients
  const pending = world.tasks.get(ID)?.rows.pending()
  if (pending?.effect.kind !== 'call_model' || world.holders.get(pending.slice)?.alive !== false) return
  // The same row may still lie there when the next worker dies.
  if (stage.bereft.has(pending.slice)) return
  stage.bereft.add(pending.slice)
  const place = Math.max(before, closedOf(world, 'call_model'))
  stage.lost.set(place, (stage.lost.get(place) ?? 0) + 1)
}

/** Nothing is left under way. */
async function settleDown(stage: Stage): Promise<void> {
  await openAll(stage)
  const pending = stage.clients.world.tasks.get(ID)?.rows.pending() ?? null
  demand(
    pending === null,
    'a patient client reaches an end',
    () => `row ${pending?.seq} is pending in ${stage.script.name}`,
  )
}
