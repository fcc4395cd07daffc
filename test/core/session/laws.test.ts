/** Laws of every session: fold = head, exact prompts, bounded heads, dense events, whoever dies and whatever is said. Runs are drawn. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventsOf, refold } from '../../../src/core/replay/history.ts'
import { briefOf } from '../../../src/core/mode/mode.ts'
import { tokensOf } from '../../../src/core/modes/conversation/entry.ts'
import { entryOf } from '../../../src/core/modes/session/entries.ts'
import { SessionState } from '../../../src/core/modes/session/state.ts'
import { benchOf, calling, CALLER, cutReply, ONE, step, taken, type Bench, type Line } from '../../support/scripted.ts'
import { begin, rounds, rowsIn, steps, use } from './support.ts'

const LONG = 'x'.repeat(3_000)
const TURNS: Line[] = [
  use(steps('A', 'B', 'C')),
  use('[Done]'),
  use(`now the next thing\n${steps('D')}`),
  use(),
  calling('', ['todo', { command: '/todo add x' }], ['rocket', {}], ['internet_search', 'q']),
  calling(LONG, ['write_file', { name: 'a.md', content: LONG }]),
  'An answer.',
  '[完成]',
  'Which one?',
  '[Not done: no reason]',
  steps('E'),
  calling('', ['todo', '{"command":"/todo list",}'], ['ask_user', { question: 'Which one?' }], ['todo', '{"bro']),
  calling(steps('F'), ['ask_user', { question: 'When?', choices: ['now', 'later'] }]),
  '{"name":"todo","arguments":{"command":"/todo list"}}',
  cutReply('[Step] so lo'),
  '',
  new Error('down'),
]
const MOVES = ['step', 'steps', 'say', 'say', 'continue', 'ask', 'pause', 'resume', 'top up', 'lose', 'cancel'] as const
const Run = fc.record({
  turn: fc.array(fc.constantFrom(...TURNS), { minLength: 80, maxLength: 80 }),
  tools: fc.array(fc.record({ ok: fc.boolean(), text: fc.constantFrom('fine', LONG, '[Done]') }), {
    minLength: 200,
    maxLength: 200,
  }),
  settings: fc.record({
    max_iterations: fc.integer({ min: 1, max: 6 }),
    failure_limit: fc.integer({ min: 1, max: 4 }),
    transcript_token_limit: fc.constantFrom(1_000, 3_000, 32_000),
    tool_boundary_hint: fc.boolean(),
    fallback_by_step_size: fc.boolean(),
  }),
  moves: fc.array(fc.constantFrom(...MOVES), { minLength: 5, maxLength: 25 }),
})
type Drawn = typeof Run extends fc.Arbitrary<infer R> ? R : never

/** A worker begins what is next and is never heard of again. */
async function lose(bench: Bench, id: string): Promise<void> {
  const more = 'new_round' as const
  const ticket = { slice: bench.ports.random_id(), boot: 'boot', more, wall_ms: bench.clock.now, rounds: 9, key: null }
  await bench.store.of(CALLER.tenant, id).begin(ticket)
  bench.clock.now += 120_000
}

async function move(bench: Bench, id: string, what: (typeof MOVES)[number], odd: boolean): Promise<void> {
  const { service } = bench
  const said = (text: string) => service.inputTask(CALLER, id, text, null, odd ? { ...ONE, rounds: 0 } : ONE)
  if (what === 'step') await step(bench, id)
  if (what === 'steps') await step(bench, id, rounds(4))
  if (what === 'say') await said('by the way')
  if (what === 'ask') await said(`what about ${LONG}?`)
  if (what === 'continue') await said('continue')
  if (what === 'pause') await service.tellTask(CALLER, id, { kind: 'pause' })
  if (what === 'resume') await service.tellTask(CALLER, id, { kind: 'resume' })
  if (what === 'top up') await service.tellTask(CALLER, id, { kind: 'top_up', add: { iterations: 2 } })
  if (what === 'lose') await lose(bench, id)
  if (what === 'cancel' && odd) await service.tellTask(CALLER, id, { kind: 'cancel' })
}

const seen = {
  input_required: 0,
  continued: 0,
  told: 0,
  paused: 0,
  completed: 0,
  failed: 0,
  asides: 0,
  compacted: 0,
  reopened: 0,
}
async function play(run: Drawn) {
  const bench = benchOf({ turn: run.turn, tools: run.tools })
  const { id } = await begin(bench, run.settings)
  for (const [index, what] of run.moves.entries()) {
    const before = taken(await bench.service.getTask(CALLER, id))
    await move(bench, id, what, (run.moves.length + index) % 5 === 0)
    const task = taken(await bench.service.getTask(CALLER, id))
    if (
      task.status === 'input_required' ||
      task.status === 'paused' ||
      task.status === 'completed' ||
      task.status === 'failed'
    )
      seen[task.status] += 1
    if (before.status === 'completed' && task.status !== 'completed') seen.reopened += 1
    expect(task.step_count).toBe(task.budget.used)
    expect(task.budget.used).toBeLessThanOrEqual(task.budget.max)
    expect(task.plan.cursor).toBeLessThanOrEqual(task.plan.items.length)
    expect(task.counters.iterations).toBe(task.counters.model_calls)
  }
  return { bench, id, rows: rowsIn(bench, id) }
}
const closedRows = (rows: ReturnType<typeof rowsIn>) =>
  Array.from({ length: rows.last()?.seq ?? 0 }, (_, index) => {
    const row = rows.closed(index + 1)
    if (row === null) throw new Error(`row ${index + 1} is missing`)
    return { row, before: rows.closed(index)?.head ?? null }
  })

describe('laws of a session', () => {
  it('S4-25 folding the journal gives every head; steps are the counted rows; heads stay within 16 KB', async () => {
    await fc.assert(
      fc.asyncProperty(Run, async (run) => {
        const { rows } = await play(run)
        let counted = 0
        for (const { row, before } of closedRows(rows)) {
          const folded = refold(row, before, rows.recall)
          expect(folded.head).toEqual(row.head)
          if (folded.counted) counted += 1
          expect(row.head.budget.steps.used).toBe(counted)
          const state = SessionState.parse(row.head.state)
          expect(JSON.stringify(row.head).length).toBeLessThan(16_384)
          if (state.phase === 'aside') seen.asides += 1
          if (state.left_out.turns > 0) seen.compacted += 1
          if (state.answering !== null) seen.continued += 1
          if (state.told > 0) seen.told += 1
        }
      }),
      { numRuns: 150 },
    )
    // Each of them has happened, or the runs prove nothing.
    expect(Object.entries(seen).filter(([, times]) => times < 5)).toEqual([])
  })

  it('S4-18 every prompt is rebuilt exactly, every call answered behind its reply, events are dense', async () => {
    await fc.assert(
      fc.asyncProperty(Run, async (run) => {
        const { bench, id, rows } = await play(run)
        const page = await bench.service.listJournal(CALLER, id, { after: 0, limit: 100 })
        if (!page.ok) throw new Error('no journal')
        expect(page.value.data.filter(({ request_exact }) => request_exact === false)).toEqual([])
        for (const { messages } of bench.requests) {
          let open: string[] = []
          for (const message of messages) {
            if (message.role === 'tool') expect(message.tool_call_id).toBe(open.shift())
            else expect(open).toEqual([])
            if (message.role === 'assistant') open = (message.tool_calls ?? []).map((call) => call.id)
          }
          expect(open).toEqual([])
        }
        const all = closedRows(rows).flatMap(({ row, before }) => eventsOf(row, before, rows.recall))
        expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1))
      }),
      { numRuns: 80 },
    )
  })

  it('the estimate of the window is the sum of its messages, and within its bound where anything can be left out', async () => {
    await fc.assert(
      fc.asyncProperty(Run, async (run) => {
        const { rows } = await play(run)
        const reading = { recall: rows.recall, brief: briefOf(rows.recall) }
        for (const { row } of closedRows(rows)) {
          const { window, phase } = SessionState.parse(row.head.state)
          let tokens = 0
          for (let at = window.first; at <= window.last; at++) {
            const entry = entryOf(at, reading)
            tokens += entry === null ? 0 : tokensOf(entry)
          }
          expect(window.tokens).toBe(tokens)
          const beyond = tokens > run.settings.transcript_token_limit && phase === 'turning'
          // Then nothing is left of it but the latest reply and what came behind.
          if (beyond && window.reply !== null) expect(window.first).toBe(window.reply)
        }
      }),
      { numRuns: 60 },
    )
  })
})
