/** The head of an orchestrated task stays below 16 KB (U24), whatever happens and however long: by the bounds of its state, and by a task that meets them. */
import { describe, expect, it } from 'vitest'
import { Head } from '../../../src/core/terms/head.ts'
import { ITEMS_MAX } from '../../../src/core/modes/orchestrator/contract.ts'
import {
  ASKS_MAX,
  ENDED_MAX,
  LOG_MAX,
  PITFALLS_MAX,
  REPORTS_MAX,
  startState,
  OrchestratorState,
} from '../../../src/core/modes/orchestrator/state.ts'
import { FINISHED_MAX } from '../../../src/core/modes/plan/plan.ts'
import { REMARKS_MAX } from '../../../src/core/modes/plan/remarks.ts'
import { storedRows } from '../../support/forks.ts'
import { CALLER, NONE, say, step as advance, taken } from '../../support/scripted.ts'
import { judge, orchestrated, report, send, steps, waitedFor, work } from './support.ts'

const HEAD_MAX = 16_384
/** As long as a fingerprint. */
const MARK = '0123456789abcdef'
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

/** Everything a state can hold, with rows and numbers of this many digits, and with this many ended steps in the list. */
function fullest(row: number, ended: number): OrchestratorState {
  const step = (n: number) => [row - n, row, 99] as const
  const items = times(ITEMS_MAX + ENDED_MAX, step)
  const asks = times(ASKS_MAX, (n) => ({ row, item: step(n), failures: 21, answer: row }))
  return OrchestratorState.parse({
    ...startState(),
    phase: 'summarizing',
    plan: {
      row,
      revision: row,
      cursor: items.length,
      items,
      ends: times(ended, () => ['completed', row]),
      gone: times(Math.max(0, FINISHED_MAX - ended), (n) => [...step(n), 'completed', row]),
      next_id: row,
      constraints: items,
      replans: 100,
      left: row,
    },
    step: { begun: true, failures: 21, failure: row, instruction: row, session: row, report: row, sent: MARK },
    by: row,
    command: row,
    session: row,
    asks,
    questions: 100,
    commands: row,
    failures: row,
    remarks: times(REMARKS_MAX, () => row),
    log: times(LOG_MAX, () => row),
    pitfalls: times(PITFALLS_MAX, () => row),
    reports: times(REPORTS_MAX, () => row),
    report_count: row,
    seen: times(8, () => [MARK, MARK, 99]),
    refused: row,
    summary: row,
    farewell: row,
    change: row,
  })
}

/** With amounts as long as they can get. */
function longest(head: Head, state: OrchestratorState): Head {
  const most = 1_000_000_000_000_000
  const axis = { used: most, max: most }
  const token_kinds = { input: most, cache_read: most, cache_write: most, image: most, output: most, reasoning: most }
  return Head.parse({
    ...head,
    state,
    tenant: 't'.repeat(64),
    pause_reason: { kind: 'budget', axis: 'cost_usd' },
    budget: { steps: axis, tokens: axis, token_kinds, cost: axis, working_ms: axis },
    allowance: { tokens: most, cost: most, day: '2026-11-21' },
    approval: { kind: 'action', row: most, by: most, call: 31, given: true },
  })
}

describe('the head of an orchestrated task', () => {
  const ENDED = [ENDED_MAX, FINISHED_MAX, ITEMS_MAX + ENDED_MAX]
  it.each(ENDED)(
    'U24 with the most of everything, after a million rows, it is below 16 KB, with %i ended steps',
    async (ended) => {
      const { bench, task } = await orchestrated({ plan: [steps('A')] })
      const head = storedRows(bench, task.id).last()?.head
      if (head === undefined) throw new Error('no head')
      expect(JSON.stringify(longest(head, fullest(999_999, ended))).length).toBeLessThan(HEAD_MAX)
    },
  )

  it('U24 a hundred steps, edited by hand, thirty questions and long logs are within these bounds', async () => {
    const settings = { max_retries_per_step: 0, max_clarifications: 100, max_steps: 1_000, max_replans: 100 }
    const titles = (count: number, name: string) => times(count, (n) => `${name} ${n}`)
    const evaluate = [
      ...times(50, () => judge('next')),
      ...times(40, () => judge('retry')),
      judge('replan', 'anew', ...titles(100, 'later')),
    ]
    const { bench, task } = await orchestrated({ plan: [steps(...titles(100, 'first'))], evaluate }, settings)
    const { id } = task
    const judged = async () => {
      await work(bench, id)
      const { seq } = await waitedFor(bench, id)
      await send(bench, id, seq, { report: report('PARTIAL_SUCCESS', { pitfalls: 'a pit' }) })
      return advance(bench, id)
    }
    for (let n = 0; n < 50; n++) await judged()
    for (let n = 0; n < 40; n++) {
      const { status } = await judged()
      expect(status).toBe('input_required')
      await say(bench, id, `otherwise ${n}`, NONE)
      await say(bench, id, `mind ${n}`, NONE)
    }
    await judged()
    const open = taken(await bench.service.getTask(CALLER, id)).plan.items.filter(
      ({ status }) => status !== 'completed',
    )
    taken(
      await bench.service.editPlan(
        CALLER,
        id,
        open.map(({ id: item, title }) => ({ id: item, title })),
        null,
      ),
    )
    const rows = storedRows(bench, id)
    const heads = times(rows.last()?.seq ?? 0, (at) => rows.closed(at + 1)?.head)
    const last = OrchestratorState.parse(heads.at(-1)?.state)
    expect([
      last.plan.items.length,
      last.asks.length,
      last.log.length,
      last.pitfalls.length,
      last.remarks.length,
    ]).toEqual([ENDED_MAX + 100, ASKS_MAX, LOG_MAX, PITFALLS_MAX, 40])
    const bound = JSON.stringify(fullest(9_999, ENDED_MAX)).length
    for (const head of heads) expect(JSON.stringify(head?.state).length).toBeLessThan(bound)
    expect(Math.max(...heads.map((head) => JSON.stringify(head).length))).toBeLessThan(HEAD_MAX)
  })
})
