/** Approvals (U15): what waits for a person, what a word makes of it, and that nothing is done before. */
import { describe, expect, it } from 'vitest'
import { dueOf, Job } from '../../src/core/protocol/alarm-times.ts'
import { refold } from '../../src/core/replay/history.ts'
import { taskLines } from '../../src/core/shown/progress.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  closed,
  context,
  createTask,
  done,
  FREE,
  journalOf,
  MANUAL,
  NONE,
  ONE,
  phases,
  planned,
  replanned,
  rowsOf,
  say,
  step,
  taken,
  titles,
  types,
  UNBOUNDED,
  type Bench,
  type Script,
} from '../support/scripted.ts'

const PLAN = { approve: 'plan' } as const
const ACTIONS = { approve: 'actions' } as const
const approvalOf = ({ pending }: TaskView) => {
  if (pending?.kind !== 'approval') throw new Error(`no approval is open: ${JSON.stringify(pending)}`)
  return pending
}
/** Its request is told from that of any other plan or action. */
const requestOf = (task: TaskView) => approvalOf(task).request_id
const heard = (bench: Bench, id: string) =>
  rowsOf(bench, id).flatMap(({ event }) => (event.kind === 'approval_answered' ? [event.verdict] : []))
const answerTo = (bench: Bench, task: TaskView, text: string, request = requestOf(task)) =>
  bench.service.inputTask(CALLER, task.id, text, request, NONE)

function expectFold(bench: Bench, id: string): void {
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  const last = rows?.last()?.seq ?? 0
  expect(last).toBeGreaterThan(1)
  for (let seq = 1; seq <= last; seq++) {
    const row = rows?.closed(seq)
    if (rows === undefined || row === null || row === undefined) throw new Error(`row ${seq} is missing`)
    expect(refold(row, rows.closed(seq - 1)?.head ?? null, rows.recall).head).toEqual(row.head)
  }
}

describe('a plan that waits for its approval', () => {
  const SCRIPT: Script = {
    plan: [planned('A', 'B')],
    thought: [done('a'), done('b')],
    replan: [replanned('B'), closed()],
  }
  it('U15 holds after planning, before anything is spent on acting', async () => {
    const bench = benchOf(SCRIPT)
    const task = await createTask(bench, PLAN, ALL)
    expect(task).toMatchObject({ status: 'input_required', stop_reason: 'approval', step_count: 0 })
    expect(task.pending).toEqual({ kind: 'approval', request_id: `approval_${task.version}`, action: null })
    expect(types(task)).toEqual(['task_created', 'plan_created', 'clarification_requested'])
    expect(task.plan.items.map(({ status }) => status)).toEqual(['pending', 'pending'])
    const waiting = await step(bench, task.id, ALL)
    expect(waiting.slice).toEqual({ advanced: false, rounds: 0, events: [] })
    expect([waiting.version, phases(bench)]).toEqual([task.version, ['plan']])
  })

  it.each(['approve', 'yes', 'ok', '同意', '批准', ' YES ', 'Ok.', '同意。', 'approve!', '批准！'])(
    'U15 %j approves, and the task goes on',
    async (word) => {
      const bench = benchOf(SCRIPT)
      const task = await createTask(bench, PLAN, ALL)
      const after = await say(bench, task.id, word, ALL)
      expect(after).toMatchObject({ status: 'completed', step_count: 4, result: { text: 'the answer' } })
      expect(types(after).slice(0, 2)).toEqual(['clarification_answered', 'item_started'])
      expect(heard(bench, task.id)).toEqual(['approved'])
      expectFold(bench, task.id)
      bench.spent()
    },
  )

  it.each(['reject', 'no', '拒绝', 'NO.'])('U15 %j is the end of the task: failed, aborted', async (word) => {
    const bench = benchOf({ plan: [planned('A')] })
    const task = await createTask(bench, PLAN, ALL)
    const after = await say(bench, task.id, word, ALL)
    expect(after).toMatchObject({ status: 'failed', stop_reason: 'aborted', step_count: 0, pending: null })
    expect(after.error?.code).toBe('aborted')
    expect(phases(bench)).toEqual(['plan'])
  })

  it.each(['yes please, but later', 'ok then', 'no way', 'continue', 'yes?'])(
    'U15 %j says what to change: an uncounted plan call that is shown both',
    async (text) => {
      const bench = benchOf({ plan: [planned('A', 'B'), planned('B', 'C')] })
      const task = await createTask(bench, PLAN, ALL)
      const after = await say(bench, task.id, text, ALL)
      expect(after).toMatchObject({ status: 'input_required', stop_reason: 'approval', step_count: 0 })
      expect(context(bench.requests[1])).toMatchObject({ phase: 'plan', plan: ['A', 'B'], requested_change: text })
      expect([titles(after), after.plan.items.map(({ id }) => id)]).toEqual([
        ['B', 'C'],
        ['step_2', 'step_3'],
      ])
      expect(after.plan.revision).toBe(2)
      expect(requestOf(after)).not.toBe(requestOf(task))
      expect(await answerTo(bench, task, 'yes')).toMatchObject({ refusal: { code: 'question_settled' } })
    },
  )

  it('U15 the words of a change are remarks for what comes later', async () => {
    const bench = benchOf({ plan: [planned('A'), planned('B')], thought: [act()] })
    const task = await createTask(bench, PLAN, ALL)
    await say(bench, task.id, 'B, not A', NONE)
    await say(bench, task.id, 'yes', ONE)
    expect(context(bench.requests.at(-1))).toMatchObject({ phase: 'thought', remarks: ['B, not A'] })
  })

  it('U15 replies to a change are bounded as plan attempts are', async () => {
    const bench = benchOf({ plan: [planned('A'), 'x', 'x'] })
    const task = await createTask(bench, { ...PLAN, plan_retries: 1 }, ALL)
    const after = await say(bench, task.id, 'shorter', ALL)
    expect(after).toMatchObject({ status: 'failed', stop_reason: 'contract_failures', step_count: 0 })
    bench.spent()
  })

  it('U15 a change while the model is away is asked for again when the task is resumed', async () => {
    const bench = benchOf({ plan: [planned('A'), new Error('down'), planned('B')] })
    const task = await createTask(bench, { ...PLAN, plan_retries: 0 }, ALL)
    expect(await say(bench, task.id, 'shorter')).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable' })
    const after = await say(bench, task.id, 'continue')
    expect([after.stop_reason, titles(after)]).toEqual(['approval', ['B']])
    expect(context(bench.requests.at(-1))).toMatchObject({ requested_change: 'shorter', plan: ['A'] })
  })

  it('U15 PATCH of the plan settles the request and makes a new one', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()], replan: [closed()] })
    const task = await createTask(bench, PLAN, ALL)
    const after = taken(await bench.service.editPlan(CALLER, task.id, [{ title: 'X' }], [task.version]))
    expect(after).toMatchObject({ status: 'input_required', stop_reason: 'approval', step_count: 0 })
    expect(types(after)).toEqual(['plan_edited', 'clarification_requested'])
    expect(after.plan.items).toMatchObject([{ title: 'X', status: 'pending' }])
    expect(await answerTo(bench, task, 'yes')).toMatchObject({ refusal: { code: 'question_settled' } })
    const approved = taken(await bench.service.inputTask(CALLER, task.id, 'yes', requestOf(after), ALL))
    expect(approved).toMatchObject({ status: 'completed', step_count: 2 })
    expectFold(bench, task.id)
  })

  it('a list that was entered instead of a plan waits as well', async () => {
    const bench = benchOf({ plan: [new Error('down')] })
    const made = await createTask(bench, { ...PLAN, plan_retries: 0 })
    await bench.service.editPlan(CALLER, made.id, [{ title: 'X' }], null)
    const task = taken(await bench.service.tellTask(CALLER, made.id, { kind: 'resume' }))
    expect(task).toMatchObject({ status: 'input_required', stop_reason: 'approval' })
  })

  it('only the first plan is approved: replans go on by themselves', async () => {
    const bench = benchOf({ ...SCRIPT, replan: [replanned('C'), closed()] })
    const task = await createTask(bench, PLAN, ALL)
    expect(await say(bench, task.id, 'yes', ALL)).toMatchObject({ status: 'completed' })
    expect(heard(bench, task.id)).toHaveLength(1)
  })

  it('the cancel phrase and slash commands mean what they always do', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const task = await createTask(bench, PLAN, ALL)
    const ran = await bench.service.inputTask(CALLER, task.id, '/todo list', null, ONE)
    expect(ran.ok && ran.value.task.version).toBe(task.version)
    expect((await say(bench, task.id, '取消当前任务')).status).toBe('canceled')
  })
})

describe('an action that waits for its approval', () => {
  const SCRIPT: Script = { plan: [planned('A')], thought: [act(), done('a')], replan: [closed()] }
  it('U15 holds between the thought, which is counted, and the action, which is not begun', async () => {
    const bench = benchOf(SCRIPT)
    const task = await createTask(bench, ACTIONS, ALL)
    expect(task).toMatchObject({ status: 'input_required', stop_reason: 'approval', step_count: 1 })
    const action = { tool: 'todo', input: '/todo add milk', item_id: 'step_1' }
    expect(task.pending).toEqual({ kind: 'approval', request_id: `approval_${task.version}`, action })
    expect(types(task).slice(-2)).toEqual(['thought_decided', 'clarification_requested'])
    expect([bench.calls, (await step(bench, task.id, ALL)).slice?.advanced]).toEqual([[], false])
  })

  it('U15 approved it runs, once, and the next one is asked for again', async () => {
    const bench = benchOf({ ...SCRIPT, thought: [act('/todo add milk'), act('/todo add bread'), done('a')] })
    const task = await createTask(bench, ACTIONS, ALL)
    const next = await say(bench, task.id, 'yes', ALL)
    expect(types(next).slice(0, 3)).toEqual(['clarification_answered', 'action_started', 'action_finished'])
    expect([bench.calls.map(({ input }) => input), next.step_count]).toEqual([['/todo add milk'], 3])
    expect(approvalOf(next).action).toMatchObject({ input: '/todo add bread' })
    expect(await answerTo(bench, task, 'yes')).toMatchObject({ refusal: { code: 'question_settled' } })
    const ended = await say(bench, task.id, 'ok', ALL)
    expect(ended).toMatchObject({ status: 'completed', counters: { actions: 2 }, step_count: 6 })
    expectFold(bench, task.id)
    bench.spent()
  })

  it('U15 approved it stays approved until it is begun, however late', async () => {
    const bench = benchOf(SCRIPT)
    const task = await createTask(bench, ACTIONS, ALL)
    const gone = { ...CALLER, gone: () => true }
    const told = taken(await bench.service.inputTask(gone, task.id, 'yes', null, ALL))
    expect([told.status, bench.calls]).toEqual(['running', []])
    expect((await step(bench, task.id, ALL)).status).toBe('completed')
    expect([bench.calls.length, heard(bench, task.id)]).toEqual([1, ['approved']])
  })

  it('U15 rejected it is a failed observation, and is no action of the ledger', async () => {
    const bench = benchOf({ ...SCRIPT, thought: [act(), done('without')] })
    const task = await createTask(bench, ACTIONS, ALL)
    const after = await say(bench, task.id, 'no', ONE)
    expect(types(after).slice(0, 2)).toEqual(['clarification_answered', 'action_finished'])
    expect(after.slice?.events[1]?.payload).toMatchObject({ item_id: 'step_1', tool: 'todo', ok: false })
    const result = 'not run: the user rejected it'
    const seen = [{ item_id: null, tool: 'todo', input: '/todo add milk', ok: false, result }]
    expect(context(bench.requests.at(-1)).observations).toEqual(seen)
    expect([after.step_count, after.counters.actions, bench.calls]).toEqual([2, 0, []])
    expectFold(bench, task.id)
  })

  it('U15 R10 rejected as often as failure_limit says, a further action is refused', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act('a'), act('b'), act('c')] })
    const task = await createTask(bench, ACTIONS, ALL)
    await say(bench, task.id, 'no', ONE)
    const after = await say(bench, task.id, 'no', ONE)
    expect(context(bench.requests.at(-1)).must_not_act).toBe(true)
    expect(types(after)).toContain('contract_failed')
  })

  it('U15 any other text is kept as a remark, and the mode thinks again', async () => {
    const bench = benchOf({ ...SCRIPT, thought: [act(), act('/todo add bread')] })
    const task = await createTask(bench, ACTIONS, ALL)
    const after = await say(bench, task.id, 'bread, not milk', ONE)
    const told = context(bench.requests.at(-1))
    expect([told.phase, told.remarks, told.must_not_act]).toEqual(['thought', ['bread, not milk'], false])
    expect(told.observations).toMatchObject([{ ok: false, input: '/todo add milk' }])
    expect([approvalOf(after).action?.input, bench.calls]).toEqual(['/todo add bread', []])
  })

  it('U15 PATCH of the plan settles it: the next thought is about the new item', async () => {
    const bench = benchOf({ ...SCRIPT, thought: [act(), act('/todo add bread')] })
    const task = await createTask(bench, ACTIONS, ALL)
    const after = taken(await bench.service.editPlan(CALLER, task.id, [{ title: 'X' }], null))
    expect(after).toMatchObject({ status: 'running', pending: null })
    expect(await answerTo(bench, task, 'yes')).toMatchObject({ refusal: { code: 'question_settled' } })
    await step(bench, task.id)
    expect(context(bench.requests.at(-1)).current_item).toMatchObject({ title: 'X' })
    expectFold(bench, task.id)
  })

  it('a top-up leaves it open under the same request', async () => {
    const bench = benchOf(SCRIPT)
    const task = await createTask(bench, ACTIONS, ALL)
    const after = taken(await bench.service.tellTask(CALLER, task.id, { kind: 'top_up', add: { steps: 1 } }))
    expect(after.pending).toEqual(task.pending)
  })
})

describe('an approval, as a question', () => {
  it('is held by a pause; a continue text opens it again, any other is its answer', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()], replan: [closed()] })
    const task = await createTask(bench, PLAN, ALL)
    expect(taken(await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })).status).toBe('paused')
    const open = await say(bench, task.id, 'continue', ALL)
    expect([open.status, open.pending]).toEqual(['input_required', task.pending])
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    expect((await say(bench, task.id, 'yes', ALL)).status).toBe('completed')
  })

  it.each([
    ['pause', 'paused'],
    ['fail', 'failed'],
  ] as const)('expires after question_ttl_s (%s), and is reminded of at half that time', async (how, status) => {
    const bench = benchOf({ plan: [planned('A')] })
    const settings = { ...PLAN, question_ttl_s: 100, on_question_expired: how }
    const brief = { goal: 'g', mode: 'plan_execute' as const, locale: 'en' as const, timezone: 'UTC', metadata: {} }
    const told = { ...MANUAL, callback_url: 'https://example.com/hook' }
    const task = taken(
      await bench.service.createTask(CALLER, { ...brief, settings: Settings.parse(settings), ...told }, ALL),
    )
    const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, task.id]))
    const tend = () => runJob(bench.ports, Job.parse({ kind: 'tend', tenant: CALLER.tenant, task: task.id }))
    bench.clock.now += 50_000
    await tend()
    expect(rows?.deliveries().map(({ status }) => status)).toEqual(['input_required', 'input_required'])
    bench.clock.now += 50_000
    await tend()
    const after = taken(await bench.service.getTask(CALLER, task.id))
    expect([after.status, after.stop_reason]).toEqual([status, 'question_expired'])
  })

  it('a plan that was edited has its whole time again', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const task = await createTask(bench, { ...PLAN, question_ttl_s: 100 }, ALL)
    bench.clock.now += 99_000
    await bench.service.editPlan(CALLER, task.id, [{ title: 'X' }], null)
    const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, task.id]))
    if (rows === undefined) throw new Error('no such task')
    const here = { now_ms: bench.clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED }
    expect(dueOf(rows, [], here).tend).toBe(bench.clock.now + 100_000)
  })

  it('U15 U20 a task that the service drives waits for it too, and goes on by itself', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
    const brief = { goal: 'g', mode: 'plan_execute' as const, locale: 'en' as const, timezone: 'UTC', metadata: {} }
    const settings = Settings.parse(ACTIONS)
    const driven = { ...brief, settings, ...MANUAL, drive: 'background' as const }
    const { id } = taken(await bench.service.createTask(CALLER, driven, ALL))
    const asked = { version: 1, asked_ms: bench.clock.now }
    const drive = () => runJob(bench.ports, Job.parse({ kind: 'drive', tenant: CALLER.tenant, task: id, ...asked }))
    await drive()
    const task = taken(await bench.service.getTask(CALLER, id))
    expect([task.status, task.stop_reason]).toEqual(['input_required', 'approval'])
    const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
    const here = { now_ms: bench.clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED }
    const ttl_ms = settings.question_ttl_s * 1000
    expect(rows && dueOf(rows, [], here).tend).toBe(bench.clock.now + ttl_ms)
    await answerTo(bench, task, 'yes')
    await drive()
    expect(taken(await bench.service.getTask(CALLER, id)).status).toBe('completed')
  })

  it('the ledger says what was decided; the words of an approval are no contract of the model', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()], replan: [closed()] })
    const task = await createTask(bench, PLAN, ALL)
    await say(bench, task.id, 'Yes', NONE)
    const row = (await journalOf(bench, task.id)).find(({ kind }) => kind === 'approval_answered')
    expect(row).toMatchObject({ counted: false, outcome: null, reply: { verdict: 'approved', text: 'Yes' } })
  })
})

describe('lines for a terminal', () => {
  it.each([
    ['en', 'plan', ['Please approve: the plan above', 'Send "yes", "no" or what to change with POST /tasks/']],
    ['zh', 'plan', ['请批准：以上计划', '请用 POST /tasks/']],
    ['en', 'actions', ['Please approve: todo -> /todo add milk', 'Send "yes", "no" or what']],
    ['zh', 'actions', ['请批准：todo -> /todo add milk', '请用 POST /tasks/']],
  ] as const)('U15 say what is to be approved and how (%s, %s)', async (locale, approve, wanted) => {
    const bench = benchOf({ plan: [planned('A', 'B')], thought: [act()] })
    const lines = taskLines(await createTask(bench, { approve }, ALL, { locale }))
    expect(lines.slice(-2)).toEqual(wanted.map((line) => expect.stringContaining(line)))
    expect(lines).toContain('  [ ] 2. B')
  })

  it.each([
    ['en', 'Plan edited by hand: 1 step'],
    ['zh', '计划已手动修改：共 1 步'],
  ] as const)('PATCH is told with the list it leaves (%s)', async (locale, line) => {
    const bench = benchOf({ plan: [planned('A')] })
    const task = await createTask(bench, {}, NONE, { locale })
    const lines = taskLines(taken(await bench.service.editPlan(CALLER, task.id, [{ title: 'X' }], null)))
    expect(lines.slice(1, 3)).toEqual([line, '  [ ] 1. X'])
  })
})
