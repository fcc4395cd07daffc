/** One run: load, kills, calm, and then the laws over everything that was acknowledged, written and done. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'
import { randomOf } from '../sim/random.ts'
import { apiKeyOf, ask, type Bench } from './ask.ts'
import { checkIndex, drive } from './calm.ts'
import type { Client } from './clients/asking.ts'
import { ALL_TENANTS, CLIENTS, newClient, SHARDED, SHARDS, work } from './clients/clients.ts'
import { follow, FOLLOWERS } from './clients/followers.ts'
import { newPlanner, plan, rest, watchTicks } from './clients/planner.ts'
import { newWorker, serve, WORKERS, type Worker } from './clients/workers.ts'
import { inParallel, judge } from './judge.ts'
import { killTimes, type Field, type Kills } from './kills.ts'
import { makesTask, newAcks } from './known.ts'
import { PRICE } from './laws/effects.ts'
import { LIMITS } from './laws/limits.ts'
import { startWorld, type World } from './outside/world.ts'
import { openService } from './service.ts'
import type { Story } from './story.ts'
import { newTally } from './tally.ts'
import { storageOf, writeConfig } from '../support/workerd.ts'

export interface Wanted {
  kills: number
  seed: number
  /** The folder of the modules and their manifest. */
  bundle: string
  /** From variables to text bindings, as `npm start` does it. */
  bindingsOf: (env: Record<string, string>) => Record<string, string>
}

export async function chaos({ kills: wanted, seed, bundle, bindingsOf }: Wanted) {
  const started_ms = performance.now()
  const tally = newTally()
  const acks = newAcks(tally)
  const isDriven = (task: string) => acks.tasks.get(task)?.view.drive === 'background'
  const secrets = new Map(ALL_TENANTS.map((tenant) => [tenant, secretOf(tenant)]))
  const world = await startWorld({ seed, tally, secrets, isDriven })
  const place = mkdtempSync(join(tmpdir(), 'loop-agent-chaos-'))
  const remove = () => rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  process.once('exit', remove)
  const daily_tokens = 2_000_000 + wanted * 120_000
  const bindings = bindingsOf(environment(world, seed, daily_tokens))
  const service = openService(writeConfig(place, { directory: bundle, bindings, blobs: `${world.origin}/blobs/` }))
  const bench: Bench = { service, acks, tally, moments: world.moments, requests: 0, retries: 0 }
  const drawn = (index: number) => randomOf(seed * 31 + index)
  try {
    const clients = Array.from({ length: CLIENTS }, (_, index) => newClient(bench, drawn(index), index, world.origin))
    const workers = Array.from({ length: WORKERS }, (_, index) => newWorker(bench, drawn(100 + index), index))
    const workspaces = storageOf(place, 'WorkspaceObject')
    const under_way = () => acks.commands_under_way
    const field = { service, world, tally, random: randomOf(seed), workspaces, workers: under_way, isDriven }
    const follower = (over: () => boolean) =>
      Array.from({ length: FOLLOWERS }, (_, index) => follow(bench, drawn(200 + index), over))
    const planner = newPlanner(bench, drawn(300), world.origin)
    const others = (over: () => boolean) => [...follower(over), plan(planner, over), watchTicks(bench, over)]
    const kills = await storm(clients, workers, others, wanted, field)
    const calm_ms = performance.now()
    world.calm()
    await settle(bench, clients, workers, planner)
    const objects = readdirSync(workspaces).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name)).length
    tally.demand(objects >= ALL_TENANTS.length + SHARDS - 1, 'a tenant has its shards', () => `${objects} workspaces`)
    const judged_ms = performance.now()
    const stories = await judge(bench, world, clients, daily_tokens)
    const ended_ms = performance.now()
    const [storm_s, calm_s, judge_s] = [calm_ms - started_ms, judged_ms - calm_ms, ended_ms - judged_ms].map(secondsOf)
    const figures = { ...figuresOf(bench, stories, world, kills), storm_s, calm_s, judge_s, seed }
    return { tally, stories, printed: service.printed(), figures, modes: modesOf(stories) }
  } finally {
    await service.stop()
    await world.close()
    remove()
  }
}

const secondsOf = (ms: number) => Number((ms / 1000).toFixed(1))
const secretOf = (tenant: string) => `whsec_${Buffer.from(`chaos of ${tenant}`.padEnd(32, '.')).toString('base64')}`

/** Development mode, so that callbacks and tools may be on this machine. */
function environment({ origin }: World, seed: number, daily_tokens: number): Record<string, string> {
  const keys = ALL_TENANTS.flatMap((tenant) => [`${tenant}:${apiKeyOf(tenant)}`, `${tenant}:${tenant}-worker:worker`])
  return {
    ENVIRONMENT: 'development',
    API_KEYS: keys.join(),
    SIGNING_SECRET: `chaos of the seed ${seed}`,
    WEBHOOK_SECRET: ALL_TENANTS.map((tenant) => `${tenant}:${secretOf(tenant)}`).join(),
    PUBLIC_URL: 'http://127.0.0.1:1',
    MODEL_PROVIDER: 'openai',
    OPENAI_BASE_URL: `${origin}/v1`,
    OPENAI_MODEL: 'chaos-model',
    MODEL_PRICES: JSON.stringify({ 'chaos-model': { input: String(PRICE.input), output: String(PRICE.output) } }),
    SEARCH_PROVIDER: 'searxng',
    SEARCH_BASE_URL: origin,
    RATE_LIMIT_PER_MINUTE: '999999999',
    MAX_OPEN_TASKS: String(LIMITS.open),
    MAX_DRIVEN_TASKS: String(LIMITS.driven),
    TENANT_SHARDS: `${SHARDED}:${SHARDS}`,
    TENANT_DAILY_TOKENS: String(daily_tokens),
  }
}

/** Clients, workers and others that work during the kills; at the end they bring their open requests to an answer. */
async function storm(
  clients: Client[],
  workers: Worker[],
  others: (over: () => boolean) => Promise<void>[],
  wanted: number,
  field: Field,
): Promise<Kills> {
  let over = false
  const isOver = () => over
  const working = [
    ...clients.map((client) => work(client, isOver)),
    ...workers.map((worker) => serve(worker, isOver)),
    ...others(isOver),
  ]
  const killing = killTimes(wanted, field).finally(() => (over = true))
  const [kills] = await Promise.all([killing, ...working])
  return kills
}

/** Repeats the requests without an answer, and then brings each task to its end. */
async function settle(bench: Bench, clients: Client[], workers: Worker[], planner: Client): Promise<void> {
  const { acks } = bench
  for (const [asked, answered] of acks.asked) if (makesTask(asked) && answered === null) await ask(bench, asked, false)
  await checkIndex(bench)
  await rest(planner)
  const [worker] = workers
  if (worker === undefined) return
  await inParallel([...acks.tasks.values()], clients, (client, known) => drive(client, worker, known))
}

function modesOf(stories: Map<string, Story>) {
  return MODE_NAMES.map((mode) => {
    const all = [...stories.values()].filter(({ view }) => view.mode === mode)
    const rows = all.flatMap(({ own }) => own)
    const ended = (status: string) => all.filter(({ view }) => view.status === status).length
    const of = (holds: (story: Story) => boolean) => all.filter(holds).length
    return {
      mode,
      tasks: all.length,
      background: of(({ view }) => view.drive === 'background'),
      forks: of(({ known }) => known.from !== null),
      completed: ended('completed'),
      failed: ended('failed'),
      canceled: ended('canceled'),
      paused_for_today: ended('paused'),
      rows: rows.length,
      model_calls: rows.filter(({ kind }) => kind === 'call_model').length,
      tool_calls: rows.filter(({ kind }) => kind === 'run_tool').length,
      lost: rows.filter(({ outcome }) => outcome === 'orphaned' || outcome === 'outcome_unknown').length,
    }
  })
}

function figuresOf(bench: Bench, stories: Map<string, Story>, { model, receiver }: World, kills: Kills) {
  const rows = [...stories.values()].flatMap(({ own }) => own)
  return {
    kills: kills.count,
    tasks: stories.size,
    deleted: bench.acks.tasks.size - stories.size,
    steps: rows.filter((row) => row.counted).length,
    effects: rows.filter((row) => row.phase !== null).length,
    model_calls: [...model.calls.values()].flat().length,
    messages: receiver.told.size,
    requests: bench.requests,
    retries: bench.retries,
    violations: bench.tally.violations.length,
    restart_ms: spread(kills.restart_ms),
    first_effect_ms: spread(kills.first_effect_ms),
  }
}

function spread(values: number[]): { median: number | null; p95: number | null } {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
    return value === undefined ? null : Math.round(value)
  }
  return { median: at(0.5), p95: at(0.95) }
}
