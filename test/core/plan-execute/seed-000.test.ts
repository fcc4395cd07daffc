/** The sentences of seed 000 that flow, contract, prompt and traces leave open: levels, stored data, duties, progress, defaults. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replacePlan, firstPlan } from '../../../src/core/modes/plan-execute/plan-list.ts'
import { CONTRACTS, ThoughtReply } from '../../../src/core/modes/plan-execute/contract.ts'
import { startState, State } from '../../../src/core/modes/plan-execute/state.ts'
import { taskLines } from '../../../src/core/progress.ts'
import { readReply } from '../../../src/core/reply.ts'
import { Settings } from '../../../src/core/settings.ts'
import type { TaskView } from '../../../src/core/view.ts'
import { offlineModel } from '../../../src/models/offline/index.ts'
import { schemaOf } from '../../../src/shell/perform.ts'
import type { ModelRequest } from '../../../src/shell/ports.ts'
import { memoryStore } from '../../../src/store/memory-store.ts'
import { builtInTools } from '../../../src/tools/index.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  NONE,
  ONE,
  planned,
  replanned,
  say,
  step,
  type Bench,
  type Script,
} from '../../support/scripted.ts'

const phases = (bench: Bench) => bench.requests.map((request) => request.metadata.phase)
const context = (request: ModelRequest | undefined) => JSON.parse(request?.messages[1]?.content ?? '{}')
const titles = (task: TaskView) => task.plan.items.map((item) => item.title)
const types = (task: TaskView) => task.slice?.events.map((event) => event.type) ?? []

/** Every closed row of a task, with the state it left behind. */
function rowsOf(bench: Bench, id: string) {
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  return Array.from({ length: rows?.records.size ?? 0 }, (_, index) => {
    const row = rows?.closed(index + 1)
    if (row === null || row === undefined) throw new Error(`row ${index + 1} is not closed`)
    return { event: row.event, phase: row.effect?.phase ?? null, head: row.head, state: State.parse(row.head.state) }
  })
}
const stateOf = (bench: Bench, id: string) => rowsOf(bench, id).at(-1)?.state ?? startState()
async function journalOf(bench: Bench, id: string) {
  const page = await bench.service.listJournal(CALLER, id, { after: 0, limit: 100 })
  if (!page.ok) throw new Error('no journal')
  return page.value.data
}
/** A bench whose tools act in its own workspace. */
function realBench(script: Script): Bench {
  const search = { name: 'none', search: () => Promise.reject(new Error('no network in tests')) }
  const store = memoryStore(() => ({ now_ms: Date.UTC(2026, 10, 21, 12, 0), boot: 'boot' }))
  return benchOf(script, { store, tools: builtInTools(store, search, 'UTC') })
}
const MANY: Script = {
  plan: [planned('A', 'B')],
  thought: [act(), 'broken', done('a'), ask(), act(), done()],
  replan: ['broken', replanned('B'), replanned('B'), closed()],
  tools: [{ ok: false }, { ok: true }],
}
async function playMany() {
  const bench = benchOf(MANY)
  const waiting = await createTask(bench, {}, ALL)
  const task = await say(bench, waiting.id, 'tomorrow', ALL)
  bench.spent()
  return { bench, task, waiting }
}

describe('levels and states', () => {
  it('S0-05 counted are thought, replan and tool runs, broken ones too; not the plan, its retries, question and waiting', async () => {
    const bench = benchOf({ ...MANY, plan: ['no plan', planned('A', 'B')] })
    const { id } = await createTask(bench, {}, ALL)
    const task = await say(bench, id, 'tomorrow', ALL)
    const counted = new Map<string, Set<boolean>>()
    const rows = await journalOf(bench, id)
    for (const row of rows) {
      const name = row.phase ?? row.kind
      counted.set(name, (counted.get(name) ?? new Set()).add(row.counted))
    }
    const yes = new Set([true])
    const no = new Set([false])
    expect(Object.fromEntries(counted)).toEqual({
      task_created: no,
      plan: no,
      thought: yes,
      act: yes,
      replan: yes,
      user_answered: no,
    })
    expect(task.step_count).toBe(rows.filter((row) => row.counted).length)
    expect(task.step_count).toBe(12)
  })

  it('S0-08 two levels: outside plan, then item or done by replan; inside thought, act, observe', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), act(), done(), done(), act(), done()],
      replan: [replanned('B'), replanned('C'), closed()],
    })
    const { id } = await createTask(bench, {}, ALL)
    const run = rowsOf(bench, id).flatMap((row) => row.phase ?? [])
    expect(run.join(' ')).toMatch(/^plan(?: (?:thought act )*thought replan)+$/)
    expect(run.filter((phase) => phase === 'replan')).toHaveLength(3)
    bench.spent()
  })

  it('S0-09 R1 R27 the later revision wins: without any question every finished sub-task has its replan, changed or not', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B', 'C')],
      thought: [done(), done(), done()],
      replan: [replanned('A', 'B', 'C'), replanned('A', 'B', 'C'), closed()],
    })
    await createTask(bench, {}, ALL)
    expect(phases(bench).join(' ')).toBe('plan thought replan thought replan thought replan')
    bench.spent()
  })

  it.each([
    ['a success', { ok: true, text: 'added #1' }],
    ['a failure', { ok: false, text: 'no such list' }],
  ])(
    'S0-15 S0-65 acting runs the tool: +1, its observation appended, its counter raised (%s)',
    async (_name, result) => {
      const bench = benchOf({ plan: [planned('A')], thought: [act('/todo add milk')], tools: [result] })
      const { id } = await createTask(bench, {}, ONE)
      expect(bench.calls).toEqual([{ tool: 'todo', input: '/todo add milk', key: `${id}:4` }])
      const [before, after] = rowsOf(bench, id).slice(-2)
      expect(before?.head).toMatchObject({ budget: { steps: { used: 1 } }, counters: { actions: 0 } })
      expect(after?.head).toMatchObject({
        budget: { steps: { used: 2 } },
        counters: { actions: 1, successful_actions: result.ok ? 1 : 0, failed_actions: result.ok ? 0 : 1 },
      })
      expect([before?.state.observations, after?.state.observations]).toEqual([[], [4]])
      expect(after?.event).toMatchObject({ kind: 'tool_returned', ...result })
    },
  )

  it.each([
    ['buy milk', 'completed'],
    ['买牛奶', 'completed'],
    ['book the dentist', 'input_required'],
    ['约牙医', 'input_required'],
  ])('S0-18 a question comes only when information is missing: "%s" is %s', async (goal, status) => {
    const bench = realBench({})
    bench.ports.model = offlineModel()
    const locale = /[a-z]/.test(goal) ? 'en' : 'zh'
    const task = await createTask(bench, {}, ALL, { goal, locale })
    expect(task.status).toBe(status)
    expect(types(task).includes('clarification_requested')).toBe(status === 'input_required')
  })

  it.each(['todo', 'schedule', 'internet_search'])(
    'S0-23 an action of %s counts, a question does not',
    async (tool) => {
      const bench = benchOf({ plan: [planned('A')], thought: [act('x', tool), ask()] })
      const acted = await createTask(bench, {}, ONE)
      expect([acted.step_count, bench.calls[0]?.tool]).toEqual([2, tool])
      const asked = await step(bench, acted.id)
      expect([asked.status, asked.step_count]).toEqual(['input_required', 3]) // its thought counts, asking does not
    },
  )

  it('S0-57 R4 replan is called only after a finished item, an answer or its own broken reply', async () => {
    const { bench, task } = await playMany()
    const rows = rowsOf(bench, task.id)
    const causes = rows.flatMap((row, index) => {
      if (row.phase !== 'replan') return []
      const cause = rows[index - 1]
      const text = cause?.event.kind === 'model_replied' ? cause.event.text : ''
      const thought = cause?.phase === 'thought' ? readReply(ThoughtReply, text) : null
      return [thought?.ok === true ? thought.value.status : (cause?.phase ?? cause?.event.kind)]
    })
    expect(causes).toEqual(['done', 'replan', 'user_answered', 'done'])
  })

  it('S0-58 one row replaces the list or gives the answer, and clears needs_replan with it', async () => {
    const { bench, task } = await playMany()
    const rows = rowsOf(bench, task.id)
    const replans = rows.flatMap((row, index) => (row.phase === 'replan' ? [{ row, before: rows[index - 1] }] : []))
    expect(replans.map(({ before }) => before?.state.phase)).toEqual(Array(4).fill('replanning'))
    const [broken, changed, same, closing] = replans.map(({ row, before }) => [
      row.state.phase,
      row.state.plan.revision - (before?.state.plan.revision ?? 0),
      row.state.plan.cursor,
    ])
    expect([broken, changed, same]).toEqual([
      ['replanning', 0, 1],
      ['thinking', 1, 0],
      ['thinking', 0, 0],
    ])
    expect(closing?.[0]).toBe('ended')
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done', result: { text: 'the answer' } })
  })
})

describe('routing and accounting', () => {
  it('S0-60 slash input takes the deterministic path: no model call, no change of the task, the same answer each time', async () => {
    const answers = []
    for (const bench of [realBench({ plan: [planned('A')] }), realBench({ plan: [planned('A')] })]) {
      const task = await createTask(bench)
      const heard = await bench.service.inputTask(CALLER, task.id, '/todo add milk --tag home', null, ALL)
      expect(heard.ok && heard.value.task).toEqual({ ...task, slice: { advanced: false, rounds: 0, events: [] } })
      expect(phases(bench)).toEqual(['plan'])
      answers.push(heard.ok && heard.value.command)
    }
    expect(answers[0]).toMatchObject({ kind: 'todo_added', ok: true, data: { id: 1 } })
    expect(answers[1]).toEqual(answers[0])
  })

  it('S0-61 input without an active task makes a new task and plans it once; a waiting one is left alone', async () => {
    const bench = benchOf({ plan: [planned('A'), planned('B')], thought: [ask()] })
    const waiting = await createTask(bench, {}, ALL)
    const other = await createTask(bench)
    expect(other.id).not.toBe(waiting.id)
    expect([titles(waiting), titles(other)]).toEqual([['A'], ['B']])
    const still = await bench.service.getTask(CALLER, waiting.id)
    expect(still.ok && still.value.task).toEqual({ ...waiting, slice: null })
    bench.spent()
  })

  it.each([
    ['', 'empty_input'],
    ['  \n', 'empty_input'],
    ['/stop', 'no_active_task'],
    [' /help ', 'help'],
    ['buy milk', 'unknown_command'],
  ])('O0-02 2.1 after trimming: empty, the cancel phrase, a command, free text: %j is %s', async (command, kind) => {
    const bench = benchOf({}, { default_settings: Settings.parse({ cancel_phrase: '/stop' }) })
    const answer = await bench.service.runCommand(CALLER, command, null, 'en')
    expect(answer.ok && answer.value.kind).toBe(kind)
    bench.ports.model = null
    const without = await bench.service.runCommand(CALLER, command, null, 'en')
    expect(without.ok && without.value.kind).toBe(kind === 'unknown_command' ? 'llm_not_configured' : kind)
  })

  it('2.6 the whole trimmed cancel phrase drops the waiting task; without one there is none; with a full stop it is text', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const { id } = await createTask(bench, {}, ALL)
    const kindOf = async (command: string, task: string | null) => {
      const answer = await bench.service.runCommand(CALLER, command, task, 'zh')
      return answer.ok && answer.value.kind
    }
    expect(await kindOf('取消当前任务。', id)).toBe('unknown_command')
    expect(await kindOf(' 取消当前任务 ', null)).toBe('no_active_task')
    expect(await kindOf(' 取消当前任务 ', id)).toBe('canceled')
    expect(await kindOf('取消当前任务', id)).toBe('no_active_task')
    const after = await bench.service.getTask(CALLER, id)
    expect(after.ok && after.value.task.status).toBe('canceled')
  })

  it('O0-08 R6 D1 the check is before each thought and replan, never between a thought and its own action', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] })
    const acted = await createTask(bench, { max_steps: 1 }, ONE)
    expect(bench.calls).toHaveLength(1)
    expect(acted.budget).toMatchObject({ used: 2, max: 1, remaining: 0 })
    expect(acted.status).toBe('running')
    expect((await step(bench, acted.id)).stop_reason).toBe('budget_exhausted:steps')
    const late = benchOf({ plan: [planned('A')], thought: [done()], replan: ['broken'] })
    const replanning = await createTask(late, { max_steps: 2 }, ALL)
    expect(replanning).toMatchObject({ stop_reason: 'budget_exhausted:steps', step_count: 2 })
    expect(phases(late)).toEqual(['plan', 'thought', 'replan'])
  })

  it('R7 the limit comes first: an answer that arrives with the budget used gives the fallback without any model call', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const waiting = await createTask(bench, { max_steps: 1 }, ALL)
    expect(waiting.status).toBe('input_required')
    const task = await say(bench, waiting.id, 'tomorrow', ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: 1 })
    expect(task.handover?.next_steps).toHaveLength(2)
    expect(phases(bench)).toEqual(['plan', 'thought'])
  })

  it('D2 a lost thought costs its attempt: orphaned, +1, and the next attempt is a new row', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()] })
    const { id } = await createTask(bench)
    const lost = { slice: 'lost', boot: 'boot', more: 'new_round' as const, wall_ms: bench.clock.now }
    expect((await bench.ports.store.of(CALLER.tenant, id).begin(lost)).ok).toBe(true)
    bench.clock.now += 10 * 60_000
    const task = await step(bench, id)
    expect(task.step_count).toBe(2)
    const thoughts = (await journalOf(bench, id)).filter((row) => row.phase === 'thought')
    expect(thoughts.map((row) => [row.outcome, row.counted])).toEqual([
      ['orphaned', true],
      ['ok', true],
    ])
  })

  it('ruling 3 while a thought is under way step_count does not include it', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()] })
    const { id } = await createTask(bench)
    const begun = { slice: 'slow', boot: 'boot', more: 'new_round' as const, wall_ms: bench.clock.now }
    await bench.ports.store.of(CALLER.tenant, id).begin(begun)
    const seen = await bench.service.getTask(CALLER, id)
    expect(seen.ok && seen.value.task.step_count).toBe(0)
    expect((await journalOf(bench, id)).at(-1)).toMatchObject({ phase: 'thought', counted: false, outcome: null })
  })

  it.each([0, 1, 2, 4])('D3 failed plan calls are free but bounded by 1 + plan_retries (%i)', async (plan_retries) => {
    const bench = benchOf({ plan: Array.from({ length: 1 + plan_retries }, () => 'no plan') })
    const task = await createTask(bench, { plan_retries }, ALL)
    expect(task).toMatchObject({ status: 'failed', step_count: 0, counters: { model_calls: 1 + plan_retries } })
    bench.spent()
  })

  it.each([
    ['en', 'unavailable'],
    ['zh', '不可用'],
  ] as const)(
    'O0-06 planning without a service stops with a text that says so, step_count 0 (%s)',
    async (locale, word) => {
      const bench = benchOf({ plan: [new Error('down'), new Error('down'), new Error('down')] })
      const task = await createTask(bench, {}, ALL, { locale })
      expect(task).toMatchObject({ stop_reason: 'model_unavailable', step_count: 0 })
      expect(task.handover?.text).toContain(word)
      bench.spent()
    },
  )

  it('O0-07 a broken round costs 1 and is a failed observation; a good reply begins the count anew', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: ['bad', act(), 'bad', done()], replan: ['bad', closed()] })
    const task = await createTask(bench, { failure_limit: 2 }, ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 7 })
    const seen = context(bench.requests.at(-1)).observations
    expect(seen.map((one: { tool: string; ok: boolean }) => [one.tool, one.ok])).toEqual([
      ['thought', false],
      ['todo', true],
      ['thought', false],
      ['replan', false],
    ])
    bench.spent()
  })
})

describe('stored data', () => {
  it('S0-41 plan_initialized: planning until a list is accepted, and never again', async () => {
    const bench = benchOf({ ...MANY, plan: ['no plan', planned('A', 'B')] })
    const { id } = await createTask(bench, {}, ALL)
    await say(bench, id, 'tomorrow', ALL)
    const planning = rowsOf(bench, id).map((row) => row.state.phase === 'planning')
    expect(planning.slice(0, 3)).toEqual([true, true, false])
    expect(planning.lastIndexOf(true)).toBe(1)
  })

  it('S0-42 S0-43 plan_items are texts and current_plan_index a whole number inside the list', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')], thought: [done()] })
    const task = await createTask(bench, {}, ONE)
    expect(titles(task)).toEqual(['A', 'B'])
    expect(task.plan.cursor).toBe(1)
    const state = stateOf(bench, task.id)
    for (const cursor of [-1, 0.5, '1', null]) {
      expect(State.safeParse({ ...state, plan: { ...state.plan, cursor } }).success).toBe(false)
    }
  })

  it.each<[string, Script, string]>([
    ['planning', { plan: [planned('A')] }, 'thinking'],
    ['a tool that worked', { plan: [planned('A')], thought: [act()] }, 'thinking'],
    ['a tool that failed', { plan: [planned('A')], thought: [act()], tools: [{ ok: false }] }, 'thinking'],
    ['a broken thought', { plan: [planned('A')], thought: ['bad'] }, 'thinking'],
    ['a question', { plan: [planned('A')], thought: [ask()] }, 'asking'],
    ['a finished item', { plan: [planned('A')], thought: [done()] }, 'replanning'],
  ])('S0-44 S0-45 R4 what is awaited and whether a replan is due, after %s', async (name, script, phase) => {
    const bench = benchOf(script)
    const task = await createTask(bench, {}, name === 'planning' ? NONE : ONE)
    expect(stateOf(bench, task.id).phase).toBe(phase)
    expect(task.status).toBe(phase === 'asking' ? 'input_required' : 'running')
    if (phase !== 'asking') return
    const answered = await say(bench, task.id, 'tomorrow', NONE)
    expect([answered.status, stateOf(bench, task.id).phase]).toEqual(['running', 'replanning'])
  })

  it('S0-46 last_thought is null before the first, then the latest valid one, through waiting and broken replies', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), 'bad', ask()] })
    let task = await createTask(bench)
    expect(task.last_thought).toBeNull()
    const decisions = []
    for (let round = 0; round < 3; round++) {
      task = await step(bench, task.id)
      decisions.push(task.last_thought?.decision)
    }
    expect(decisions).toEqual(['continue', 'continue', 'ask_user'])
  })

  it('S0-47 observations, counts, clarifications and the last question are kept', async () => {
    const { bench, task, waiting } = await playMany()
    expect(waiting.pending).toMatchObject({ question: 'When?' })
    const kept = context(bench.requests.at(-1))
    expect(kept.clarifications).toEqual([{ question: 'When?', answer: 'tomorrow' }])
    expect(kept.observations.map((one: { tool: string }) => one.tool)).toEqual(['todo', 'thought', 'replan', 'todo'])
    expect(kept.step_count).toBe(11)
    expect(task.counters).toMatchObject({ successful_actions: 1, failed_actions: 1 })
  })

  it('S0-79 O0-10 R5 any list after any list: the cursor stays inside, kept for the same list, 0 for another; no id twice', () => {
    const list = fc.array(fc.constantFrom('A', 'B', 'C', 'D'), { maxLength: 6 })
    fc.assert(
      fc.property(list, fc.nat(6), fc.option(list, { freq: 2 }), (before, done_items, other) => {
        const after = other ?? before
        const first = firstPlan(startState().plan, 2, before)
        const cursor = Math.min(done_items, before.length)
        const plan = replacePlan({ ...first, cursor }, before, 9, after)
        const same = JSON.stringify(before) === JSON.stringify(after)
        expect(plan.cursor).toBe(same ? cursor : 0)
        expect(plan.ids).toHaveLength(after.length)
        expect(new Set(plan.ids).size).toBe(plan.ids.length)
        expect(Math.max(0, ...plan.ids)).toBeLessThan(plan.next_id)
        const finished = same ? [] : first.ids.slice(0, cursor)
        expect(plan.ids.filter((id) => finished.includes(id))).toEqual([])
      }),
    )
  })
})

describe('three duties', () => {
  it('S0-73 S0-74 S0-99 plan, thought and replan are three requests, each with its own prompt and contract', async () => {
    const { bench } = await playMany()
    expect(new Set(phases(bench))).toEqual(new Set(['plan', 'thought', 'replan']))
    const duties = bench.requests.map(({ metadata, contract, messages }) =>
      JSON.stringify([metadata.phase, contract.name, contract.schema, messages[0]?.content]),
    )
    expect(new Set(duties).size).toBe(3)
    expect(bench.requests.map((request) => request.contract.name)).toEqual(
      phases(bench).map((phase) => `plan_execute_${phase}`),
    )
  })

  it.each([
    ['plan', planned('A')],
    ['thought', act()],
    ['replan', replanned('A')],
  ] as const)('S0-75 three validators: a reply of %s satisfies its own and no other', (phase, reply) => {
    const fits = Object.entries(CONTRACTS).flatMap(([name, contract]) =>
      readReply<unknown>(contract, JSON.stringify(reply)).ok ? [name] : [],
    )
    expect(fits).toEqual([phase])
  })

  it('S0-76 tests speak in three kinds of payloads: a dry script stops the task, a leftover fails the test', async () => {
    const dry = benchOf({ plan: [planned('A')] })
    const task = await createTask(dry, { failure_limit: 1 }, ALL)
    expect(task.error?.detail ?? task.handover?.unfinished_reason).toContain('the model adapter failed')
    for (const leftover of [
      { plan: [planned()] },
      { thought: [done()] },
      { replan: [closed()] },
      { tools: [{ ok: true }] },
    ]) {
      expect(() => benchOf(leftover).spent()).toThrow('to deeply equal')
    }
  })

  it('S0-50 a thought has five fields and three statuses; three tools are offered to it', async () => {
    const schema = schemaOf('plan_execute', 'thought')
    expect(schema.required).toEqual(['status', 'current_step', 'next_action', 'question', 'response'])
    expect(schema.properties).toMatchObject({ status: { enum: ['continue', 'ask_user', 'done'] } })
    const bench = benchOf({ plan: [planned('A')], thought: [done()] })
    await createTask(bench, {}, ONE)
    const offered = context(bench.requests[1]).tools.map((tool: { name: string }) => tool.name)
    expect(offered).toEqual(['todo', 'schedule', 'internet_search'])
  })

  it('S0-78 a replan is light: three fields, no tools in its context, and no list needed to close', async () => {
    expect(schemaOf('plan_execute', 'replan').required).toEqual(['status', 'plan', 'response'])
    const bench = benchOf({
      plan: [planned('A')],
      thought: [done()],
      replan: [{ status: 'done', response: 'all done' }],
    })
    const task = await createTask(bench, {}, ALL)
    expect(context(bench.requests.at(-1))).not.toHaveProperty('tools')
    expect(task.result?.text).toBe('all done')
  })

  it('O0-17 the context is JSON: phase, goal, time, units, tools, clarifications, counts, plan, cursor, pending answer, observations', async () => {
    const { bench } = await playMany()
    const shared = ['phase', 'goal', 'local_time', 'clarifications', 'step_count', 'max_steps']
    const working = [...shared, 'plan', 'cursor', 'observations']
    const wanted: Record<string, string[]> = {
      plan: [...shared, 'tools', 'units'],
      thought: [...working, 'current_item', 'tools', 'units'],
      replan: [...working, 'pending_answer', 'note'],
    }
    for (const request of bench.requests) {
      expect(Object.keys(context(request))).toEqual(expect.arrayContaining(wanted[request.metadata.phase] ?? ['?']))
    }
    expect(context(bench.requests[0]).units).toMatch(/minutes.*180.*YYYY-MM-DD HH:MM/s)
    expect(context(bench.requests[0]).local_time).toBe('2026-11-21 12:00')
  })

  it('O0-18 ruling 7 a call is JSON by schema at temperature 0; the form the endpoint took is asked for from then on', async () => {
    const bench = benchOf({})
    const seen: [string, number][] = []
    const replies = [planned('A'), done(), closed()]
    bench.ports.model = {
      complete(request) {
        seen.push([request.form, request.temperature])
        const text = JSON.stringify(replies[seen.length - 1])
        return Promise.resolve({ kind: 'model_replied', text, usage: null, model: 'm', form: 'json_object' })
      },
    }
    expect((await createTask(bench, {}, ALL)).status).toBe('completed')
    expect(seen).toEqual([
      ['json_schema', 0],
      ['json_object', 0],
      ['json_object', 0],
    ])
  })
})

describe('what people read', () => {
  const story = async (locale: 'en' | 'zh') => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), done(), act('/todo list'), ask()],
      replan: [replanned('B', 'C'), closed()],
      tools: [{ ok: true, text: 'added #1' }, { ok: false }],
    })
    const waiting = await createTask(bench, {}, ALL, { locale })
    return [...taskLines(waiting), ...taskLines(await say(bench, waiting.id, 'now', ALL))]
  }
  it.each([
    ['S0-66 planning is told with its number of steps', 'Plan ready: 2 steps', '规划完成：共 2 步'],
    ['S0-67 the current item is told as i/N with its text', 'Current item: 1/2 - A', '当前计划项：1/2 - A'],
    ['S0-67 and again for the next one', 'Current item: 1/2 - B', '当前计划项：1/2 - B'],
    ['S0-68 the decision to act', 'Decision: act', '思考决策：执行动作'],
    ['S0-68 the decision that an item is done', 'Decision: step done', '思考决策：步骤完成'],
    ['S0-68 the decision to ask', 'Decision: ask', '思考决策：请求澄清'],
    ['S0-68 the decision that the task is done', 'Decision: task done', '思考决策：任务完成'],
    [
      'S0-69 the action is told as tool and input',
      'Action: todo -> /todo add milk',
      '步骤动作：todo -> /todo add milk',
    ],
    ['S0-70 the result of an action: success', 'Result: success', '步骤结果：成功'],
    ['S0-70 the result of an action: failure', 'Result: failure', '步骤结果：失败'],
    ['S0-71 after a sub-task the new number of steps', 'Replanned: 2 steps', '重规划完成：共 2 步'],
    ['S0-92 progress still shows the plan list', '  [ ] 1. A', '  [ ] 1. A'],
    ['S0-92 progress still shows what is completed', 'Finished: completed', '任务结束：已完成'],
  ])('%s', async (_name, en, zh) => {
    expect(await story('en')).toContain(en)
    expect(await story('zh')).toContain(zh)
  })

  it('S0-66 planning is told the first time only', async () => {
    expect((await story('en')).filter((line) => line.startsWith('Plan ready'))).toHaveLength(1)
  })

  it.each([
    ['todo', '/todo add milk --tag home', 'todo_added'],
    ['todo', '/view today', 'empty_result'],
    ['schedule', '/schedule add 2026-11-27 15:00 dentist', 'schedule_added'],
  ])(
    'S0-91 %s: %s answers as ever, sent alone, beside a waiting task, or by a thought',
    async (tool, command, kind) => {
      const alone = realBench({})
      alone.ports.model = null
      const direct = await alone.service.runCommand(CALLER, command, null, 'en')
      if (!direct.ok) throw new Error('refused')
      expect(direct.value.kind).toBe(kind)
      const beside = realBench({ plan: [planned('A')], thought: [ask()] })
      const { id } = await createTask(beside, {}, ALL)
      const heard = await beside.service.inputTask(CALLER, id, command, null, ALL)
      expect(heard.ok && heard.value.command).toEqual(direct.value)
      const acting = realBench({ plan: [planned('A')], thought: [act(command, tool)] })
      const acted = await createTask(acting, {}, ONE)
      expect((await journalOf(acting, acted.id)).at(-1)?.reply).toMatchObject({ code: kind, text: direct.value.text })
    },
  )

  it('O0-15 the limit text: the limit, the last three successful actions as tool: input, the last failure, two suggestions', async () => {
    const thought = [act('a'), ask(), ...['b', 'c', 'd', 'e'].map((input) => act(input))]
    const bench = benchOf({
      plan: [planned('A')],
      thought,
      tools: [{ ok: true }, { ok: true }, { ok: true }, { ok: true }, { ok: false, text: 'shop is closed' }],
      replan: [replanned('A')],
    })
    const { id } = await createTask(bench, { max_steps: 12 }, ALL)
    const { handover } = await say(bench, id, 'now', ALL)
    expect(handover?.completed).toEqual(['todo: b', 'todo: c', 'todo: d'])
    expect(handover?.unfinished_reason).toMatch(/12.*shop is closed/)
    expect(handover?.next_steps).toHaveLength(2)
    const bare = benchOf({ plan: [planned('A')], thought: [done()] })
    const early = await createTask(bare, { max_steps: 1 }, ALL)
    expect(early.handover?.unfinished_reason).toContain('more information needed')
  })

  it.each(['en', 'zh'] as const)(
    'D7 questions, handovers, hints and progress are in the language of the task (%s)',
    async (locale) => {
      const bench = benchOf({ plan: [planned('1')], thought: [ask('?'), act('7'), act('8')], replan: [replanned('1')] })
      const asking = await createTask(bench, { max_steps: 5 }, ALL, { locale })
      const limit = await say(bench, asking.id, '9', ALL)
      expect([asking.status, limit.stop_reason]).toEqual(['input_required', 'budget_exhausted:steps'])
      const prompt = asking.pending?.kind === 'question' ? asking.pending.prompt : ''
      const hint = limit.pending?.kind === 'resume' ? limit.pending.hint : ''
      const parts = [prompt, hint, limit.handover?.unfinished_reason, ...(limit.handover?.next_steps ?? [])]
      const shown = [...parts, ...taskLines(asking), ...taskLines(limit)].map((line) => line ?? '')
      const han = (line: string) => /\p{Script=Han}/u.test(line)
      if (locale === 'en') expect(shown.filter(han)).toEqual([])
      else expect(parts.filter((line) => !han(line ?? ''))).toEqual([])
    },
  )

  it('O0-01 the defaults', () => {
    expect(Settings.parse({})).toMatchObject({
      max_steps: 20,
      plan_retries: 2,
      failure_limit: 2,
      max_clarifications: 6,
      observation_char_limit: 10_000,
      observation_history_limit: 100,
      cancel_phrase: '取消当前任务',
      search_top_k: 3,
      schedule_window_days: 31,
      conflict_preview_days: 31,
    })
  })
})
