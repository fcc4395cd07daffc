/** After the kills: everything that exists is found, and a patient client brings each task to its end, or to a wait for another day. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { get, type Bench } from './ask.ts'
import { input, say, topUp, view, TENANTS, type Client } from './clients.ts'
import { isOpen, type Known } from './known.ts'

const REQUESTS_MAX = 60
const CANCEL_AFTER = 45
const ROUNDS = { rounds: 20 }
/** Open at its end all the same: its tenant has nothing left for today. */
export const restsForToday = ({ view }: Known) => view.stop_reason === 'budget_exhausted:tenant'

export async function drive(worker: Client, known: Known): Promise<void> {
  const client = { ...worker, tenant: known.tenant }
  for (let sent = 0; sent < REQUESTS_MAX && isOpen(known) && !restsForToday(known); sent++) {
    await sleep(Math.max(0, known.rests_until - Date.now()))
    await next(client, known, sent)
    await view(client.bench, known.tenant, known.id)
  }
  const over = !isOpen(known) || restsForToday(known)
  const { status, stop_reason } = known.view
  client.bench.tally.demand(over, 'a patient client reaches an end', () => `${status} ${stop_reason}`, known.id)
}

function next(client: Client, known: Known, sent: number): Promise<boolean> {
  const { status, stop_reason } = known.view
  if (sent >= CANCEL_AFTER) return say(client, 'cancel', known, {}, null)
  if (status === 'running') return say(client, 'step', known, ROUNDS, null)
  if (status === 'input_required') return input(client, known, `answer ${client.serial()}`, ROUNDS)
  if (stop_reason?.startsWith('budget_exhausted') === true) return topUp(client, known)
  return input(client, known, `continue ${client.serial()}`, ROUNDS)
}

const TasksPage = z.object({ data: z.array(z.object({ id: z.string() })), next_cursor: z.string().nullable() })

/** Ids of a tenant's tasks as they are listed, newest first. */
export async function listed(bench: Bench, tenant: string): Promise<string[]> {
  const found: string[] = []
  for (let after: string | null = ''; after !== null;) {
    const cursor: string = after === '' ? '' : `&after=${after}`
    const page = TasksPage.parse(await get(bench, tenant, `/tasks?limit=100${cursor}`))
    found.push(...page.data.map(({ id }) => id))
    after = page.next_cursor
  }
  return found
}

/** Every task that was acknowledged is listed once; what is listed besides comes from a create nobody was answered. */
export async function checkIndex(bench: Bench): Promise<void> {
  const { acks, tally } = bench
  for (const tenant of TENANTS) {
    const ids = await listed(bench, tenant)
    const unique = new Set(ids)
    tally.demand(
      unique.size === ids.length,
      'a task is listed once',
      () => `${tenant}: ${ids.length} of ${unique.size}`,
    )
    for (const known of acks.tasks.values())
      if (known.tenant === tenant)
        tally.demand(unique.has(known.id), 'the index has every task', () => tenant, known.id)
    const creates = [...acks.asked.keys()].filter((asked) => asked.kind === 'create' && asked.tenant === tenant)
    const told = () => `${tenant}: ${unique.size} tasks of ${creates.length} creates`
    tally.demand(unique.size <= creates.length, 'a create makes one task', told)
    for (const id of unique) if (!acks.tasks.has(id)) await view(bench, tenant, id)
  }
}
