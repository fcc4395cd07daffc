/** The laws of laws.test.ts for every mode there is, by its line in the registry: a random model says what its contracts allow, and worse. */
import { describe, expect, it } from 'vitest'
import { checkPlan } from '../sim/check-plan.ts'
import { openFileRequest } from '../../src/core/engine/awaiting.ts'
import { eventsOf, refold } from '../../src/core/replay/history.ts'
import { QUEUED_SLICE } from '../../src/core/protocol/journal.ts'
import { limitsOf } from '../../src/core/engine/limits.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES, type ModeName } from '../../src/core/terms/mode-names.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { chatBody } from '../../src/models/wires/chat/request.ts'
import { FIRST_DIALECT, type Dialect } from '../../src/models/wires/wire.ts'
import { fits } from '../../src/store/fits.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import type { Model, ModelRequest } from '../../src/shell/ports.ts'
import { randomOf, type Random } from '../sim/random.ts'
import { EQUAL, forkOf, replayOf } from '../support/forks.ts'
import { randomReply } from '../support/random-reply.ts'
import { readingFile, readsFiles } from '../support/reading-file.ts'
import { isWorkerMove, WORKER_MOVES, workerMove, type WorkerMove } from '../support/random-worker.ts'
import { ALL, benchOf, CALLER, createTask, journalOf, ONE, say, step, taken, type Bench } from '../support/scripted.ts'

const NOISE = ['', 'prose', '```json\n{}\n```', '[]', '{"status":"done"', 'null']
const SEEDS = 70
const MOVES = [
  'step',
  'step',
  'steps',
  'steps',
  'say',
  'continue',
  'slash',
  'pause',
  'resume',
  'lose',
  'cancel',
  'edit',
  'yes',
  'yes',
  'no',
  'change',
] as const
const FILE_MOVES = ['put', 'put', 'put'] as const
type Move = (typeof MOVES)[number] | (typeof FILE_MOVES)[number] | WorkerMove
/** Where commands are handed out, those of workers outside too, and where files are waited for, uploads. */
const movesOf = (mode: ModeName): readonly Move[] => [
  ...MOVES,
  ...(modeOf(mode).awaitedCommandRow === undefined ? [] : WORKER_MOVES),
  ...(modeOf(mode).fileRequest === undefined ? [] : FILE_MOVES),
]

/** The files that replies name. The client has named all but one. */
const NAMES = ['a.txt', 'file0.txt', 'sales.csv', 'made-up.md']
const GOAL = 'make something of a.txt, file0.txt, file1.txt, file2.txt and sales.csv'

/** The code of a call that has failed may say that its file is missing. */
const codeOf = (ok: boolean, random: Random) =>
  ok ? {} : { code: random.pick(['failed', 'not_found', 'dataset_missing']) }

/** Puts the file that a task waits for, or another one. */
async function putFile({ service }: Bench, id: string, random: Random): Promise<void> {
  const { pending } = taken(await service.getTask(CALLER, id))
  const awaited = pending?.kind === 'file' && random.chance(0.8) ? (pending.name ?? 'sales.csv') : null
  const name = awaited ?? random.pick(['a.txt', 'file0.txt', 'sales.csv', 'other.md'])
  await service.putFile(CALLER, id, { name, body: bodyStream('a,b\n'), length: null, bytes_max: 99 })
}

/** Fails and breaks contracts now and then. */
function randomModel(random: Random, requests: ModelRequest[]): Model {
  let serial = 0
  return {
    complete(request) {
      serial += 1
      requests.push(request)
      if (random.chance(0.06))
        return Promise.resolve({ kind: 'model_failed', reason: 'down', status: 503, retry_after_ms: null })
      const drawn = random.chance(0.1) ? { text: random.pick(NOISE) } : randomReply(request, random, serial)
      const said = readsFiles(request) && random.chance(0.6) ? readingFile(drawn, random.pick(NAMES)) : drawn
      const usage = { input_tokens: 10, output_tokens: 5 }
      return Promise.resolve({ kind: 'model_replied', ...said, usage, model: 'random', form: request.form })
    },
  }
}

const settingsOf = (random: Random): Partial<Settings> => ({
  max_steps: random.between(1, 12),
  max_iterations: random.between(1, 8),
  failure_limit: random.between(1, 4),
  max_actions_per_step: random.between(1, 5),
  max_adjustments: random.between(0, 3),
  merged_calls: random.chance(0.3),
  calls: random.pick(['exact', 'few']),
  agent_mode: random.pick(['autonomous', 'staged']),
  transcript_token_limit: 1_000,
  auto_continue: random.chance(0.1),
  observation_history_limit: random.pick([2, 100]),
  approve: random.pick(['none', 'none', 'plan', 'actions']),
  report_timeout_s: random.pick([60, 600]),
  max_retries_per_step: random.between(0, 3),
  max_replans: random.between(0, 2),
  max_clarifications: random.between(0, 6),
  command_budget: random.pick([null, { tokens: 500, cost_usd: '0.01', seconds: 30 }]),
})

/** A worker begins what is next and is never heard of again. */
async function lose(bench: Bench, id: string): Promise<void> {
  const slice = bench.ports.random_id()
  const ticket = { slice, boot: 'boot', more: 'new_round' as const, wall_ms: bench.clock.now, rounds: 9, key: null }
  await bench.store.of(CALLER.tenant, id).begin(ticket)
  bench.clock.now += 120_000
}

/** The last item first, another one behind it, now and then some or all of them left out; from a version that may be an old one. */
async function edit({ service }: Bench, id: string, random: Random): Promise<void> {
  const { plan } = taken(await service.getTask(CALLER, id))
  const open = plan.items.filter(({ status }) => status === 'pending' || status === 'running')
  const kept = open.filter(() => random.chance(0.7)).map((item) => ({ id: item.id, title: item.title }))
  const items = [...kept.toReversed(), { title: 'B', description: 'by hand' }].slice(random.chance(0.05) ? 99 : 0, 100)
  await service.editPlan(CALLER, id, items, null)
}

const WORDS: Partial<Record<(typeof MOVES)[number], string>> = {
  say: 'by the way',
  continue: 'continue',
  yes: 'yes',
  no: 'no',
  change: 'rather something else',
}

/** Every third task has one. */
const OUTPUT_SCHEMA = {
  type: 'object',
  properties: { answer: { type: 'string', minLength: 3 }, sure: { type: 'boolean' } },
  required: ['answer'],
}

async function play(mode: ModeName, seed: number) {
  const random = randomOf(seed)
  const requests: ModelRequest[] = []
  const codes = randomOf(seed + SEEDS)
  // A second stream of draws leaves the other moves of a seed as they were.
  const aside = randomOf(seed + 1_000_003)
  const results = Array.from({ length: 500 }, () => random.chance(0.7))
  const tools = results.map((ok) => ({ ok, ...codeOf(ok, codes) }))
  const bench = benchOf({ tools }, { model: randomModel(random, requests) })
  const settings = Settings.parse({ ...modeOf(mode).presets, ...settingsOf(random) })
  const shape = seed % 3 === 0 ? { output_schema: OUTPUT_SCHEMA } : {}
  const { id } = await createTask(bench, settings, ONE, { mode, goal: GOAL, ...shape })
  const once = limitsOf(mode, settings).max_steps
  const worker = { bench, random, sent: new Map(), serial: 0 }
  let waiting = false
  for (let move = random.between(5, 25); move > 0; move--) {
    const next: Move = waiting && random.chance(0.5) ? 'put' : random.pick(movesOf(mode))
    if (next === 'step') await step(bench, id)
    if (next === 'steps') await step(bench, id, { rounds: 4, max_ms: 25_000 })
    if (next === 'slash') await say(bench, id, '/todo list')
    const word = isWorkerMove(next) || next === 'put' ? undefined : WORDS[next]
    if (word !== undefined) await bench.service.inputTask(CALLER, id, word, null, ONE)
    if (isWorkerMove(next)) await workerMove(worker, id, next)
    if (next === 'edit') await edit(bench, id, random)
    if (aside.chance(0.05)) await bench.service.changeTask(CALLER, id, { title: `title ${move}` }, null)
    if (next === 'put') await putFile(bench, id, random)
    if (next === 'pause') await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    if (next === 'resume') await bench.service.tellTask(CALLER, id, { kind: 'resume' })
    if (next === 'lose') await lose(bench, id)
    if (next === 'cancel' && random.chance(0.1)) await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
    const task = taken(await bench.service.getTask(CALLER, id))
    waiting = task.pending?.kind === 'file'
    expect(task).toMatchObject({ mode, budget: { unit: modeOf(mode).counter.unit, used: task.step_count } })
    expect(task.step_count).toBeLessThanOrEqual(task.budget.max + 1)
    if (task.output_schema !== undefined && task.status === 'completed')
      expect(fits(OUTPUT_SCHEMA, task.result?.data)).toBeNull()
    expect(task.budget.max).toBeGreaterThanOrEqual(once)
    expect(task.plan.cursor).toBeLessThanOrEqual(task.plan.items.length)
    expect(new Set(task.plan.items.map((item) => item.id)).size).toBe(task.plan.items.length)
  }
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  if (rows === undefined) throw new Error('the task has no rows')
  const closed = Array.from({ length: rows.last()?.seq ?? 0 }, (_, index) => rows.closed(index + 1))
  return { bench, requests, rows, closed: closed.filter((row) => row !== null), id }
}

const AT = { endpoint: { name: 'default' }, model: 'scripted' }
const dialectOf = ({ form }: ModelRequest) => ({ ...FIRST_DIALECT, wire: 'chat' as const, form })
/** Whatever an endpoint may want besides. */
const WANTED = {
  cap: 'max_completion_tokens',
  blank_reasoning: true,
  thinking: false,
  strict: false,
  ordered: true,
} as const
/** A request as it goes over the wire, in the longest form. */
const bytesOf = (request: ModelRequest) => Math.max(...[{}, WANTED].map((wanted) => bytesAs(request, wanted)))
function bytesAs(request: ModelRequest, wanted: Partial<Dialect>): number {
  const asked = { ...request, reasoning_effort: 'minimal' as const, one_call: true }
  const dialect = { ...dialectOf(request), ...wanted }
  return new TextEncoder().encode(JSON.stringify(chatBody({ request: asked, ...AT, dialect }))).length
}
const inputOf = (rows: SimulatedRows, seq: number) =>
  rows.closed(seq)?.reserved?.input_tokens ?? rows.pending()?.reserved.input_tokens ?? 0
type SimulatedRows = Awaited<ReturnType<typeof play>>['rows']

const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1)

it('F70 workers were heard, were not, came while their command was handed out, and after its task had ended', async () => {
  const seen = new Set<string>()
  for (const seed of seeds) {
    const { closed, rows } = await play('orchestrator', seed)
    for (const { event, seq, slice } of closed) {
      if (event.kind !== 'report_arrived' && event.kind !== 'report_expired') continue
      const before = rows.closed(seq - 1)?.head
      seen.add(event.kind)
      if (slice === QUEUED_SLICE) seen.add('queued')
      if (before?.pause_reason !== null) seen.add('paused')
      if (before?.end !== null) seen.add('ended')
    }
  }
  expect([...seen].toSorted()).toEqual(['ended', 'paused', 'queued', 'report_arrived', 'report_expired'])
})

it.each(MODE_NAMES.filter((mode) => modeOf(mode).fileRequest !== undefined))(
  'F70 U36 tasks of mode %s waited for a file that came, and went on without one',
  async (mode) => {
    const seen = new Set<string>()
    for (const seed of seeds) {
      const { closed, rows } = await play(mode, seed)
      for (const { event, seq, head } of closed) {
        const before = rows.closed(seq - 1)?.head
        if (before === undefined || openFileRequest(before, rows) === null) continue
        if (openFileRequest(head, rows) === null) seen.add(event.kind)
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(['file_arrived', 'user_answered']))
  },
)

describe.each(MODE_NAMES)('mode %s', (mode) => {
  it('folding the journal gives the head of every row, which stays within 16 KB; used is the number of counted rows', async () => {
    for (const seed of seeds) {
      const { rows, closed } = await play(mode, seed)
      let counted = 0
      for (const row of closed) {
        const folded = refold(row, rows.closed(row.seq - 1)?.head ?? null, rows.recall)
        expect(folded.head, `seed ${seed} row ${row.seq}`).toEqual(row.head)
        checkPlan(rows.closed(row.seq - 1)?.head ?? null, row.head, row.seq, rows.recall)
        counted += folded.counted ? 1 : 0
        expect(row.head.budget.steps.used).toBe(counted)
        expect(JSON.stringify(row.head).length).toBeLessThan(16_384)
        expect(modeOf(mode).state.parse(row.head.state), `seed ${seed} row ${row.seq}`).toEqual(row.head.state)
      }
    }
  })

  it('event ids are dense from 1, every prompt in the journal is rebuilt as it was sent, and D5 no longer than was reserved', async () => {
    for (const seed of seeds) {
      const { bench, closed, rows, requests, id } = await play(mode, seed)
      const events = closed.flatMap((row) => eventsOf(row, rows.closed(row.seq - 1)?.head ?? null, rows.recall))
      expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
      const page = await bench.service.listJournal(CALLER, id, { after: 0, limit: 100 })
      if (!page.ok) throw new Error('no journal')
      const asked = page.value.data.filter((row) => row.kind === 'call_model')
      expect(asked.filter((row) => row.request_exact !== true)).toEqual([])
      const sent = new Map(requests.map((request) => [request.metadata.seq, request.messages]))
      for (const request of requests) expect(bytesOf(request)).toBeLessThanOrEqual(inputOf(rows, request.metadata.seq))
      for (const row of asked) if (sent.has(row.seq)) expect(row.request).toMatchObject({ messages: sent.get(row.seq) })
    }
  })

  it('S3-17 a replay is equal at each row, and so is one of a fork at any of them', async () => {
    for (const seed of seeds.slice(0, 60)) {
      const { bench, closed, id } = await play(mode, seed)
      expect(await replayOf(bench, id), `seed ${seed}`).toEqual(EQUAL(closed.length))
      const at = closed[seed % closed.length]?.seq ?? 1
      const fork = await forkOf(bench, id, { at })
      expect(await replayOf(bench, fork.id), `seed ${seed} at ${at}`).toEqual(EQUAL(fork.version))
      // A fork begins with the files of its parent, so it may not wait for one of them.
      const { kind = '' } = (await journalOf(bench, fork.id))[at] ?? {}
      expect([fork.version, kind]).toEqual(kind === 'file_arrived' ? [at + 1, kind] : [at, ''])
    }
  })

  it('a canceled task stays as it is', async () => {
    for (const seed of seeds.slice(0, 30)) {
      const { bench, id } = await play(mode, seed)
      await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
      const before = taken(await bench.service.getTask(CALLER, id))
      if (before.status !== 'canceled') continue
      const after = await step(bench, id, ALL)
      expect(before).toEqual({ ...after, slice: null })
      expect(after.slice).toEqual({ advanced: false, rounds: 0, events: [] })
    }
  })
})
