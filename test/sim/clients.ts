/**
 * Clients: each sends its request, and sends it again under the same key until it is answered. What an answer says is
 * checked when it arrives and remembered as a promise: nothing answered is forgotten.
 */
import type { ClosedRow } from '../../src/core/protocol/journal.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import { withoutLinks } from '../../src/core/protocol/view/stored-task-view.ts'
import { taskView } from '../../src/core/protocol/view/task-view.ts'
import type { TaskAnswer } from '../../src/shell/caller.ts'
import { createService } from '../../src/shell/create-service.ts'
import type { Watched } from './check-rows.ts'
import { keyNameIn } from './check-tenant.ts'
import { callerOf, type Request } from './requests.ts'
import { same } from './same.ts'
import { actorOf, DIED, type Actor } from './scheduler.ts'
import { demand, lawOf, violation } from './violation.ts'
import { lifeOf, portsOf, type World } from './world.ts'

/** A request as its client sees it. */
export interface Ticketed {
  request: Request
  /** Attempts under way. */
  actors: Actor[]
  /** Whether some attempt was answered. */
  answered: boolean
  /** The first answer the service keeps: every later one must be equal. */
  kept: { answer: TaskAnswer; life: number; keyed: string; at: number } | null
  last: Result<TaskAnswer | null> | null
}
export interface Clients {
  world: World
  /** Ids that some client knows. */
  known: string[]
  all: Ticketed[]
  /** The first broken promise, found while an answer was read. */
  failure: { error: Error } | null
}

/** A key is remembered this long; later the request is a new one. */
const KEY_MEMORY_MS = 24 * 3_600_000

export function newTicketed(clients: Clients, request: Request): Ticketed {
  const ticketed: Ticketed = { request, actors: [], answered: false, kept: null, last: null }
  clients.all.push(ticketed)
  return ticketed
}

/** One attempt on a Worker of its own; `digest` stands in for the body's when another body is sent under the key. */
export async function attempt(clients: Clients, ticketed: Ticketed, direct = false, digest?: string): Promise<void> {
  const { world } = clients
  const { request } = ticketed
  const turn = clients.all.indexOf(ticketed)
  // Every other caller reads along.
  const actor = actorOf(`${request.name}#${turn}`, direct, turn % 2 === 1 ? new AbortController() : null)
  ticketed.actors.push(actor)
  const key = request.key === null || digest === undefined ? request.key : { ...request.key, digest }
  const life = request.id === null ? null : lifeOf(world, request.id)
  const work = async () => {
    try {
      const ports = portsOf(world, actor)
      const caller = { ...callerOf(key, () => actor.gone, actor.left), key_name: keyNameIn(world.tenant) }
      const result = await request.run(createService(ports), caller, ports)
      if (actor.alive && !actor.gone) heard(clients, ticketed, result, life, digest !== undefined)
    } catch (error) {
      if (error !== DIED && !world.lost(error)) clients.failure ??= { error: brokenBy(error, request) }
    }
    if (world.broken !== null) clients.failure ??= { error: world.broken }
  }
  if (direct) await work().finally(() => (actor.over = true))
  else await world.scheduler.start(actor, work)
}

function brokenBy(error: unknown, request: Request): Error {
  if (error instanceof Error && lawOf(error) !== null) return error
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return violation('a request never throws', `${request.name}: ${told}`)
}

function heard(
  clients: Clients,
  ticketed: Ticketed,
  result: Result<TaskAnswer | null>,
  life: number | null,
  other: boolean,
) {
  const { world } = clients
  if (other) {
    const refused = !result.ok && result.refusal.code === 'idempotency_key_reused'
    const { kept } = ticketed
    const old =
      kept === null || world.clock.now - kept.at >= KEY_MEMORY_MS || kept.life !== lifeOf(world, kept.answer.task.id)
    const gone = !result.ok && result.refusal.code === 'task_not_found'
    // Of a task made again after a delete whose index entry a late drop has taken: it is refused before its key is looked at.
    const turned = !result.ok && ADMISSION.has(result.refusal.code)
    demand(
      refused || old || gone || turned,
      'one key, one body',
      () => `${ticketed.request.name}: ${JSON.stringify(result)}`,
    )
    return
  }
  ticketed.last = result
  if (!result.ok && TRANSIENT.has(result.refusal.code)) return
  ticketed.answered = true
  if (!result.ok) return
  if (result.value === null) {
    // What is said to be there already is there.
    const { id, mark } = ticketed.request
    if (id !== null && mark !== null && life === lifeOf(world, id)) world.tasks.get(id)?.promised.add(mark)
    return
  }
  const { task } = result.value
  if (!clients.known.includes(task.id)) clients.known.push(task.id)
  const watched = world.tasks.get(task.id)
  // Deleted, or deleted and made again, between the last call and its answer: it speaks of another life.
  const other_life = life !== null && life !== lifeOf(world, task.id)
  if (watched === undefined || other_life || task.created_at !== createdAt(watched)) return
  acknowledge(world, ticketed, watched, result.value)
}
const createdAt = ({ rows }: Watched) => new Date(rows.last()?.head.created_at ?? 0).toISOString()
const ADMISSION = new Set(['tenant_budget_exceeded', 'quota_exceeded'])
const TRANSIENT = new Set(['task_busy', 'request_in_progress', 'lease_lost'])

function acknowledge(world: World, ticketed: Ticketed, watched: Watched, answer: TaskAnswer): void {
  const { task } = answer
  const { request } = ticketed
  const { rows } = watched
  const row = rows.closed(task.version)
  const where = () => `${request.name} was answered with version ${task.version}`
  demand(row !== null, 'nothing acknowledged is lost', where)
  if (row === null) return
  watched.acknowledged = Math.max(watched.acknowledged, task.version)
  const { slice, retry_after_ms: _, ...shown } = task
  demand(same(withoutFiles(shown), viewAt(row, rows)), 'an answer is the view of its version', where)
  checkSlice(request, watched, slice)
  if (request.mark !== null && answer.command === undefined) watched.promised.add(request.mark)
  if (task.pending?.kind === 'question') world.seen('asked')
  if (answer.replayed === true) world.seen('replayed key')
  checkKept(world, ticketed, watched, answer)
}

/** Views of versions; a closed row never changes. */
const views = new WeakMap<ClosedRow, unknown>()

function viewAt(row: ClosedRow, rows: Watched['rows']): unknown {
  const known = views.get(row)
  if (known !== undefined) return known
  const seen = taskView({ head: row.head, version: row.seq, under_way: false }, rows, row.head.updated_at)
  // Tasks of the simulation do not know where they are reached.
  const { retry_after_ms: _, ...shown } = withoutLinks(seen)
  const view = withoutFiles(shown)
  views.set(row, view)
  return view
}

/** Files are as they are now, whatever the version, and their links are signed. */
const withoutFiles = <T extends Pick<TaskAnswer['task'], 'result'>>(task: T): T =>
  task.result === null ? task : { ...task, result: { ...task.result, artifacts: [] } }

/** What the answer says this request did: not more rounds than it was given, and events that are in the log. */
function checkSlice(request: Request, { rows }: Watched, slice: TaskAnswer['task']['slice']): void {
  if (slice === null) return
  const { rounds } = request.bounds
  demand(
    slice.rounds <= rounds,
    'a slice keeps its bounds',
    () => `${request.name} did ${slice.rounds} of ${rounds} rounds`,
  )
  const last = rows.last()?.head.events
  const end = last === undefined ? 0 : last.first + last.count
  slice.events.forEach((event, index) => {
    const grows = index === 0 || event.seq > (slice.events[index - 1]?.seq ?? 0)
    demand(grows && event.seq < end, 'an answer shows events of the log', () => `${request.name}: event ${event.seq}`)
  })
}

const isKeyed = (stored: string | null, key: string) => stored?.includes(`"key":"${key}"`) === true

/** The rows a key has written, as text: none may come once its request was answered. */
function keyedRows({ rows }: Watched, key: string): string {
  return [...rows.records.values()].flatMap((record) => (isKeyed(record.key, key) ? [record.seq] : [])).join()
}

/** Whether an answer with this version knows of rows of the key: one of a text that was queued stands above it. */
const isRecorded = ({ rows }: Watched, key: string, version: number): boolean =>
  [...rows.records.values()].some(
    (record) => isKeyed(record.key, key) && (record.seq <= version || record.key?.includes('"seen":null') === false),
  )

/** Same key, same answer, no second effect (api.md "idempotency"). */
function checkKept(world: World, ticketed: Ticketed, watched: Watched, answer: TaskAnswer): void {
  const { request, kept } = ticketed
  if (request.key === null) return
  const keyed = keyedRows(watched, request.key.key)
  const life = lifeOf(world, watched.id)
  const [{ replayed: _, ...whole }, at] = [answer, world.clock.now]
  // How long to wait is told as of now: a repeated answer has it only where its task waits still (docs/guarantees.md).
  const plain = { ...whole, task: { ...whole.task, retry_after_ms: null } }
  // A request that wrote nothing is not recorded (U6), whatever came under its key while its answer was on the way.
  if (!isRecorded(watched, request.key.key, answer.task.version) && answer.command === undefined) {
    demand(answer.task.slice?.advanced !== true, 'what a key did is remembered', () => request.name)
    return
  }
  if (kept === null || kept.life !== life) {
    ticketed.kept = { answer: plain, life, keyed, at }
    return
  }
  if (at - kept.at >= KEY_MEMORY_MS) return
  demand(kept.keyed === keyed, 'one key, one effect', () => `${request.name} wrote ${kept.keyed}, then ${keyed}`)
  // A slash command is answered again; the task beside it is shown as it stands.
  const [first, again] = answer.command === undefined ? [kept.answer, plain] : [kept.answer.command, plain.command]
  if (ticketed.actors.some((actor) => actor.resent) && answer.command === undefined) {
    demand(same(kept.answer.task.version, plain.task.version), 'same key, same answer', () => request.name)
    return
  }
  demand(same(first, again), 'same key, same answer', () => `${request.name}: ${difference(first, again)}`)
}

/** Where two answers differ, for the message. */
export function difference(one: unknown, other: unknown, path = ''): string {
  if (same(one, other)) return ''
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return `${path} ${JSON.stringify(one)} / ${JSON.stringify(other)}`
  }
  const [mine, theirs] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  const names = [...new Set([...mine.keys(), ...theirs.keys()])]
  return names
    .map((name) => difference(mine.get(name), theirs.get(name), `${path}/${name}`))
    .filter((found) => found !== '')
    .slice(0, 4)
    .join('; ')
}
