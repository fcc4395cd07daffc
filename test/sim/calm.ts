/** After the faults: a patient client drives every task to an end, and all stored data is compared. */
import type { Event } from '../../src/core/terms/effect.ts'
import { type TaskView } from '../../src/core/terms/view.ts'
import { ENDED_STATUSES } from '../../src/core/terms/status.ts'
import { createService } from '../../src/shell/create-service.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { checkShown, commandRows } from './check-reports.ts'
import type { Watched } from './check-rows.ts'
import { checkWork } from './check-work.ts'
import { checkOutside } from './check-tools.ts'
import { attempt, newTicketed, type Clients, type Ticketed } from './clients.ts'
import { placeOf } from './effects.ts'
import { nextRequest } from './next-request.ts'
import { callerOf, cancelRequest, readRequest, type Request } from './requests.ts'
import { actorOf } from './scheduler.ts'
import { demand } from './violation.ts'
import { mendAll } from '../support/mended.ts'
import { hereOf, lifeOf, portsOf, type World } from './world.ts'

const ROUNDS = { rounds: 5, max_ms: 25_000 }
/** The number of requests in which a task must end, and the number of pauses after which its client abandons it. */
const REQUESTS_MAX = 60
const PATIENCE = 12

/** `serial` makes marks that were not used before. */
export async function drive(clients: Clients, id: string, serial: () => number): Promise<void> {
  let stops = 0
  let task = await read(clients, id)
  for (let sent = 0; sent < REQUESTS_MAX; sent++) {
    if (task === null || ENDED_STATUSES.has(task.status)) return
    clients.world.clock.now += task.retry_after_ms ?? 0
    if (task.status !== 'running' && task.status !== 'waiting_external') stops += 1
    const tired = stops > PATIENCE || sent > REQUESTS_MAX / 2
    const to = (name: string) => make(name, id)
    const next = tired ? cancelRequest(to('cancel')) : nextRequest(clients.world, task, to, serial())
    const ticketed = await send(clients, next)
    waitFor(clients.world, ticketed)
    task = taskOf(ticketed) ?? (await read(clients, id))
  }
  const over = task === null || ENDED_STATUSES.has(task.status)
  demand(
    over,
    'a patient client reaches an end',
    () => `${id} is ${task?.status} ${task?.stop_reason} after ${REQUESTS_MAX}`,
  )
}

const make = (name: string, id: string) => ({ name: `calm ${name}`, id, key: null, bounds: ROUNDS })

async function send(clients: Clients, request: Request): Promise<Ticketed> {
  const ticketed = newTicketed(clients, request)
  await attempt(clients, ticketed, true)
  if (clients.failure !== null) throw clients.failure.error
  return ticketed
}

const taskOf = ({ last }: Ticketed) => (last?.ok === true ? (last.value?.task ?? null) : null)

async function read(clients: Clients, id: string): Promise<TaskView | null> {
  return taskOf(await send(clients, readRequest(make('read', id))))
}

/** A patient client waits as long as a refusal says. */
function waitFor({ clock }: World, { last }: Ticketed): void {
  if (last === null || last.ok) return
  const { refusal } = last
  if (refusal.code === 'task_busy' || refusal.code === 'request_in_progress')
    clock.now = Math.max(clock.now, refusal.expires_ms)
}

/** Each task has stored exactly what was answered and done. */
export function checkTasks(clients: Clients): void {
  const { world } = clients
  if (world.broken !== null) throw world.broken
  for (const watched of world.tasks.values()) {
    checkPromises(clients, watched)
    checkEffects(world, watched)
    checkOutside(world.outside, watched, lifeOf(world, watched.id))
    checkCommands(world, watched)
  }
}

/** All stored data agrees with all requests and effects; with `pages` the pages are checked too, which takes long. */
export async function checkWhole(clients: Clients, pages: boolean): Promise<void> {
  const { world } = clients
  checkTasks(clients)
  if (pages) for (const watched of world.tasks.values()) await checkPages(clients, watched)
  await checkBook(clients)
  await checkIndex(clients)
  await checkWork(world)
}

/** Each added text is in the workspace once; all texts of a run differ. */
async function checkBook({ world }: Clients): Promise<void> {
  const service = createService(portsOf(world, actorOf('book', true)))
  const listed = await service.runCommand(
    callerOf(null, () => false),
    '/todo list',
    null,
    'en',
  )
  const rows = listed.ok ? (listed.value.result.rows ?? []) : []
  const texts = rows.map((row) => JSON.stringify(Reflect.get(row, 'content')))
  const twice = texts.filter((text, index) => texts.indexOf(text) !== index)
  demand(
    twice.length <= world.cut_tools,
    'a tool effect is applied once',
    () => `twice in the workspace: ${twice.join()}`,
  )
}

const eventsOf = ({ rows }: Watched): Event[] => {
  const all = Array.from({ length: rows.records.size }, (_, index) => rows.closed(index + 1)?.event)
  return [...all, ...rows.queued().map((row) => row.event)].filter((event) => event !== undefined)
}

const SAID = new Set<Event['kind']>([
  'user_answered',
  'user_remarked',
  'user_asked_aside',
  'resumed',
  'approval_answered',
])

function markOf(event: Event): string | null {
  if (event.kind === 'report_arrived') return event.report.text
  if (event.kind === 'budget_added') return String(event.add.tokens)
  if (event.kind === 'plan_edited') return event.items.at(-1)?.title ?? null
  if (event.kind === 'tool_answered') return noteIn(event.content)
  return 'text' in event && SAID.has(event.kind) ? (event.text ?? null) : null
}

/** What a person has answered a tool that wants a note. */
const noteIn = (content: Record<string, unknown> | null): string | null => {
  const note = content?.['note']
  return typeof note === 'string' ? note : null
}

/** An answered request is in the journal once, and any other request at most once. */
function checkPromises({ all, world }: Clients, watched: Watched): void {
  const events = eventsOf(watched)
  const counts = new Map<string, number>()
  for (const event of events) {
    const mark = markOf(event)
    if (mark !== null) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  }
  for (const mark of watched.promised) {
    demand(counts.has(mark), 'nothing acknowledged is lost', () => `"${mark}" was answered and is not in the journal`)
  }
  for (const { request } of all) {
    const { mark, id, name } = request
    if (mark === null || id !== watched.id) continue
    const count = counts.get(mark) ?? 0
    demand(count <= 1, 'an event from outside is applied once', () => `${name} "${mark}" is there ${count} times`)
  }
  if (events.some((event) => event.kind === 'user_answered')) world.seen('answered question')
}

/** Each command is shown as the rows describe it, and nothing else is shown as a command. */
function checkCommands(world: World, { rows, settled }: Watched): void {
  const here = hereOf(world)
  const methods = taskMethods(rows, () => here)
  const known = new Set(commandRows(rows))
  for (let seq = 1; seq <= rows.records.size; seq++) {
    const found = methods.ask({ kind: 'delegation', seq })
    demand(found.ok === known.has(seq), 'a command is known by its row', () => `${seq}: ${JSON.stringify(found)}`)
    if (found.ok) checkShown(rows, settled, found.value, here.now_ms)
  }
}

/** Each effect of a tool belongs to one row, which says what the tool did. */
function checkEffects({ effects, lives, seen }: World, { id, rows }: Watched): void {
  const acted = new Set<number>()
  for (const [key, applied] of effects) {
    const { task, seq } = placeOf(key)
    if (task !== id || applied.life !== (lives.get(id) ?? 1)) continue
    demand(!acted.has(seq), 'one row, one effect', () => `row ${seq} acted under two keys, ${key} is one`)
    acted.add(seq)
    seen('effect compared with its row')
    const row = rows.closed(seq)
    const { event, effect } = row ?? { event: null, effect: null }
    const journaled = effect?.kind === 'run_tool' && effect.tool === applied.tool
    demand(
      journaled,
      'a tool effect is journaled once',
      () => `${key} ${applied.tool} is ${event?.kind} in the journal`,
    )
    const told = event?.kind === 'tool_returned' && event.code === 'ledger'
    demand(!told || event.text === applied.result.text, 'a row says what its tool did', () => key)
  }
}

async function checkPages(clients: Clients, { id, rows }: Watched): Promise<void> {
  const { world } = clients
  const service = createService(portsOf(world, actorOf('pages', true)))
  const caller = callerOf(null, () => false)
  const [events, entries] = [
    await allOf((after) => service.listEvents(caller, id, { after, limit: 100 })),
    await allOf((after) => service.listJournal(caller, id, { after, limit: 100 })),
  ]
  demand(
    events.every((event, index) => event.seq === index + 1),
    'event ids are dense',
    () => id,
  )
  demand(
    entries.every((entry, index) => entry.seq === index + 1),
    'rows without gaps',
    () => id,
  )
  demand(entries.length === rows.records.size, 'rows without gaps', () => `${entries.length} of ${rows.records.size}`)
  const replayed = await service.replayTask(caller, id)
  const equal = replayed.ok && replayed.value.equal
  demand(equal, 'a journal is replayed equal', () => `${id}: ${JSON.stringify(replayed)}`)
  const last = rows.last()?.head
  const counted = entries.filter((entry) => entry.counted).length
  demand(counted === last?.budget.steps.used, 'used = counted rows', () => `${id}: ${counted} counted in /journal`)
  const charged = entries.reduce((sum, entry) => sum + (entry.charged_tokens ?? 0), 0)
  demand(charged === last?.budget.tokens.used, 'used = counted rows', () => `${id}: ${charged} tokens in /journal`)
  const ended = events.filter((event) => /^task_(completed|failed|canceled)$/.test(event.type)).length
  const runs = entries.filter(({ seq }) => isReopening(rows, seq)).length
  demand(ended === runs + (last?.end === null ? 0 : 1), 'ended stays ended', () => `${id}: ${ended} end events`)
}

const isReopening = (rows: Watched['rows'], seq: number) =>
  rows.closed(seq)?.head.end === null && (rows.closed(seq - 1)?.head.end ?? null) !== null

type PageOf<T> = { ok: true; value: { data: T[]; next_cursor: string | null } } | { ok: false }

async function allOf<T>(page: (after: number) => Promise<PageOf<T>>): Promise<T[]> {
  const found: T[] = []
  for (let after: string | null = '0'; after !== null;) {
    const one: PageOf<T> = await page(Number(after))
    if (!one.ok) break
    found.push(...one.value.data)
    after = one.value.next_cursor
  }
  return found
}

/** Longer than a create may take. */
const MEND_MS = 120_000

/** The index has every task with its status after each entry was compared with its task. */
async function checkIndex({ world }: Clients): Promise<void> {
  world.clock.now += MEND_MS
  const ports = portsOf(world, actorOf('index', true))
  const service = createService(ports)
  await mendAll(ports, callerOf(null, () => false).tenant)
  const list = () =>
    service.listTasks(
      callerOf(null, () => false),
      EVERY,
      { limit: 100, after: 0 },
    )
  const page = await list()
  const listed = page.ok ? page.value.data.map((task) => task.id) : []
  const strange = listed.filter((id) => !world.tasks.has(id))
  demand(strange.length === 0, 'the index has every task', () => `${strange.join()} is listed`)
  for (const id of world.tasks.keys()) {
    // A repeated create that races with a DELETE makes the task again, and the DELETE may remove its entry.
    if (lifeOf(world, id) > 1) continue
    demand(listed.includes(id), 'the index has every task', () => `${id} is missing`)
  }
  for (const status of ['completed', 'failed', 'canceled'] as const) {
    const some = await service.listTasks(
      callerOf(null, () => false),
      { ...EVERY, status },
      { limit: 100, after: 0 },
    )
    const found = some.ok ? some.value.data.map((task) => task.id) : []
    for (const { id, rows } of world.tasks.values()) {
      const fits = (rows.last()?.head.end?.status === status) === found.includes(id)
      demand(fits || lifeOf(world, id) > 1, 'the index knows each status', () => `${id} as ${status}`)
    }
  }
}
const EVERY = { status: null, mode: null, metadata: {}, q: null, outcome: null }
