/**
 * Asks each binding one small thing, to find out whether it answers. Nothing that is asked writes, and nobody waits longer than PROBE_MS for
 * all of them together.
 */
import type { BindingView, BoundView } from '../core/shown/deployment-view.ts'
import { rfc3339 } from '../core/terms/text.ts'
import { errorFacts } from '../telemetry/error-facts.ts'

/** Longer than what answers at all takes, and short enough for who waits at a terminal. */
const PROBE_MS = 1_000
/** No tenant has an empty name, so these objects are nobody's. */
const NOBODYS_TASK = JSON.stringify(['', 'probe'])
const NOBODYS_WORKSPACE = JSON.stringify([''])
/** What the compute Worker answers to what is no job. */
const NO_JOB = 400

/** The bindings as the Worker has them. `unknown`: it is never asked, because each call costs or counts. */
export interface ProbedBindings {
  TASKS: Objects<{ ask(query: { kind: 'view' }): Promise<unknown> }>
  WORKSPACES: Objects<{ ping(): Promise<unknown> }>
  REGISTRY?: Objects<{
    ask(query: { kind: 'tenants'; after: string; limit: number; within: null }): Promise<unknown>
  }>
  METRICS?: Objects<{ read(): Promise<unknown> }>
  FILES?: { head(key: string): Promise<unknown> }
  INDEX?: { prepare(query: string): { first(): Promise<Record<string, unknown> | null> } }
  JOBS?: { metrics?: () => Promise<{ backlogCount: number; oldestMessageTimestamp?: Date }> }
  COMPUTE?: Asked
  ASSETS?: Asked
  AI?: unknown
  BROWSER?: unknown
  ANALYTICS?: unknown
  RATE_LIMITER?: unknown
}
interface Objects<T> {
  getByName(name: string): T
}
interface Asked {
  fetch(request: Request): Promise<Response>
}

/** Rejects with `Wrong` where an answer is not what it should be. null: not asked. */
type Probe = (() => Promise<unknown>) | null
class Wrong extends Error {}

export async function probeBindings(env: ProbedBindings, wait: (ms: number) => Promise<void>): Promise<BoundView> {
  let queue: BoundView['queue'] = null
  let index_fed: BoundView['index_fed'] = null
  const { JOBS, INDEX, FILES, COMPUTE, ASSETS } = env
  const readQueue = async () => {
    const told = await JOBS?.metrics?.()
    if (told === undefined) return
    const { backlogCount: waiting, oldestMessageTimestamp: oldest } = told
    queue = { waiting, oldest_at: oldest === undefined || oldest.getTime() === 0 ? null : rfc3339(oldest.getTime()) }
  }
  const readIndex = async () => {
    const made = await INDEX?.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'feeders'`).first()
    const fed = made === null ? null : await INDEX?.prepare('SELECT 1 FROM feeders LIMIT 1').first()
    index_fed = fed !== null
  }
  const late = wait(PROBE_MS).then(() => LATE)
  const probe = async (name: BindingView['name'], ask: Probe): Promise<BindingView> => {
    const bound = env[name] !== undefined
    if (!bound || ask === null) return { name, state: bound ? 'bound' : 'absent', answered_ms: null, problem: null }
    const begun = Date.now()
    try {
      const outcome = await Promise.race([ask(), late])
      if (outcome === LATE) return { name, state: 'failing', answered_ms: null, problem: NO_ANSWER }
      return { name, state: 'bound', answered_ms: Math.max(0, Date.now() - begun), problem: null }
    } catch (error) {
      return { name, state: 'failing', answered_ms: null, problem: problemOf(error) }
    }
  }
  const bindings = await Promise.all([
    probe('TASKS', () => env.TASKS.getByName(NOBODYS_TASK).ask({ kind: 'view' })),
    probe('WORKSPACES', () => env.WORKSPACES.getByName(NOBODYS_WORKSPACE).ping()),
    probe('REGISTRY', async () =>
      env.REGISTRY?.getByName('registry').ask({ kind: 'tenants', after: '', limit: 1, within: null }),
    ),
    probe('METRICS', async () => env.METRICS?.getByName('metrics').read()),
    probe('FILES', async () => FILES?.head('probe')),
    probe('INDEX', readIndex),
    probe('JOBS', typeof JOBS?.metrics === 'function' ? readQueue : null),
    probe('COMPUTE', () => expectStatus(COMPUTE, 'http://compute/', NO_JOB)),
    probe('ASSETS', () => expectStatus(ASSETS, 'http://assets/openapi.json', 200)),
    probe('AI', null),
    probe('BROWSER', null),
    probe('ANALYTICS', null),
    probe('RATE_LIMITER', null),
  ])
  return { bindings, queue, index_fed }
}

const LATE = Symbol('no answer in time')
const NO_ANSWER = `no answer within ${PROBE_MS / 1000} s`

async function expectStatus(at: Asked | undefined, url: string, status: number): Promise<void> {
  const answer = await at?.fetch(new Request(url))
  void answer?.body?.cancel().catch(() => undefined)
  if (answer !== undefined && answer.status !== status) throw new Wrong(`it answers ${answer.status}, not ${status}`)
}

/** What others have written stands in no answer, so of their errors only the class and the kind are told. */
function problemOf(error: unknown): string {
  if (error instanceof Wrong) return error.message
  const { error: name, reason } = errorFacts(error)
  return reason === 'unexpected' ? name : `${name}: ${reason}`
}
