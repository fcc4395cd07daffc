/** PATCH /tasks/:id/plan: what an edit by hand makes of the plan, in each phase, at once or behind an effect. */
import { describe, expect, it } from 'vitest'
import type { SentItem } from '../../src/core/protocol/plan-edit.ts'
import { refold } from '../../src/core/replay/history.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { acting, head, held, replied, returned, see, thinking, ticket, value, type Held } from '../support/held.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  CALLER,
  closed,
  context,
  createTask,
  done,
  NONE,
  ONE,
  phases,
  planned,
  replanned,
  say,
  step,
  taken,
  titles,
  types,
  type Bench,
  type Script,
} from '../support/scripted.ts'

const edit = (bench: Bench, id: string, items: SentItem[], versions: number[] | null = null) =>
  bench.service.editPlan(CALLER, id, items, versions)
const edited = async (bench: Bench, id: string, items: SentItem[]): Promise<TaskView> =>
  taken(await edit(bench, id, items))
const eventOf = (task: TaskView) => task.slice?.events.find(({ type }) => type === 'plan_edited')?.payload
const ids = (task: TaskView) => task.plan.items.map(({ id }) => id)
const titled = (...all: string[]): SentItem[] => all.map((title) => ({ title }))
async function planOf(script: Script, ...items: string[]) {
  const bench = benchOf({ plan: [planned(...items)], ...script })
  return { bench, task: await createTask(bench) }
}
/** One edit of a task that is driven call by call. */
const tell = (one: Held, items: SentItem[], versions: number[] | null = null) =>
  one.task.tell(
    { kind: 'edit_plan', edit: { items, versions, author: 'api:t' } },
    { ...ticket('editor'), more: 'nothing' },
  )
const notes = (advanced: { events: { type: string; payload: Record<string, unknown> }[] }) =>
  advanced.events.map(({ type }) => type)

describe('an edit', () => {
  it('PATCH replaces the unfinished items, is one free row with its author, and begins nothing', async () => {
    const { bench, task } = await planOf({}, 'A', 'B')
    const after = await edited(bench, task.id, titled('X', 'B'))
    expect(after).toMatchObject({ version: task.version + 1, step_count: 0, status: 'running' })
    expect([titles(after), ids(after), after.plan.cursor]).toEqual([['X', 'B'], ['step_3', 'step_2'], 0])
    expect(after.plan).toMatchObject({ revision: 2, source: 'edit' })
    expect(after.slice).toMatchObject({ advanced: true, rounds: 0 })
    expect(types(after)).toEqual(['plan_edited', 'item_started'])
    expect(eventOf(after)).toMatchObject({ author: 'api:acme', cursor: 0, revision: 2 })
    expect(phases(bench)).toEqual(['plan'])
  })

  it('U18 an item without an id takes that of the first unfinished one of its trimmed title, else a new one', async () => {
    const { bench, task } = await planOf({}, 'A', 'B', 'B', 'C')
    const after = await edited(bench, task.id, titled('B', 'A', 'B', 'B'))
    expect(ids(after)).toEqual(['step_2', 'step_1', 'step_3', 'step_5'])
    expect(eventOf(after)?.['diff']).toEqual({
      added: ['step_5'],
      removed: ['step_4'],
      kept: ['step_1', 'step_2', 'step_3'],
      moved: ['step_2', 'step_1'],
      dropped: [],
    })
  })

  it('U18 an item named by its id keeps the id under another title, and no other item takes it', async () => {
    const { bench, task } = await planOf({}, 'A', 'B')
    const after = await edited(bench, task.id, [{ title: 'A' }, { id: 'step_1', title: 'Z' }])
    expect([titles(after), ids(after)]).toEqual([
      ['A', 'Z'],
      ['step_3', 'step_1'],
    ])
  })

  it('keeps what it does not name of an item, and takes what it does', async () => {
    const { bench, task } = await planOf({}, 'A', 'B')
    const [first] = (await edited(bench, task.id, [{ title: 'A', description: 'how', expected_output: 'a number' }]))
      .plan.items
    expect(first).toMatchObject({ id: 'step_1', description: 'how', expected_output: 'a number', status: 'running' })
    const [same] = (await edited(bench, task.id, [{ id: 'step_1', title: 'A2' }])).plan.items
    expect(same).toMatchObject({ title: 'A2', description: 'how', expected_output: 'a number' })
    const [bare] = (await edited(bench, task.id, [{ title: 'A2', description: '', expected_output: null }])).plan.items
    expect(bare).toMatchObject({ id: 'step_1', description: '', expected_output: null })
  })

  it('the next thought works on the item that is then current, and is told what was written about it', async () => {
    const { bench, task } = await planOf({ thought: [act()] }, 'A')
    await edited(bench, task.id, [{ title: 'X', description: 'by train', expected_output: 'a ticket' }])
    await step(bench, task.id)
    const told = context(bench.requests.at(-1))
    expect(told.current_item).toEqual({
      id: 'step_2',
      title: 'X',
      description: 'by train',
      expected_output: 'a ticket',
    })
    expect(told.plan).toEqual([{ id: 'step_2', title: 'X', status: 'running' }])
  })

  it('R9 an empty list is one: the empty item is offered', async () => {
    const { bench, task } = await planOf({ thought: [done()], replan: [closed()] }, 'A')
    const after = await edited(bench, task.id, [])
    expect([ids(after), after.plan.cursor, types(after)]).toEqual([[], 0, ['plan_edited']])
    const ended = await step(bench, task.id, ALL)
    expect([context(bench.requests[1]).current_item, ended.status]).toEqual([{ id: null, title: '' }, 'completed'])
  })

  it("finished items stay where they are, and in the handover; their ids are no one else's", async () => {
    const script = { thought: [done('a'), done('x')], replan: [replanned('A', 'B'), replanned('A', 'X', 'Y')] }
    const { bench, task } = await planOf(script, 'A', 'B')
    // An identical list keeps the cursor behind what is done (R5).
    await step(bench, task.id, { rounds: 2, max_ms: 25_000 })
    const after = await edited(bench, task.id, titled('X', 'Y', 'A'))
    expect(after.plan).toMatchObject({ cursor: 1, revision: 2 })
    expect(after.plan.items.map(({ id, status, result }) => [id, status, result])).toEqual([
      ['step_1', 'completed', 'a'],
      ['step_3', 'running', null],
      ['step_4', 'pending', null],
      ['step_5', 'pending', null],
    ])
    const later = await step(bench, task.id)
    expect(later.plan).toMatchObject({ cursor: 2 })
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    expect(taken(await bench.service.getTask(CALLER, task.id)).handover?.completed).toEqual(['A: a', 'X: x'])
  })

  it('what was written by hand stays with an item through the lists of later replans', async () => {
    const script = { thought: [done()], replan: [replanned('N', 'B', 'C')] }
    const { bench, task } = await planOf(script, 'A')
    await edited(bench, task.id, [{ title: 'A' }, { title: 'B', description: 'how' }, { title: 'C' }])
    const after = await step(bench, task.id, { rounds: 2, max_ms: 25_000 })
    expect(after.plan.items.map(({ id, title, description }) => [id, title, description])).toEqual([
      ['step_4', 'N', ''],
      ['step_2', 'B', 'how'],
      ['step_3', 'C', ''],
    ])
  })

  it("a replan that is due is still made, and its prompt says that the list is the user's", async () => {
    const { bench, task } = await planOf({ thought: [done('a')], replan: [replanned('X')] }, 'A', 'B')
    await step(bench, task.id)
    const after = await edited(bench, task.id, titled('X'))
    expect([after.plan.cursor, types(after)]).toEqual([1, ['plan_edited']])
    await step(bench, task.id)
    const told = context(bench.requests.at(-1))
    expect([told.phase, told.completed]).toMatchObject(['replan', [{ title: 'A', result: 'a' }]])
    expect(told.note).toContain('edited the list by hand')
  })

  it('an open question stays open; its answer meets the edited plan', async () => {
    const { bench, task } = await planOf({ thought: [ask()], replan: [replanned('X')] }, 'A')
    const asking = await step(bench, task.id)
    const after = await edited(bench, task.id, titled('X'))
    expect(after.pending).toEqual(asking.pending)
    await say(bench, task.id, 'tomorrow', ONE)
    expect(context(bench.requests.at(-1)).plan).toMatchObject([{ id: 'step_2', title: 'X' }])
  })

  it('a paused task is edited and stays paused', async () => {
    const { bench, task } = await planOf({}, 'A')
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    const after = await edited(bench, task.id, titled('X'))
    expect([after.status, titles(after)]).toEqual(['paused', ['X']])
  })

  it('a task that could not be planned takes the list for its plan', async () => {
    const bench = benchOf({ plan: [new Error('down')], thought: [done()], replan: [closed()] })
    const made = await createTask(bench, { plan_retries: 0 })
    expect([made.status, made.stop_reason]).toEqual(['paused', 'model_unavailable'])
    expect(types(await edited(bench, made.id, titled('A')))).toEqual(['plan_edited', 'item_started'])
    expect(await say(bench, made.id, 'continue', ALL)).toMatchObject({ status: 'completed', step_count: 2 })
  })

  it('an action that was chosen and not begun is not run', async () => {
    const one = thinking()
    value(one.task.commit(3, replied(act()), ticket('s1', 'nothing')))
    const told = value(tell(one, titled('X')))
    expect(notes(told)).toEqual(['action_finished', 'plan_edited', 'item_started'])
    expect(told.events[0]?.payload).toMatchObject({ item_id: 'step_1', tool: 'todo', ok: false })
    expect(head(one).state.phase).toBe('thinking')
    expect(value(one.task.begin(ticket('s2'))).assignment?.work.kind).toBe('call_model')
  })
})

describe('an edit while an effect is under way', () => {
  it('U2 is answered at once from the task as it stands and applied by the next commit', () => {
    const one = acting()
    const told = value(tell(one, titled('X')))
    expect([told.advanced, told.events]).toEqual([false, []])
    expect(see(one).plan.items.map(({ title }) => title)).toEqual(['A'])
    const after = value(one.task.commit(4, returned, ticket('s1')))
    expect(notes(after)).toEqual(['action_finished', 'plan_edited', 'item_started'])
    expect(after.events[0]?.payload).toMatchObject({ item_id: 'step_1', ok: true })
    expect(see(one)).toMatchObject({ step_count: 2, plan: { items: [{ id: 'step_2', title: 'X' }] } })
  })

  it('U2 an item that is finished meanwhile stays finished: it is left out, and the event says so', () => {
    const one = thinking()
    value(tell(one, [{ id: 'step_1', title: 'A again' }, { title: 'X' }]))
    const after = value(one.task.commit(3, replied(done('a')), ticket('s1')))
    const { payload } = after.events.find(({ type }) => type === 'plan_edited') ?? {}
    expect(payload?.['diff']).toEqual({ added: ['step_2'], removed: [], kept: [], moved: [], dropped: ['step_1'] })
    expect(payload?.['items']).toEqual([
      { id: 'step_1', title: 'A' },
      { id: 'step_2', title: 'X' },
    ])
    const { items, cursor } = see(one).plan
    expect([cursor, items.map(({ status, title }) => [title, status])]).toEqual([
      1,
      [
        ['A', 'completed'],
        ['X', 'pending'],
      ],
    ])
  })

  it('U2 an item that a replan took away meanwhile is a new one', () => {
    const one = thinking()
    value(one.task.commit(3, replied(done('a')), ticket('s1', 'this_round')))
    value(tell(one, titled('B', 'C')))
    value(one.task.begin(ticket('s2')))
    const [open] = see(one).plan.items.slice(1)
    value(tell(one, [{ id: open?.id ?? '', title: 'B' }]))
    value(one.task.commit(5, replied(replanned('Z')), ticket('s2', 'nothing')))
    expect(see(one).plan.items.map(({ id, title }) => [id, title])).toEqual([['step_5', 'B']])
  })

  it('U2 behind the plan itself it takes the place of the list that comes', () => {
    const one = held()
    value(tell(one, titled('X')))
    value(one.task.commit(2, replied(planned('A', 'B')), ticket('s1')))
    expect(see(one).plan).toMatchObject({ revision: 2, items: [{ id: 'step_3', title: 'X' }] })
  })

  it('one that meets an ended task changes nothing and tells nothing', () => {
    const one = thinking()
    value(one.task.commit(3, replied(done('a')), ticket('s1')))
    value(tell(one, titled('X')))
    const after = value(one.task.commit(4, replied(closed()), ticket('s1')))
    expect(notes(after)).not.toContain('plan_edited')
    expect(see(one)).toMatchObject({ status: 'completed', plan: { items: [{ title: 'A' }] } })
  })

  it('412 of two edits made from one version the second is refused, though the first still waits', () => {
    const one = thinking()
    const { version } = see(one)
    value(tell(one, titled('X'), [version]))
    const second = tell(one, titled('Y'), [version])
    expect(second).toEqual({ ok: false, refusal: { code: 'precondition_failed', version, waiting: true } })
  })

  it('412 a lost effect that is closed on the way is no change of the version that was seen', () => {
    const one = thinking()
    const { version } = see(one)
    one.here.now_ms += 600_000
    expect(notes(value(tell(one, titled('X'), [version])))).toContain('plan_edited')
    expect(see(one).plan.items).toMatchObject([{ title: 'X' }])
  })
})

describe('an edit that is refused', () => {
  const refused = (code: string) => ({ ok: false, refusal: { code } })
  it('412 when it was made from another version; any of those named will do', async () => {
    const { bench, task } = await planOf({}, 'A')
    const { version } = task
    const stale = { code: 'precondition_failed', version, waiting: false }
    expect(await edit(bench, task.id, [], [version - 1])).toMatchObject({ ok: false, refusal: stale })
    expect(await edit(bench, task.id, [], [])).toMatchObject({ ok: false, refusal: stale })
    expect((await edit(bench, task.id, [], [1, version])).ok).toBe(true)
  })

  it('409 for a task that has ended, for any version', async () => {
    const { bench, task } = await planOf({}, 'A')
    await bench.service.tellTask(CALLER, task.id, { kind: 'cancel' })
    expect(await edit(bench, task.id, [], [1])).toMatchObject(refused('task_ended'))
  })

  it('404 of a task that is not there', async () => {
    const { bench } = await planOf({}, 'A')
    expect(await edit(bench, 'task_nowhere', [])).toMatchObject(refused('task_not_found'))
  })

  it('422 an id that is unknown, finished, or named twice, each by its pointer; nothing is changed', async () => {
    const { bench, task } = await planOf({ thought: [done()] }, 'A', 'B')
    const { version } = await step(bench, task.id)
    const items = ['step_1', 'step_2', 'step_2', 'step_9'].map((id) => ({ id, title: 'T' }))
    const answer = await edit(bench, task.id, items)
    const errors = [
      { pointer: '/items/0/id', message: 'items.0.id must be that of an unfinished item' },
      { pointer: '/items/2/id', message: 'items.2.id must be given once' },
      { pointer: '/items/3/id', message: 'items.3.id must be that of an unfinished item' },
    ]
    expect(answer).toEqual({ ok: false, refusal: { code: 'validation_failed', errors } })
    expect(taken(await bench.service.getTask(CALLER, task.id)).version).toBe(version)
  })

  it('422 details that stay could not grow from edit to edit beyond what a row holds', async () => {
    const { bench, task } = await planOf({}, 'A')
    const long = Array.from({ length: 100 }, (_, n) => ({ title: `t${n}`, description: '长'.repeat(2_000) }))
    await edited(bench, task.id, long)
    const more = long.map(({ title }) => ({ title, expected_output: '长'.repeat(2_000) }))
    const errors = [{ pointer: '/items', message: 'items must have at most 1 MiB of text in all' }]
    expect(await edit(bench, task.id, more)).toEqual({ ok: false, refusal: { code: 'validation_failed', errors } })
  })
})

describe('many edits', () => {
  it('leave a head below 16 KB that folds to itself, with any finished items', async () => {
    const names = Array.from({ length: 100 }, (_, n) => `item ${n}`)
    const thought = Array.from({ length: 260 }, () => done('x'))
    const replan = Array.from({ length: 260 }, () => (request: Parameters<typeof context>[0]) => {
      const { plan, completed } = context(request)
      const titlesIn = (items: { title: string }[]) => items.map(({ title }) => title)
      const [open = ''] = titlesIn(plan)
      // A list that is the same leaves what is finished in it (R5).
      const ended = titlesIn(completed).filter((title) => title.split('item')[0] === open.split('item')[0])
      return replanned(...new Set([...ended, ...titlesIn(plan)]))
    })
    const bench = benchOf({ plan: [planned(...names)], thought, replan })
    const task = await createTask(bench, { max_steps: 1_000 })
    for (const round of [1, 2, 3]) {
      await edited(bench, task.id, titled(...names.map((name) => `${round} ${name}`)))
      for (let n = 0; n < 3; n++) await step(bench, task.id, { rounds: 50, max_ms: 25_000 })
    }
    const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, task.id]))
    const last = rows?.last()?.seq ?? 0
    expect(last).toBeGreaterThan(100)
    for (let seq = 1; seq <= last; seq++) {
      const row = rows?.closed(seq)
      if (rows === undefined || row === null || row === undefined) throw new Error(`row ${seq} is missing`)
      expect(JSON.stringify(row.head).length).toBeLessThan(16_384)
      expect(refold(row, rows.closed(seq - 1)?.head ?? null, rows.recall).head).toEqual(row.head)
    }
    expect(taken(await bench.service.stepTask(CALLER, task.id, NONE)).plan.cursor).toBeGreaterThan(0)
  })
})
