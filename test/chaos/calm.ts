/** After the kills: finds all existing tasks, and lets a patient client bring each to its end, or to a wait for the next day. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { TaskEntry } from '../../src/core/terms/view.ts'
import { get, type Bench } from './ask.ts'
import { input, say, topUp, view, type Client } from './clients/asking.ts'
import { ALL_TENANTS, TENANTS } from './clients/clients.ts'
import { putAwaited } from './clients/files.ts'
import { answerByLink, decide } from './clients/steering.ts'
import { reportFor, type Worker } from './clients/workers.ts'
import { isOpen, isThere, makesTask, type Known } from './known.ts'

const REQUESTS_MAX = 60
const CANCEL_AFTER = 45
const ROUNDS = { rounds: 20 }
/** The time in which the service must continue a task that it drives, also after the kills, and the interval of the checks. */
const DRIVEN_WITHIN_MS = 45_000
const LOOK_MS = 250
/** A task that stays open at the end, because its tenant has no budget left today. */
export const restsForToday = ({ view }: Known) => view.stop_reason === 'budget_exhausted:tenant'

export async function drive(given: Client, worker: Worker, known: Known): Promise<void> {
  const client = { ...given, tenant: known.tenant }
  for (let sent = 0; sent < REQUESTS_MAX && isOpen(known) && !restsForToday(known); sent++) {
    if (known.view.drive === 'background' && goesOn(known)) await leave(client, known)
    if (known.view.drive === 'manual') await sleep(Math.max(0, known.rests_until - Date.now()))
    await next(client, worker, known, sent)
    await view(client.bench, known.tenant, known.id)
  }
  if (isOpen(known)) await untilStill(client, known)
  const over = !isOpen(known) || restsForToday(known)
  const { status, stop_reason } = known.view
  client.bench.tally.demand(over, 'a patient client reaches an end', () => `${status} ${stop_reason}`, known.id)
}

const STILL_MS = 1_000
/** The last text for an idle task may still be in progress. */
async function untilStill(client: Client, known: Known): Promise<void> {
  for (let version = 0; version !== known.view.version;) {
    version = known.view.version
    await sleep(STILL_MS)
    await view(client.bench, known.tenant, known.id)
  }
}

const goesOn = ({ view: { status } }: Known) => status === 'running' || status === 'queued'

/** The service drives the task until it waits or ends; each new row is a sign of that. */
async function leave(client: Client, known: Known): Promise<void> {
  let [version, since] = [known.view.version, Date.now()]
  while (goesOn(known) && Date.now() - since < DRIVEN_WITHIN_MS) {
    await sleep(LOOK_MS)
    await view(client.bench, known.tenant, known.id)
    if (known.view.version > version) [version, since] = [known.view.version, Date.now()]
  }
  const shown = () => `row ${version} for ${DRIVEN_WITHIN_MS} ms, ${known.view.status}`
  client.bench.tally.demand(!goesOn(known), 'what the service drives goes on by itself', shown, known.id)
}

function next(client: Client, worker: Worker, known: Known, sent: number): Promise<unknown> {
  const { status, stop_reason, pending } = known.view
  if (!isOpen(known)) return Promise.resolve()
  if (sent >= CANCEL_AFTER) return say(client, 'cancel', known, {}, null)
  if (status === 'running' || status === 'queued') return say(client, 'step', known, ROUNDS, null)
  if (status === 'waiting_external') return reportFor(worker, known)
  if (pending?.kind === 'approval') return decide(client, known, ROUNDS)
  if (status === 'input_required' && pending?.kind === 'file') return putAwaited(client, known)
  if (status === 'input_required' && client.random.chance(0.3)) return answerByLink(client, known)
  if (status === 'input_required') return input(client, known, `answer ${client.serial()}`, ROUNDS)
  if (stop_reason?.startsWith('budget_exhausted') === true) return topUp(client, known)
  return input(client, known, `continue ${client.serial()}`, ROUNDS)
}

const TasksPage = z.object({ data: z.array(TaskEntry), next_cursor: z.string().nullable() })

/** A tenant's tasks as they are listed, newest first. */
export async function listed(bench: Bench, tenant: string): Promise<TaskEntry[]> {
  const found: TaskEntry[] = []
  for (let after: string | null = ''; after !== null;) {
    const cursor: string = after === '' ? '' : `&after=${after}`
    const page = TasksPage.parse(await get(bench, tenant, `/tasks?limit=100${cursor}`))
    found.push(...page.data)
    after = page.next_cursor
  }
  return found
}

/** Every acknowledged task is listed once; any other entry comes from a create without an answer. */
export async function checkIndex(bench: Bench): Promise<void> {
  const { acks, tally } = bench
  for (const tenant of TENANTS) {
    const ids = (await listed(bench, tenant)).map(({ id }) => id)
    const unique = new Set(ids)
    tally.demand(
      unique.size === ids.length,
      'a task is listed once',
      () => `${tenant}: ${ids.length} of ${unique.size}`,
    )
    for (const known of acks.tasks.values())
      if (known.tenant === tenant && isThere(known))
        tally.demand(unique.has(known.id), 'the index has every task', () => tenant, known.id)
    const creates = [...acks.asked.keys()].filter((asked) => makesTask(asked) && asked.tenant === tenant)
    const told = () => `${tenant}: ${unique.size} tasks of ${creates.length} creates`
    tally.demand(unique.size <= creates.length, 'a create makes one task', told)
    for (const id of unique) if (!acks.tasks.has(id)) await view(bench, tenant, id)
  }
}

/** When all work has ended, the list shows each task as the task shows itself. */
export async function checkListed(bench: Bench): Promise<void> {
  const { acks, tally } = bench
  for (const tenant of ALL_TENANTS)
    for (const entry of await listed(bench, tenant)) {
      if (acks.tasks.get(entry.id)?.deleting !== null) continue
      const view = acks.tasks.get(entry.id)?.view
      const shown = () => `listed ${entry.status} at ${entry.version}, is ${view?.status} at ${view?.version}`
      const same = view?.status === entry.status && view.version === entry.version
      tally.demand(same, 'the index agrees with its tasks', shown, entry.id)
      const asked = await get(bench, tenant, `/tasks?limit=1&status=${entry.status}&q=${entry.id}`)
      const found = TasksPage.parse(asked).data.some(({ id }) => id === entry.id)
      tally.demand(found, 'the index agrees with its tasks', () => `not found as ${entry.status}`, entry.id)
    }
}

/** If a task was deleted during a repeated create, its entry is removed a minute later, by the next list of tasks. */
const FORGOTTEN_WITHIN_MS = 70_000

export async function checkForgotten(bench: Bench): Promise<void> {
  const { acks, tally } = bench
  const deleted = [...acks.tasks.values()].filter((known) => !isThere(known))
  for (const tenant of ALL_TENANTS) {
    const left = async () => {
      const ids = new Set((await listed(bench, tenant)).map(({ id }) => id))
      return deleted.filter(({ id }) => ids.has(id))
    }
    let found = await left()
    for (let waited = 0; found.length > 0 && waited < FORGOTTEN_WITHIN_MS; waited += 2_000) {
      await sleep(2_000)
      found = await left()
    }
    for (const { id } of found) tally.demand(false, 'what was deleted is gone', () => `${tenant} lists it`, id)
  }
}
