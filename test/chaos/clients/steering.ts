/** The actions of people on a task except stepping: they answer by a link, approve, edit the plan, pause, or delete it. */
import * as z from 'zod'
import { ask, getReply, headersOf } from '../ask.ts'
import { type Known, learnTask } from '../known.ts'
import { asking, input, say, send, view, type Client } from './asking.ts'

/** Answers by the link of the question, without a key. */
export async function answerByLink(client: Client, known: Known): Promise<boolean> {
  const { bench, serial } = client
  const { pending } = known.view
  if (pending?.kind !== 'question' || pending.answer_url === null) return false
  const text = `by link ${serial()}`
  const path = new URL(pending.answer_url).pathname
  const asked = { ...asking(client, 'answer', path, { input: text }), task: known.id, mark: text }
  const answered = await ask(bench, asked, false)
  if (answered !== null && answered.status < 300) bench.tally.seen('answer by a link')
  await view(bench, known.tenant, known.id)
  return true
}

export async function decide(client: Client, known: Known, more: object): Promise<boolean> {
  const { random, serial } = client
  const { pending } = known.view
  if (pending?.kind !== 'approval') return false
  client.bench.tally.seen('approval')
  const request_id = random.chance(0.5) ? { request_id: pending.request_id } : {}
  if (random.chance(0.2)) return input(client, known, `rather ${serial()}`, { ...more, ...request_id })
  return say(client, 'input', known, { input: random.chance(0.8) ? 'yes' : 'no', ...more, ...request_id }, null)
}

/** Changes the plan that was just read: one more item, one item less, or another order. */
export async function editPlan(client: Client, known: Known): Promise<boolean> {
  const { bench, random, serial, tenant } = client
  const before = known.view
  const reply = await getReply(bench, tenant, `/tasks/${known.id}`)
  if (reply === null) return false
  learnTask(bench.acks, tenant, JSON.parse(reply.text), before)
  const open = known.view.plan.items.filter(({ status }) => status === 'pending' || status === 'running')
  const kept = (random.chance(0.3) ? open.slice(0, -1) : open).map(({ id, title }) => ({ id, title }))
  const title = `by hand ${serial()}`
  const items = random.chance(0.5) ? [...kept, { title }] : [{ title }, ...kept]
  const plain = asking(client, 'plan', `/tasks/${known.id}/plan`, { items })
  const etag = String(reply.headers['etag'] ?? '')
  const asked = { ...plain, method: 'PATCH' as const, headers: { 'if-match': etag }, task: known.id, mark: title }
  return send(client, asked)
}

export async function hold(client: Client, known: Known): Promise<boolean> {
  const kind = known.view.status === 'paused' ? 'resume' : 'pause'
  return say(client, kind, known, {}, null)
}

const Problem = z.object({ code: z.string() })

/** Deletes a task; no trace of it may be seen again. */
export async function remove({ bench, tenant }: Client, known: Known): Promise<boolean> {
  // One that is still being asked for under the key that made it would be made again.
  if (known.remaking > 0) return false
  known.deleting = Date.now()
  for (;;) {
    bench.requests += 1
    bench.moments.tell('delete')
    const path = `/tasks/${known.id}`
    const reply = await bench.service.send({ method: 'DELETE', path, headers: headersOf(tenant), body: null })
    if (reply === null || reply.status === 503) continue
    const gone =
      reply.status === 204 || (reply.status === 404 && Problem.parse(JSON.parse(reply.text)).code === 'task_not_found')
    bench.tally.demand(gone, 'a DELETE is answered', () => `${reply.status} ${reply.text}`, known.id)
    break
  }
  known.deleted = Date.now()
  bench.tally.seen('deleted')
  return true
}
