/** The laws of a tenant's counters: at the end no run slot is held, and no ended task counts as open. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { codeOf, headersOf, type Bench } from '../ask.ts'
import { isOpen, type Known } from '../known.ts'
import type { World } from '../outside/world.ts'

/** The configured limit: more than the clients have open at the same time. */
export const LIMITS = { open: 45, driven: 5 }
const BEGIN_WITHIN_MS = 15_000
/** An entry whose task was deleted during a repeated create, or whose maker died, counts for a minute; a refused request has it checked. */
const ROOM_WITHIN_MS = 75_000
/** Longer than the start of one more would take. */
const NO_MORE_MS = 700

const Made = z.object({ id: z.string() })

/** Exactly as many tasks as may be open are created, and as many as may be driven call their model at the same time. */
export async function checkLimits(bench: Bench, { model }: World, tenant: string): Promise<void> {
  const { acks, tally } = bench
  const resting = [...acks.tasks.values()].filter((known: Known) => known.tenant === tenant && isOpen(known)).length
  const thaw = model.freeze()
  const made: string[] = []
  let refused = ''
  const make = async () => {
    const reply = await post(bench, tenant, '/tasks', { goal: 'the last ones', drive: 'background' })
    if (reply?.status === 201) made.push(Made.parse(JSON.parse(reply.text)).id)
    refused = reply === null || reply.status === 201 ? '' : codeOf(reply)
  }
  const last_try = Date.now() + ROOM_WITHIN_MS
  while (made.length + resting < LIMITS.open && Date.now() < last_try) {
    await make()
    if (refused !== '') await sleep(1_000)
  }
  await make()
  const told = () => `${tenant}: ${made.length} made beside ${resting} that rest, then ${refused}`
  const exact = made.length + resting === LIMITS.open && refused === 'quota_exceeded'
  tally.demand(exact, 'open tasks are those that have not ended', told)
  const own = new Set(made)
  const driven = () => model.under_way().filter(({ task }) => own.has(task)).length
  for (let waited = 0; waited < BEGIN_WITHIN_MS && driven() < LIMITS.driven; waited += 50) await sleep(50)
  await sleep(NO_MORE_MS)
  const shown = () => `${tenant}: ${driven()} of ${LIMITS.driven} call their model`
  tally.demand(driven() === LIMITS.driven, 'after the end no slot is held', shown)
  for (const id of made) await post(bench, tenant, `/tasks/${id}/cancel`, {})
  thaw()
}

function post({ service }: Bench, tenant: string, path: string, body: object) {
  const headers = { ...headersOf(tenant), 'content-type': 'application/json' }
  return service.send({ method: 'POST', path, headers, body: JSON.stringify(body) })
}
