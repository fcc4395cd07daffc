/**
 * Replies that an earlier release has accepted, and that would be refused today, are read again from the journal as they were then. No
 * task of an earlier release becomes unreadable (U32).
 */
import { expect, it } from 'vitest'
import { memoryRows } from '../../../src/store/task/rows/memory-rows.ts'
import type { TaskView } from '../../../src/core/terms/view.ts'
import { benchOf, calling, CALLER, createTask, NONE, taken, type Bench } from '../../support/scripted.ts'
import { drive } from '../drive.ts'
import { JSON_SLOTS } from './json-slots.ts'
import { modelOf, type Slot } from './judge.ts'

const behindComment = (json: string) => `{/* ${'so '.repeat(6_000)}*/${json.slice(1)}`
/** Forms of a reply that were understood, and are told today. */
const EARLIER: [string, (json: string) => string][] = [
  ['beside a broken object', (json) => `{"draft":true,,}\n${json}`],
  ['behind a long comment', behindComment],
]
const IN_FENCES = (json: string) => `\`\`\`json\n${json}\n\`\`\`\n\`\`\`json\n{"draft":true}\n\`\`\``

async function played({ mode, goal, settings, replies }: Slot): Promise<{ bench: Bench; task: TaskView }> {
  const bench = benchOf({ numbered_results: true }, { model: modelOf(replies, []) })
  const created = await createTask(bench, { max_steps: 50, ...settings }, NONE, { mode, goal })
  return { bench, task: await drive(bench, created, { answer: () => 'blue', work: () => 'It was done' }) }
}

/** The task as another process opens it, with each of its replies in the form of an earlier release. */
async function opened({ bench, task }: Awaited<ReturnType<typeof played>>, change: (json: string) => string) {
  const name = JSON.stringify([CALLER.tenant, task.id])
  const rows = memoryRows()
  let changed = 0
  for (const [seq, record] of bench.store.rows.get(name)?.records ?? []) {
    const event: unknown = JSON.parse(record.event ?? 'null')
    const written = JSON.stringify(event, (key, value: unknown) => {
      const isReply = (key === 'text' || key === 'arguments') && typeof value === 'string' && value.startsWith('{')
      changed += isReply ? 1 : 0
      // Arguments have never been looked for beside others.
      return isReply ? (key === 'text' ? change(value) : behindComment(value)) : value
    })
    rows.records.set(seq, { ...record, event: written })
  }
  bench.store.rows.set(name, rows)
  expect(changed).toBeGreaterThan(0)
  return taken(await bench.service.getTask(CALLER, task.id))
}

const FEW: Slot = {
  name: 'plan_execute call',
  mode: 'plan_execute',
  settings: { calls: 'few' },
  goal: 'g',
  replies: [
    { status: 'planned', plan: ['A'] },
    calling('', ['todo', '{"command":"/todo add milk","ends_item":true}']),
    { status: 'done', plan: [], response: 'so' },
  ],
  at: 1,
}
const SLOTS = [...JSON_SLOTS, FEW].map((slot): [string, Slot] => [slot.name, slot])

it.each(SLOTS)('U32 a task that an earlier release has played is shown as it was: %s', async (_name, slot) => {
  const forms = slot.mode === 'orchestrator' ? [...EARLIER, ['in two fences', IN_FENCES] as const] : EARLIER
  for (const [form, change] of forms) {
    const { slice: _slice, ...before } = (await played(slot)).task
    const run = await played(slot)
    const { slice: _after, ...shown } = await opened(run, change)
    expect({ form, plan: shown.plan, result: shown.result }).toEqual({ form, plan: before.plan, result: before.result })
  }
})
