/** One run: load, kills, calm, and then the laws over everything that was acknowledged, written and done. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { CommandResult } from '../../src/core/commands/result.ts'
import { randomOf } from '../sim/random.ts'
import { apiKeyOf, type Bench } from './ask.ts'
import { checkIndex, drive } from './calm.ts'
import { CLIENTS, newClient, TENANTS, work, type Client } from './clients.ts'
import { killTimes, type Field, type Kills } from './kills.ts'
import { newAcks } from './known.ts'
import { checkEffects, checkNothingElse, PRICE } from './laws-effects.ts'
import { checkJournal } from './laws-journal.ts'
import { checkResumes, checkTotals, checkWords, replayAll } from './laws-words.ts'
import { startModel, type Model } from './model.ts'
import { openService } from './service.ts'
import { storyOf, type Story } from './story.ts'
import { newTally, type Tally } from './tally.ts'
import { storageOf, writeConfig } from '../support/workerd.ts'

export interface Wanted {
  kills: number
  seed: number
  /** Where the modules and their manifest lie. */
  bundle: string
  /** From variables to text bindings, as `npm start` does it. */
  bindingsOf: (env: Record<string, string>) => Record<string, string>
}

export async function chaos({ kills: wanted, seed, bundle, bindingsOf }: Wanted) {
  const started_ms = performance.now()
  const tally = newTally()
  const model = await startModel(seed, tally)
  const place = mkdtempSync(join(tmpdir(), 'loop-agent-chaos-'))
  const remove = () => rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  process.once('exit', remove)
  const daily_tokens = 2_000_000 + wanted * 120_000
  const bindings = bindingsOf(environment(model, seed, daily_tokens))
  const service = openService(writeConfig(place, { directory: bundle, bindings }))
  const bench: Bench = { service, acks: newAcks(tally), tally, requests: 0, retries: 0 }
  try {
    const clients = Array.from({ length: CLIENTS }, (_, index) => newClient(bench, randomOf(seed * 31 + index), index))
    const field = { service, model, tally, random: randomOf(seed), workspaces: storageOf(place, 'WorkspaceObject') }
    const kills = await storm(clients, wanted, field)
    model.calm()
    await checkIndex(bench)
    await inParallel([...bench.acks.tasks.values()], clients, drive)
    const stories = await judge(bench, model, clients, daily_tokens)
    const seconds = Number(((performance.now() - started_ms) / 1000).toFixed(1))
    return {
      tally,
      stories,
      printed: service.printed(),
      figures: figuresOf(bench, stories, model, kills, seconds, seed),
    }
  } finally {
    await service.stop()
    await model.close()
    remove()
  }
}

function environment(model: Model, seed: number, daily_tokens: number): Record<string, string> {
  return {
    ENVIRONMENT: 'production',
    API_KEYS: TENANTS.map((tenant) => `${tenant}:${apiKeyOf(tenant)}`).join(),
    SIGNING_SECRET: `chaos of the seed ${seed}`,
    MODEL_PROVIDER: 'openai',
    OPENAI_BASE_URL: `${model.origin}/v1`,
    OPENAI_MODEL: 'chaos-model',
    MODEL_PRICES: JSON.stringify({ 'chaos-model': { input: String(PRICE.input), output: String(PRICE.output) } }),
    SEARCH_PROVIDER: 'searxng',
    SEARCH_BASE_URL: model.origin,
    RATE_LIMIT_PER_MINUTE: '999999999',
    TENANT_DAILY_TOKENS: String(daily_tokens),
  }
}

/** Clients at work while the process is killed; what they have under way at the end they still bring to an answer. */
async function storm(clients: Client[], wanted: number, field: Field): Promise<Kills> {
  let over = false
  const working = clients.map((client) => work(client, () => over))
  const killing = killTimes(wanted, field).finally(() => (over = true))
  const [kills] = await Promise.all([killing, ...working])
  return kills
}

async function inParallel<T>(all: T[], clients: Client[], act: (client: Client, one: T) => Promise<void>) {
  const waiting = [...all]
  const worker = async (client: Client) => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await act(client, one)
  }
  await Promise.all(clients.map(worker))
}

async function judge(bench: Bench, model: Model, clients: Client[], daily_tokens: number) {
  const { acks, tally } = bench
  tally.seen('replayed key', await replayAll(bench, CLIENTS))
  const stories = new Map<string, Story>()
  await inParallel([...acks.tasks.values()], clients, async (_, known) => {
    stories.set(known.id, await storyOf(bench, known))
  })
  const todos = await todosOf(bench)
  for (const story of stories.values()) {
    checkJournal(tally, story)
    checkEffects(tally, story, model, todos)
    countKinds(tally, story)
  }
  checkNothingElse(tally, stories, model, todos)
  checkWords(bench, stories, todos)
  checkResumes(bench, stories)
  checkTotals(tally, stories.values(), daily_tokens)
  return stories
}

/** How often each text stands in the workspaces. */
async function todosOf(bench: Bench): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const tenant of TENANTS) {
    const headers = { authorization: `Bearer ${apiKeyOf(tenant)}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ command: '/todo list' })
    const reply = await bench.service.send({ method: 'POST', path: '/commands', headers, body })
    const { rows, data } = CommandResult.parse(JSON.parse(reply?.text ?? 'null'))
    bench.tally.demand(
      data['more'] === undefined,
      'all todos are listed',
      () => `${tenant}: ${String(data['more'])} more`,
    )
    for (const { content } of rows) counts.set(String(content), (counts.get(String(content)) ?? 0) + 1)
  }
  return counts
}

/** What the journals show of the *sometimes*-counters. */
function countKinds(tally: Tally, { view, rows, events }: Story): void {
  for (const { kind, outcome, attempt, started_at, finished_at } of rows) {
    if (outcome === 'orphaned') tally.seen('orphaned call')
    if (outcome === 'abandoned') tally.seen('abandoned call')
    if (kind === 'run_tool' && attempt !== null && attempt > 1) tally.seen('resumed tool')
    if (kind === 'user_answered') tally.seen('question answered')
    if (kind === 'user_remarked') tally.seen('remark heard')
    if (kind === 'budget_added') tally.seen('top-up')
    const waited = (kind === 'user_remarked' || kind === 'budget_added') && started_at !== finished_at
    if (waited) tally.seen('queued behind a call')
  }
  if (events.some(({ type }) => type === 'budget_exhausted')) tally.seen('budget exhausted')
  if (view.stop_reason === 'budget_exhausted:tenant') tally.seen('daily total exhausted')
  if (view.status === 'canceled') tally.seen('canceled')
}

function figuresOf(
  bench: Bench,
  stories: Map<string, Story>,
  model: Model,
  kills: Kills,
  seconds: number,
  seed: number,
) {
  const rows = [...stories.values()].flatMap((story) => story.rows)
  return {
    kills: kills.count,
    tasks: stories.size,
    steps: rows.filter((row) => row.counted).length,
    effects: rows.filter((row) => row.phase !== null).length,
    model_calls: [...model.calls.values()].flat().length,
    requests: bench.requests,
    retries: bench.retries,
    violations: bench.tally.violations.length,
    restart_ms: spread(kills.restart_ms),
    first_effect_ms: spread(kills.first_effect_ms),
    seconds,
    seed,
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
