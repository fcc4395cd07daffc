/** Workers outside: they claim commands and report on them; some die with their claim, some report twice, some too late, some at once with another. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { DelegationView } from '../../../src/core/shown/delegation-view.ts'
import type { Random } from '../../sim/random.ts'
import { ask, codeOf, get, type Bench } from '../ask.ts'
import { learnTask, type Asked, type Command, type Known } from '../known.ts'
import { TENANTS } from './clients.ts'

export const WORKERS = 3

export interface Worker {
  bench: Bench
  random: Random
  name: string
  serial: () => string
}

export function newWorker(bench: Bench, random: Random, index: number): Worker {
  let count = 0
  return { bench, random, name: `worker-${index}`, serial: () => `w${index}-${(count += 1)}` }
}

export async function serve(worker: Worker, over: () => boolean): Promise<void> {
  while (!over()) {
    const done = await takeOne(worker, worker.random.pick(TENANTS))
    if (!done) await sleep(50)
  }
}

const Page = z.object({ data: z.array(DelegationView) })

async function takeOne(worker: Worker, tenant: string): Promise<boolean> {
  const { bench, random } = worker
  // Now and then one that others have, or had.
  const which = random.chance(0.85) ? 'status=pending&' : ''
  const page = Page.safeParse(await get(bench, tenant, `/delegations?${which}limit=10`))
  const all = (page.data?.data ?? []).filter(({ command_type }) => command_type !== 'end')
  if (all.length === 0) return false
  const view = random.pick(all)
  const command = commandOf(bench, tenant, view)
  if (random.chance(0.8) && !(await claim(worker, command))) return true
  const dice = random.below(100)
  if (dice < 15) return seen(bench, 'worker died with its claim')
  await sleep(dice < 30 ? random.between(200, 2_500) : random.below(60))
  await report(worker, command, view)
  if (dice >= 85) await report(worker, command, view)
  return true
}

const seen = (bench: Bench, what: string) => {
  bench.tally.seen(what)
  return true
}

function commandOf({ acks }: Bench, tenant: string, { id, task_id }: DelegationView): Command {
  const known = acks.commands.get(id)
  if (known !== undefined) return known
  const fresh: Command = { id, task: task_id, tenant, claims: [], sent: new Set(), taken: new Set() }
  acks.commands.set(id, fresh)
  return fresh
}

function asking({ random, serial }: Worker, kind: 'claim' | 'report', command: Command, body: object): Asked {
  const { tenant, task, id } = command
  const headers = { authorization: `Bearer ${tenant}-worker` }
  const key = random.chance(0.5) ? `key-${serial()}` : null
  const path = `/delegations/${id}/${kind}`
  return { tenant, method: 'POST', path, key, body: JSON.stringify(body), headers, kind, task, from: null, mark: null }
}

/** No other worker gets a command during a claim that is certainly held. */
async function claim(worker: Worker, command: Command): Promise<boolean> {
  const { bench, random, name } = worker
  const { acks, tally, moments } = bench
  const lease_s = random.chance(0.3) ? 1 : random.between(2, 6)
  acks.commands_under_way += 1
  moments.tell('claim')
  const sent = Date.now()
  // Its own claim is another one from now on, answered or not, and may be a shorter one.
  for (const one of command.claims) if (one.worker === name) one.until = Math.min(one.until, sent)
  // Under no key: its answer is as old as the claim then.
  const asked = { ...asking(worker, 'claim', command, { worker: name, lease_s }), key: null }
  const answered = await ask(bench, asked, false)
  acks.commands_under_way -= 1
  if (answered === null || answered.status >= 300) return false
  const from = Date.now()
  for (const one of command.claims) {
    const disjoint = one.worker === name || from < one.from || sent < one.from || from >= one.until
    const shown = () => `${name} ${sent}–${from}, ${one.worker} from ${one.from} to ${one.until}`
    tally.demand(disjoint, 'a command is claimed by one worker at a time', shown, command.task)
  }
  command.claims.push({ worker: name, sent, from, until: sent + lease_s * 1000 })
  tally.seen('claim')
  return true
}

const STATUSES = ['SUCCESS', 'SUCCESS', 'SUCCESS', 'FAILED', 'PARTIAL_SUCCESS'] as const

/** The first report counts, and the sender of another one is told so. */
export async function report(worker: Worker, command: Command, { budget, session_id }: DelegationView): Promise<void> {
  const { bench, random, serial } = worker
  const { acks, tally, moments } = bench
  const text = random.chance(0.3) && command.sent.size > 0 ? random.pick([...command.sent]) : `report ${serial()}`
  const tokens = random.below((budget?.tokens ?? 0) + 1)
  const body = {
    status: STATUSES[text.length % STATUSES.length],
    text,
    ...(session_id === 'auto' ? { session_id: `session of ${command.id}` } : {}),
    ...(budget === null || random.chance(0.3) ? {} : { spent: { tokens } }),
  }
  const plain = asking(worker, 'report', command, body)
  const asked = { ...plain, mark: text }
  command.sent.add(text)
  acks.commands_under_way += 1
  moments.tell('report')
  const answered = await ask(bench, asked, false)
  acks.commands_under_way -= 1
  if (answered === null) return
  if (answered.status >= 300) {
    if (codeOf(answered) === 'already_reported') tally.seen('reported twice')
    if (codeOf(answered) === 'delegation_expired') tally.seen('reported too late')
    return
  }
  const one = DelegationView.parse(JSON.parse(answered.text))
  const stands = one.report?.text === text && one.status === 'reported'
  tally.demand(stands, 'a report that was taken stands', () => answered.text.slice(0, 400), command.task)
  tally.seen(answered.replayed || command.taken.has(text) ? 'the same report again' : 'report')
  command.taken.add(text)
}

/** Continues a task that waits for its worker, when no worker has reported. */
export async function reportFor(worker: Worker, known: Known): Promise<void> {
  const { bench } = worker
  const { pending } = known.view
  if (pending?.kind !== 'report') return
  const found = DelegationView.safeParse(await get(bench, known.tenant, `/delegations/${pending.delegation_id}`))
  if (found.data === undefined) return
  if (found.data.status === 'pending' || found.data.status === 'claimed')
    await report(worker, commandOf(bench, known.tenant, found.data), found.data)
  const before = known.view
  const json = await get(bench, known.tenant, `/tasks/${known.id}`)
  if (json !== null) learnTask(bench.acks, known.tenant, json, before)
}
