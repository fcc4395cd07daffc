/** One move of a run: a request begins, a call is made and something befalls its object or its worker. */
import { attempt, newTicketed, type Clients, type Ticketed } from '../../sim/clients.ts'
import { awaitedIn, commandRows } from '../../sim/check-reports.ts'
import { workerRequest } from '../../sim/worker.ts'
import { DIED, type Gate } from '../../sim/scheduler.ts'
import { lawOf } from '../../sim/violation.ts'
import { askOf, createAsk, type Asked } from './asks.ts'
import type { Random } from '../../sim/random.ts'
import { deskOfRun, MANNERS, strike, taskIn, type Bench, type Manner } from './bench.ts'
import { ASKS, type Ask, type Move } from './moves.ts'

export interface Run {
  bench: Bench
  clients: Clients
  random: Random
  serial: () => number
  /** What each request was to add to the workspace. */
  todos: Map<Ticketed, string>
  creates: number
}

/** Without faults: a task with a plan, so that what follows happens to one that works. */
export async function prepare(run: Run): Promise<void> {
  const { parked } = run.bench.world.scheduler
  await launch(run, 'step', 1)
  for (let gate = parked[0]; gate !== undefined; gate = parked[0]) await open(run.bench, gate, 'plain')
}

export async function make(run: Run, move: Move): Promise<void> {
  const { bench } = run
  const { scheduler, clock } = bench.world
  // Time passes between any two calls, so that no two lives of a task are of the same moment.
  clock.now += 1
  switch (move.kind) {
    case 'ask':
      return launch(run, move.ask, move.n)
    case 'wait':
      clock.now += move.ms
      bench.trace.push(`${move.ms} ms pass`)
      return
    case 'overtake':
      return overtake(run, move.n)
    case 'outside':
      return outside(run, move.n)
    case 'reboot':
      return reboot(bench)
    case 'repeat':
      return repeat(run, move.n)
    case 'die':
    case 'call': {
      const gate = scheduler.parked[move.n % Math.max(1, scheduler.parked.length)]
      if (gate === undefined)
        return launch(run, move.n % 3 > 0 ? 'step' : (ASKS[move.n % ASKS.length] ?? 'step'), move.n)
      return move.kind === 'die' ? die(bench, gate, move.after) : open(bench, gate, mannerAt(gate, move), move.n)
    }
  }
}

/** Calls that bring a worker to the next tool, at most. */
const TO_TOOL_MAX = 8
const LEASE_ENDS_MS = 70_000

/** A worker whose tool has acted holds still, its lease ends, and another request takes the effect over. */
async function overtake(run: Run, n: number): Promise<void> {
  const { bench } = run
  const { scheduler, clock } = bench.world
  for (let made = 0, acted = false; made < TO_TOOL_MAX && !acted; made++) {
    const gate = scheduler.parked[n % Math.max(1, scheduler.parked.length)]
    acted = gate !== undefined && /^tool\.|command$/.test(gate.label)
    await (gate === undefined ? launch(run, 'step', n) : open(bench, gate, 'plain'))
  }
  clock.now += LEASE_ENDS_MS
  bench.trace.push('every lease ends')
  await launch(run, 'step', n)
  const latest = scheduler.parked.at(-1)
  if (latest !== undefined) await open(bench, latest, 'plain')
}

/** Calls that bring a task to its next command, at most. */
const TO_COMMAND_MAX = 8

/** Of a task that hands out commands: until one is out, without faults; then its worker asks, and something befalls that. */
async function outside(run: Run, n: number): Promise<void> {
  const { bench } = run
  const { scheduler, tasks } = bench.world
  const rows = () => [...tasks.values()].at(0)?.rows
  for (let made = 0; made < TO_COMMAND_MAX; made++) {
    const head = rows()?.last()?.head
    if (head === undefined || head.mode !== 'orchestrator' || head.end !== null || awaitedIn(head) !== null) break
    const [gate] = scheduler.parked
    await (gate === undefined ? launch(run, 'step', n) : open(bench, gate, 'plain'))
  }
  await launch(run, 'work', n)
  const latest = scheduler.parked.at(-1)
  if (latest !== undefined) await open(bench, latest, MANNERS[n % (2 * MANNERS.length)] ?? 'plain', n)
}

/** Calls that come late in a request, or in few: they meet an abort more often, so that each has met some. */
const RARE =
  /\.(?:give_back|drop|recall|keep|finished|list|set_status|remove|journal|top_up|tend|settle_delegation)$|^tool\./

export function mannerAt({ label }: Gate, { manner, n }: { manner: Manner; n: number }): Manner {
  return manner === 'plain' && RARE.test(label) ? (MANNERS[n % MANNERS.length] ?? manner) : manner
}

/** The first request makes the task; so does the next, when nobody knows of one and nobody is making one. */
async function launch(run: Run, ask: Ask, n: number): Promise<void> {
  const { bench, clients, random } = run
  const { scheduler, tasks } = bench.world
  // A deleted task is asked for, too, now and then.
  const id = [...tasks.keys()].at(0) ?? (n % 3 === 0 ? clients.known[0] : undefined)
  const [making] = scheduler.parked
  if (id === undefined && making !== undefined) return open(bench, making, 'plain')
  const asked = id === undefined ? createAsk(random, run.serial()) : askedOf(run, ask, id, n)
  if (id === undefined) run.creates += 1
  // A list of several reads them at once, which is more than the scheduler moves.
  if (ask === 'list' && run.creates > 1) return
  await begin(run, asked)
  bench.tally.commands += 1
}

/** Of a task without commands workers know nothing. */
function askedOf({ bench: { world }, random, serial }: Run, ask: Ask, id: string, n: number): Asked {
  const rows = world.tasks.get(id)?.rows
  if (ask !== 'work') return askOf(ask, id, serial(), n)
  if (rows === undefined || commandRows(rows).length === 0) return askOf('step', id, serial(), n)
  const number = serial()
  const key = n % 3 === 0 ? null : { scope: `POST /tasks/${id}/work`, key: `k${number}`, digest: 'body' }
  const make = { name: 'report', id, key, bounds: { rounds: 0, max_ms: 0 } }
  return { request: workerRequest(world, random, make, number), todo: null }
}

async function begin({ bench, clients, todos }: Run, { request, todo }: Asked): Promise<void> {
  bench.trace.push(`client: ${request.name} ${request.mark ?? todo ?? ''} ${request.key?.key ?? 'without key'}`)
  const ticketed = newTicketed(clients, request)
  if (todo !== null) todos.set(ticketed, todo)
  await attempt(clients, ticketed)
}

const ATTEMPTS_MAX = 4
/** A client that saw no answer, or that is impatient, sends its request again under the same key. */
async function repeat({ bench, clients }: Run, n: number): Promise<void> {
  const open = clients.all.filter(
    ({ request, actors }) =>
      request.key !== null && actors.length < ATTEMPTS_MAX && actors.filter(({ over }) => !over).length < 2,
  )
  const ticketed = open[n % Math.max(1, open.length)]
  if (ticketed === undefined) return
  bench.trace.push(`client: ${ticketed.request.name} again under ${ticketed.request.key?.key}`)
  bench.tally.commands += 1
  await attempt(clients, ticketed)
}

/** Makes the call of a gate. Its own abort is what its caller is told of it. */
export async function open(bench: Bench, gate: Gate, manner: Manner, n = 0): Promise<void> {
  const { scheduler } = bench.world
  bench.trace.push(`${gate.actor.name}: ${gate.shown()}${manner === 'plain' ? '' : ` – abort ${manner}`}`)
  if (!/^(?:store|workspace)\./.test(gate.label)) {
    if (manner !== 'plain') await interrupt(bench, gate, n)
    return scheduler.answer(gate, gate.deliver())
  }
  note(bench, gate.label, manner)
  let answer: unknown
  try {
    answer = await deliver(bench, gate, manner)
  } catch (error) {
    if (!(error instanceof Error) || lawOf(error) !== null) throw error
    return scheduler.fail(gate, error)
  }
  return scheduler.answer(gate, answer)
}

async function deliver(bench: Bench, gate: Gate, manner: Manner): Promise<unknown> {
  bench.manner = manner
  try {
    return await gate.deliver()
  } finally {
    bench.manner = 'plain'
  }
}

function note({ seen }: Bench, label: string, manner: Manner): void {
  if (manner === 'plain') return
  seen(`abort ${manner === 'before' || manner === 'stale' ? 'before' : 'after'} ${label}`)
  seen(`abort: ${manner}`)
}

/** While a model or a tool is at work, the objects of its task may go. */
async function interrupt(bench: Bench, { label, shown }: Gate, n: number): Promise<void> {
  const id = [...bench.world.tasks.keys()].at(0)
  await strike(bench, n % 2 === 0 || id === undefined ? deskOfRun(bench) : taskIn(bench, id))
  bench.seen(`abort during ${label.split('.', 1)[0]}`)
  bench.trace.push(`  aborted during ${shown()}`)
}

async function die(bench: Bench, gate: Gate, after: boolean): Promise<void> {
  bench.trace.push(`${gate.actor.name}: ${gate.shown()} – worker dies ${after ? 'after' : 'before'}`)
  if (after) await deliver(bench, gate, 'plain')
  gate.actor.alive = false
  bench.seen(`worker died ${after ? 'after' : 'before'} a call`)
  await bench.world.scheduler.fail(gate, DIED)
}

async function reboot(bench: Bench): Promise<void> {
  const { world } = bench
  const { boots, scheduler } = world
  boots.object = `boot${Number(boots.object.slice(4)) + 1}`
  bench.seen('reboot')
  bench.trace.push(`reboot: ${boots.object}`)
  if (!boots.apart) for (const { actor } of scheduler.parked.slice()) if (actor.alive) await scheduler.kill(actor)
  await strike(bench, deskOfRun(bench))
  for (const id of bench.ids) await strike(bench, taskIn(bench, id))
}
