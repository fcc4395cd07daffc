/** Collectors that are away, hostile or choosy, and texts that no database takes. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { exportTask } from '../../src/shell/exports/export-task.ts'
import type { SentSpan } from '../../src/shell/exports/otlp-spans.ts'
import { sendSpans } from '../../src/shell/exports/send-spans.ts'
import { telemetryBench, type TelemetryBench } from '../support/otlp/telemetry.ts'
import { act, ALL, CALLER, closed, createTask, done, journalOf, NONE, planned, step } from '../support/scripted.ts'
import { keptTelemetry } from '../support/telemetry.ts'

const SCRIPT = { plan: [planned('A')], thought: [act(), done()], replan: [closed()] }

afterEach(() => void vi.useRealTimers())

it.each([
  ['answers 500', () => new Response('no', { status: 500 })],
  [
    'redirects to a private address',
    () => new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/' } }),
  ],
  ['refuses the key', () => new Response(null, { status: 401 })],
  ['is not there', () => Promise.reject(new Error('refused'))],
] as const)(
  'OTEL-04 a collector that %s slows and fails no task, and gets every span later, once',
  async (_, answer) => {
    const bench = telemetryBench(SCRIPT)
    bench.answering.with = answer
    const task = await createTask(bench, {}, ALL)
    expect(task.status).toBe('completed')
    await bench.export(task.id)
    expect(bench.collector.spans.size).toBe(0)
    // One request, not twenty: it waits for its next try.
    expect(bench.sent).toHaveLength(1)
    bench.answering.with = () => undefined
    bench.clock.now += 3_600_000
    await bench.export(task.id)
    expect(bench.collector.problems).toEqual([])
    expect(bench.collector.spans.size).toBeGreaterThan(5)
    expect(bench.collector.arrivals).toBe(bench.collector.spans.size)
  },
)

it('OTEL-04 after a day the spans of a collector that is away are given up', async () => {
  const bench = telemetryBench(SCRIPT)
  bench.answering.with = () => new Response(null, { status: 503 })
  const { id } = await createTask(bench, {}, ALL)
  await bench.export(id)
  bench.clock.now += 25 * 3_600_000
  bench.answering.with = () => undefined
  await bench.export(id)
  expect(bench.collector.spans.size).toBe(0)
})

it('OTEL-05 a span that is sent twice, because a job died before its cursor was stored, is the same span', async () => {
  const bench = telemetryBench(SCRIPT)
  const { id } = await createTask(bench, {}, ALL)
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  const before = rows?.exported()
  await bench.export(id)
  const spans = bench.collector.spans.size
  if (before !== undefined) rows?.saveExported(before)
  await bench.export(id)
  expect(bench.collector.arrivals).toBe(2 * spans)
  expect(bench.collector.spans.size).toBe(spans)
  expect(bench.collector.problems).toEqual([])
})

it('OTEL-07 prompts and results are sent only where they are asked for, and lone surrogates and NUL reach no collector', async () => {
  const goal = 'buy \uD800 milk \0 now'
  const plain = telemetryBench(SCRIPT)
  const { id } = await createTask(plain, {}, ALL, { goal })
  await plain.export(id)
  expect(JSON.stringify([...plain.collector.spans.values()].map(({ attributes }) => attributes))).not.toContain('milk')
  const full = telemetryBench(SCRIPT, { capture_content: true })
  const told = await createTask(full, {}, ALL, { goal })
  await full.export(told.id)
  expect(full.collector.problems).toEqual([])
  const prompts = [...full.collector.spans.values()].flatMap(
    ({ attributes }) => attributes['gen_ai.input.messages'] ?? [],
  )
  expect(prompts.join(' ')).toContain('milk')
})

const hanging = new Promise<Response>(() => {})

/** Until it is so, and what was begun has had its turn; no timer runs meanwhile. */
async function passed(is_so: () => boolean): Promise<void> {
  for (let after = 0; after < 50; after += is_so() ? 1 : 0) await new Promise((resolve) => setImmediate(resolve))
}

/** A tenant with a receiver of its own, beside the one of the service at the same address. */
async function withOwnReceiver(answer: (of: 'service' | 'tenant') => Promise<Response> | Response | undefined) {
  const bench = telemetryBench(SCRIPT)
  const endpoint = 'https://otlp.example.com/v1/traces'
  const receiver = { url: endpoint, headers: {}, protocol: 'http/protobuf', timeout_ms: 1_000 } as const
  bench.telemetry.receiver = receiver
  const asked = { service: 0, tenant: 0 }
  bench.answering.with = (_, init) => {
    const of = new Headers(init.headers).has('x-own') ? 'tenant' : 'service'
    asked[of] += 1
    return answer(of)
  }
  const own = { endpoint, protocol: 'http/protobuf', headers: { 'x-own': 'key' }, capture_content: false } as const
  await bench.service.putReceiver(CALLER, own)
  return { bench, asked }
}

it('OTEL-04 a tenant whose own receiver is away keeps no spans from the receiver of the service at the same address', async () => {
  const { bench, asked } = await withOwnReceiver((of) =>
    of === 'tenant' ? new Response(null, { status: 503 }) : undefined,
  )
  const one = await createTask(bench, {}, ALL)
  await bench.export(one.id)
  const other = await createTask(bench, {}, ALL)
  await bench.service.deleteTask(CALLER, other.id)
  expect(asked).toEqual({ service: 2, tenant: 1 })
  expect(bench.collector.spans.size).toBeGreaterThan(10)
})

it('OTEL-04 a tenant whose own receiver hangs has its spans sent to that of the service once, while its task goes on', async () => {
  const { bench, asked } = await withOwnReceiver((of) => (of === 'tenant' ? hanging : undefined))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { id } = await createTask(bench, {}, NONE)
  const cursors = () => bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))?.exported()
  const first = exportTask(bench.ports, CALLER.tenant, id)
  await passed(() => asked.service === 1 && asked.tenant === 1)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(cursors()).toMatchObject({ usage: 2, service: { seq: 2 }, tenant: { seq: 0, attempts: 0 } })
  await step(bench, id)
  bench.clock.now += 8_000
  const second = exportTask(bench.ports, CALLER.tenant, id)
  await passed(() => asked.service === 2)
  await vi.advanceTimersByTimeAsync(40_000)
  await Promise.all([first, second])
  // The second job has left the receiver alone that the first one was waiting for.
  expect(asked).toEqual({ service: 2, tenant: 1 })
  expect(bench.collector.problems).toEqual([])
  expect(bench.collector.arrivals).toBe(bench.collector.spans.size)
  expect(cursors()).toMatchObject({ service: { seq: 4 }, tenant: { seq: 0, attempts: 1 } })
})

it.each([401, 403, 404])(
  'OTEL-04 a receiver that answers %i is asked by each task, because it is not away',
  async (status) => {
    const { bench, asked } = await withOwnReceiver((of) =>
      of === 'tenant' ? new Response(null, { status }) : undefined,
    )
    for (const make of [1, 2]) {
      const { id } = await createTask(bench, {}, ALL)
      await exportTask(bench.ports, CALLER.tenant, id)
      expect(asked.tenant).toBe(make)
    }
  },
)

it('OTEL-04 a receiver that was away is tried by one of the tasks that wait for it, and by all when it has answered', async () => {
  const bench = telemetryBench({ plan: Array.from({ length: 10 }, () => planned('A')) })
  // So slow that all tasks ask before the first one has its answer.
  const slow = async (status: number) => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return new Response(null, { status })
  }
  bench.answering.with = () => slow(503)
  const ids: string[] = []
  for (let made = 0; made < 10; made++) ids.push((await createTask(bench, {}, NONE)).id)
  const exportAll = () => Promise.all(ids.map((id) => exportTask(bench.ports, CALLER.tenant, id)))
  bench.clock.now += 10_000
  for (const id of ids) await exportTask(bench.ports, CALLER.tenant, id)
  expect(bench.sent).toHaveLength(1)
  for (const tries of [2, 3]) {
    bench.clock.now += 3_600_000
    await exportAll()
    expect(bench.sent).toHaveLength(tries)
  }
  // It refuses the key, so it is not away any more.
  bench.answering.with = () => slow(401)
  bench.clock.now += 3_600_000
  await exportAll()
  expect(bench.sent).toHaveLength(4)
  bench.clock.now += 7_200_000
  await exportAll()
  expect(bench.sent).toHaveLength(4 + ids.length)
  bench.answering.with = () => undefined
  bench.clock.now += 7_200_000
  await exportAll()
  expect(bench.sent).toHaveLength(4 + 2 * ids.length)
  expect(bench.collector.arrivals).toBe(bench.collector.spans.size)
  expect(new Set([...bench.collector.spans.values()].map((span) => span.attributes['loop_agent.task.id']))).toEqual(
    new Set(ids),
  )
})

it.each(['that cannot be looked up', 'whose failure cannot be noted'])(
  'OTEL-04 a receiver of a tenant %s has the spans of the service sent and the usage counted once, and the job fails',
  async (which) => {
    const { bench, asked } = await withOwnReceiver((of) =>
      of === 'tenant' ? new Response(null, { status: 401 }) : undefined,
    )
    const { id } = await createTask(bench, {}, ALL)
    const { workspace } = bench.ports.store
    const away = () => Promise.reject(new Error('the workspace is away'))
    let counted = 0
    bench.ports.store.workspace = (tenant) => {
      const one = workspace(tenant)
      return new Proxy(one, {
        get(_, member) {
          if (member !== 'tell') return Reflect.get(one, member)
          return (command: Parameters<typeof one.tell>[0]) => {
            counted += command.kind === 'count_usage' ? 1 : 0
            return command.kind === 'note_receiver_failure' ? away() : one.tell(command)
          }
        },
      })
    }
    const { tenants } = bench.telemetry
    if (which === 'that cannot be looked up') bench.telemetry.tenants = { ...tenants, of: away }
    bench.clock.now += 10_000
    for (let jobs = 0; jobs < 4; jobs++)
      await expect(exportTask(bench.ports, CALLER.tenant, id)).rejects.toThrow('the workspace is away')
    expect([asked.service, counted]).toEqual([1, 1])
    expect(bench.collector.arrivals).toBe(bench.collector.spans.size)
    expect(bench.collector.spans.size).toBeGreaterThan(5)
  },
)

it('OTEL-04 a receiver that hangs for its whole long time-out is tried by one task at a time, and by that once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const bench = telemetryBench({ plan: Array.from({ length: 3 }, () => planned('A')) })
  bench.telemetry.receiver = { url: 'http://collector', headers: {}, protocol: 'http/protobuf', timeout_ms: 60_000 }
  bench.answering.with = () => new Response(null, { status: 503 })
  const ids: string[] = []
  for (let made = 0; made < 3; made++) ids.push((await createTask(bench, {}, NONE)).id)
  bench.clock.now += 10_000
  for (const id of ids) await exportTask(bench.ports, CALLER.tenant, id)
  expect(bench.sent).toHaveLength(1)
  bench.clock.now += 3_600_000
  bench.answering.with = () => hanging
  const [first = '', ...others] = ids
  const trying = [exportTask(bench.ports, CALLER.tenant, first)]
  await passed(() => bench.sent.length === 2)
  await vi.advanceTimersByTimeAsync(3_000)
  for (const id of [first, ...others]) {
    bench.clock.now += 50_000
    trying.push(exportTask(bench.ports, CALLER.tenant, id))
    await passed(() => true)
    await vi.advanceTimersByTimeAsync(3_000)
  }
  const { length: tries } = bench.sent
  await vi.advanceTimersByTimeAsync(400_000)
  await Promise.all(trying)
  expect(tries).toBe(2)
})

describe('OTEL-04 a fault in making spans', () => {
  it('stops no usage, no later export and no deletion', async () => {
    let is_broken = true
    const bench = telemetryBench(SCRIPT, {
      provider_of: () => {
        if (is_broken) throw new Error('no provider')
        return 'openai'
      },
    })
    const { id } = await createTask(bench, {}, ALL)
    await bench.export(id)
    const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
    expect(rows?.exported()).toMatchObject({ usage: rows?.last()?.seq, service: { attempts: 1 } })
    is_broken = false
    bench.clock.now += 3_600_000
    await bench.export(id)
    expect(bench.collector.spans.size).toBeGreaterThan(5)
    is_broken = true
    const other = await createTask(bench, {}, ALL)
    expect(await bench.service.deleteTask(CALLER, other.id)).toEqual({ ok: true, value: null })
  })

  it('that stops a whole export does not stop the deletion', async () => {
    const bench = telemetryBench(SCRIPT)
    const { id } = await createTask(bench, {}, ALL)
    bench.telemetry.tenants.of = () => Promise.reject(new Error('no workspace'))
    expect(await bench.service.deleteTask(CALLER, id)).toEqual({ ok: true, value: null })
  })

  it('drops only the few spans around the one that cannot be written', async () => {
    const bench = telemetryBench(SCRIPT)
    const span = {
      trace_id: 'ab'.repeat(16),
      parent: null,
      name: 's',
      kind: 'internal',
      error: null,
    } as const
    const spans: SentSpan[] = Array.from({ length: 100 }, (_, index) => ({
      ...span,
      span_id: String(index + 1).padStart(16, '0'),
      start_ms: 1,
      end_ms: 2,
      attributes: {},
      links: [],
      ...(index === 40 ? { name: null as unknown as string } : {}),
    }))
    const { telemetry } = bench
    const ports = { ...telemetry, reach: null, now_ms: () => 0 }
    const to = { url: 'http://collector/v1/traces', headers: {}, protocol: 'http/protobuf', timeout_ms: 1_000 } as const
    const outcome = await sendSpans(ports, to, spans)
    expect(outcome).toMatchObject({ kind: 'refused', detail: 'not sent: they cannot be written' })
    const refused = outcome.kind === 'refused' ? outcome.spans : 0
    expect(refused).toBeLessThanOrEqual(16)
    expect(bench.collector.arrivals).toBe(100 - refused)
  })
})

/** What the task of the script makes. */
const SPANS = 8

describe('OTEL-04 the log and the metrics say of a collector', () => {
  async function told(answer: () => Response) {
    const kept = keptTelemetry('warn')
    const bench = telemetryBench(SCRIPT, {}, { telemetry: kept.telemetry })
    bench.answering.with = answer
    const { id } = await createTask(bench, {}, ALL)
    kept.counts()
    await bench.export(id)
    return { bench, id, kept }
  }
  const series = ({ counts }: ReturnType<typeof keptTelemetry>) => counts()['spans'] ?? {}

  it('that is away, that spans wait: one line for a task, and a count for each try', async () => {
    const { bench, id, kept } = await told(() => new Response('goal', { status: 503, headers: { 'x-own': 'goal' } }))
    const line = { receiver: 'service', tenant: CALLER.tenant, task: id, spans: SPANS, reason: 'HTTP 503' }
    expect(kept.lines('spans_delayed')).toMatchObject([line])
    expect(series(kept)).toEqual({ '["service","failed"]': [SPANS] })
    bench.clock.now += 3_600_000
    await bench.export(id)
    expect(kept.lines('spans_delayed')).toHaveLength(1)
    expect(series(kept)).toEqual({ '["service","failed"]': [SPANS] })
    bench.answering.with = () => undefined
    bench.clock.now += 3_600_000
    await bench.export(id)
    expect(series(kept)).toEqual({ '["service","taken"]': [SPANS] })
    expect(kept.texts.join('\n')).not.toContain('goal')
  })

  it('that was away for a day, how many spans are lost, once', async () => {
    const { bench, id, kept } = await told(() => new Response(null, { status: 503 }))
    bench.clock.now += 25 * 3_600_000
    await bench.export(id)
    await bench.export(id)
    expect(kept.lines('spans_dropped')).toMatchObject([{ spans: SPANS, reason: 'older than a day' }])
    expect(series(kept)).toEqual({ '["service","failed"]': [SPANS], '["service","dropped"]': [SPANS] })
  })

  it('that refuses spans, that they are lost, and sends them no more', async () => {
    const { bench, id, kept } = await told(() => new Response(null, { status: 400 }))
    expect(kept.lines('spans_refused')).toMatchObject([{ spans: SPANS, reason: 'HTTP 400' }])
    expect(series(kept)).toEqual({ '["service","refused"]': [SPANS] })
    bench.answering.with = () => undefined
    bench.clock.now += 3_600_000
    await bench.export(id)
    expect(bench.collector.spans.size).toBe(0)
  })

  it.each([
    [3, 3],
    [9_007_199_254_740_991, SPANS],
  ])('that rejects %i spans of those that it has taken, that %i of them are lost', async (rejectedSpans, lost) => {
    const kept = keptTelemetry('warn')
    const receiver = { url: 'http://collector/', headers: {}, protocol: 'http/json', timeout_ms: 1_000 } as const
    const bench = telemetryBench(SCRIPT, { receiver }, { telemetry: kept.telemetry })
    const partialSuccess = { rejectedSpans: String(rejectedSpans), errorMessage: 'goal' }
    bench.answering.with = () => Response.json({ partialSuccess })
    const { id } = await createTask(bench, {}, ALL)
    kept.counts()
    await bench.export(id)
    expect(bench.sent).toHaveLength(1)
    expect(kept.lines('spans_rejected')).toMatchObject([{ spans: lost }])
    expect(kept.texts.join('\n')).not.toContain('goal')
    const taken: Record<string, number[]> = lost < SPANS ? { '["service","taken"]': [SPANS - lost] } : {}
    expect(series(kept)).toEqual({ '["service","rejected"]': [lost], ...taken })
  })
})

it('OTEL-06 a task of many rows is sent whole before its deletion, although its collector was away until now', async () => {
  const thought = Array.from({ length: 130 }, (_, n) => act(`/todo add n${n}`))
  const bench = telemetryBench({ ...SCRIPT, thought, numbered_results: true })
  bench.answering.with = () => new Response(null, { status: 503 })
  const { id } = await createTask(bench, { max_steps: 200 }, { rounds: 120, max_ms: 25_000 })
  await bench.export(id)
  const rows = await journalRows(bench, id)
  expect(rows.length).toBeGreaterThan(200)
  bench.answering.with = () => undefined
  bench.clock.now += 3_600_000
  await bench.service.deleteTask(CALLER, id)
  expect(bench.collector.problems).toEqual([])
  const sent = [...bench.collector.spans.values()].flatMap(({ attributes, name }) =>
    name === 'plan' ? [] : (attributes['loop_agent.row'] ?? []),
  )
  expect(sent.toSorted((one, other) => Number(one) - Number(other))).toEqual(rows)
})

/** The rows of the effects of a task. */
async function journalRows(bench: TelemetryBench, id: string): Promise<number[]> {
  const first = await journalOf(bench, id)
  const rest = await bench.service.listJournal(CALLER, id, { after: 100, limit: 100 })
  const more = await bench.service.listJournal(CALLER, id, { after: 200, limit: 100 })
  if (!rest.ok || !more.ok) throw new Error('no journal')
  return [...first, ...rest.value.data, ...more.value.data]
    .filter(({ kind }) => kind === 'call_model' || kind === 'run_tool')
    .map(({ seq }) => seq)
}
