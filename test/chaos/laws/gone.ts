/** After its DELETE a task leaves no trace: no call of a model or a tool, and no message. */
import { get, type Bench } from '../ask.ts'
import type { Known } from '../known.ts'
import type { World } from '../outside/world.ts'

/** The extra time after a DELETE in which a slow machine may still send effects that were handed out before. */
const SETTLES_MS = 3_000

export async function checkGone(bench: Bench, known: Known, { model, tools, receiver }: World): Promise<void> {
  const { tally } = bench
  const { id, tenant, deleted } = known
  if (deleted === null) return
  const late = (at: number) => at > deleted + SETTLES_MS
  const law = 'nothing resurrects what was deleted'
  const demand = (what: string, times: number[]) =>
    tally.demand(!times.some(late), law, () => `${what} ${Math.max(...times) - deleted} ms after its DELETE`, id)
  demand(
    'a model call',
    [...model.calls.values()].flat().flatMap((call) => (call.task === id ? [call.at] : [])),
  )
  demand(
    'a call of a tool',
    [...tools.rings.values()].flat().flatMap((ring) => (ring.task === id ? [ring.at] : [])),
  )
  demand(
    'a message',
    [...receiver.told.values()].flatMap((told) => (told.task === id ? [told.at] : [])),
  )
  for (const part of ['', '/journal', '/events', '/files']) {
    const found = await get(bench, tenant, `/tasks/${id}${part}`)
    tally.demand(found === null, law, () => `GET ${part}: ${JSON.stringify(found).slice(0, 200)}`, id)
  }
}
