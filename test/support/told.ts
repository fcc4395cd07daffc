/** A bench whose tasks have a callback: a scripted receiver, and a clock that jumps from one due try to the next. */
import { dueOf, Job } from '../../src/core/protocol/alarm-times.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import type { Ports } from '../../src/shell/ports.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import { ALL, benchOf, CALLER, FREE, MANUAL, taken, UNBOUNDED, type Bench, type Script } from './scripted.ts'
import { Settings } from '../../src/core/terms/settings.ts'

export const SECRET = `whsec_${Buffer.alloc(32, 'webhook-canary').toString('base64')}`

/** The behaviour of the receiver: it answers with a status and perhaps headers, breaks the connection, or stays silent. */
export type Line = number | [number, Record<string, string>] | Error | 'silent'
export interface Got {
  id: string
  at: number
  type: string
  data: TaskView
}
export interface Told {
  bench: Bench
  /** The messages that arrived, in order. */
  got: Got[]
  /** The next answers; without any it answers 200. */
  script(...lines: Line[]): void
  create(script?: object): Promise<TaskView>
}

export function toldBench(
  script: Script,
  overrides: (ports: Pick<Bench, 'store'>) => Partial<Ports> = () => ({}),
): Told {
  const got: Got[] = []
  const lines: Line[] = []
  const clock = { now: () => 0 }
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    // Our own sender gives headers as a record and the body as a text.
    const headers = new Headers(init?.headers)
    const { type, data } = JSON.parse(String(init?.body))
    got.push({ id: headers.get('webhook-id') ?? '', at: clock.now(), type, data })
    const line = lines.shift() ?? 200
    if (line === 'silent') return new Promise(() => undefined)
    if (line instanceof Error) throw line
    const [status, more] = typeof line === 'number' ? [line, {}] : line
    return new Response(null, { status, headers: more })
  }
  const webhooks = { fetch, secrets: new Map([[CALLER.tenant, [SECRET]]]), loopback: false, chance: () => 0.5 }
  const plain = benchOf(script, { webhooks })
  const bench = { ...plain, ports: { ...plain.ports, ...overrides(plain) } }
  clock.now = () => bench.clock.now
  const brief = { ...MANUAL, callback_url: 'https://example.com/hook', goal: 'g', locale: 'en' as const }
  const task = { ...brief, timezone: 'UTC', metadata: {}, settings: Settings.parse({}), mode: 'plan_execute' as const }
  const create = async () => taken(await bench.service.createTask(CALLER, task, ALL))
  return { bench, got, script: (...next) => lines.push(...next), create }
}

export function dueAt({ store, clock }: Bench, id: string): number | null {
  const rows = store.rows.get(JSON.stringify([CALLER.tenant, id]))
  if (rows === undefined) return null
  const here = { now_ms: clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED }
  return dueOf(rows, rows.deliveries(), here).deliver
}

export const deliverJob = (bench: Bench, id: string) =>
  runJob(bench.ports, Job.parse({ kind: 'deliver', tenant: CALLER.tenant, task: id }))

/** Lets time pass until nothing is due, does each job at its alarm, and returns the number of jobs. */
export async function letTimePass(bench: Bench, id: string): Promise<number> {
  for (let jobs = 0; ; jobs++) {
    const at = dueAt(bench, id)
    if (at === null) return jobs
    bench.clock.now = Math.max(bench.clock.now, at)
    await deliverJob(bench, id)
  }
}

export async function recorded({ service }: Bench, tenant: string = CALLER.tenant) {
  const page = await service.listDeliveries({ ...CALLER, tenant }, null, { after: 0, limit: 100 })
  if (!page.ok) throw new Error('no list')
  return page.value.data
}
