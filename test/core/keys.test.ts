/** Idempotency keys (P14, U6): the same request again is the same answer, never a second effect. */
import { describe, expect, it } from 'vitest'
import type { RequestKey } from '../../src/core/protocol/advance.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { TaskAnswer, Caller } from '../../src/shell/caller.ts'
import { damage } from '../support/held.ts'
import {
  MANUAL,
  act,
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
  type Script,
} from '../support/scripted.ts'
import { workspaceWith } from '../support/workspace-with.ts'

const withKey = (key: string, scope: string, digest = 'd1'): Caller => ({ ...CALLER, key: { scope, key, digest } })
const NEW = {
  goal: 'g',
  mode: 'plan_execute' as const,
  settings: Settings.parse({}),
  locale: 'en' as const,
  timezone: 'UTC',
  metadata: {},
  ...MANUAL,
}
const CREATE = 'POST /tasks'
const made = (answer: Result<TaskAnswer>): TaskAnswer => {
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusal))
  return answer.value
}
const HOUR = 3_600_000

async function running(script: Script) {
  const bench = benchOf({ plan: [planned('A')], ...script })
  const task = await createTask(bench)
  const step = `POST /tasks/${task.id}/step`
  return { bench, id: task.id, step }
}

describe('idempotency', () => {
  it('the same step again is the first answer again, body for body, and calls nothing', async () => {
    const { bench, id, step } = await running({ thought: [act()] })
    const first = made(await bench.service.stepTask(withKey('k', step), id, ONE))
    bench.clock.now += HOUR
    const again = made(await bench.service.stepTask(withKey('k', step), id, ONE))
    expect(again).toEqual({ ...first, replayed: true })
    expect(bench.calls).toHaveLength(1)
    bench.spent()
  })

  it('the first answer is given again although the task has moved on', async () => {
    const { bench, id, step } = await running({ thought: [act(), done()], replan: [closed()] })
    const first = made(await bench.service.stepTask(withKey('k', step), id, ONE))
    made(await bench.service.stepTask(withKey('l', step), id, { rounds: 9, max_ms: 25_000 }))
    expect(made(await bench.service.stepTask(withKey('k', step), id, ONE))).toEqual({ ...first, replayed: true })
  })

  it('the first answer is given again while another request is under way', async () => {
    const { bench, id, step } = await running({ thought: [act()] })
    const first = made(await bench.service.stepTask(withKey('k', step), id, ONE))
    const other = { slice: 'other', boot: 'boot', more: 'new_round' as const, rounds: 1, wall_ms: 0, key: null }
    expect(await bench.store.of('acme', id).begin(other)).toMatchObject({ ok: true })
    expect(made(await bench.service.stepTask(withKey('k', step), id, ONE))).toEqual({ ...first, replayed: true })
  })

  it('F7 the same key with another body is idempotency_key_reused; another scope or key is another request', async () => {
    const { bench, id, step } = await running({ thought: [act('/todo add a'), act('/todo add b'), act('/todo add c')] })
    made(await bench.service.stepTask(withKey('k', step), id, ONE))
    const other = await bench.service.stepTask(withKey('k', step, 'd2'), id, ONE)
    expect(other).toEqual({ ok: false, refusal: { code: 'idempotency_key_reused' } })
    expect(made(await bench.service.stepTask(withKey('k2', step), id, ONE)).task.step_count).toBe(4)
    expect(made(await bench.service.stepTask(withKey('k', 'POST /elsewhere'), id, ONE)).task.step_count).toBe(6)
  })

  it('an answer is applied once: repeated, it is not heard as a remark', async () => {
    const { bench, id } = await running({ thought: [ask()], replan: [replanned('A')] })
    made(await bench.service.stepTask(CALLER, id, ONE))
    const input = `POST /tasks/${id}/input`
    const first = made(await bench.service.inputTask(withKey('k', input), id, 'tomorrow', null, ONE))
    const again = made(await bench.service.inputTask(withKey('k', input), id, 'tomorrow', null, ONE))
    expect(again).toEqual({ ...first, replayed: true })
    const journal = await bench.service.listJournal(CALLER, id, { after: 0, limit: 100 })
    expect(journal.ok && journal.value.data.filter((row) => row.kind === 'user_remarked')).toEqual([])
  })

  it('while the first one runs, the second is request_in_progress; a remark queued meanwhile is replayed as it was answered', async () => {
    const { bench, id, step } = await running({})
    const input = `POST /tasks/${id}/input`
    const seen: unknown[] = []
    bench.ports.model = {
      async complete() {
        seen.push(await bench.service.stepTask(withKey('k', step), id, ONE))
        seen.push(made(await bench.service.inputTask(withKey('r', input), id, 'hurry', null, ONE)))
        return { kind: 'model_replied', text: JSON.stringify(done()), usage: null, model: 'm', form: 'text' }
      },
    }
    made(await bench.service.stepTask(withKey('k', step), id, ONE))
    expect(seen[0]).toMatchObject({ ok: false, refusal: { code: 'request_in_progress' } })
    expect(seen[1]).toMatchObject({ task: { slice: { advanced: false, rounds: 0, events: [] }, step_count: 0 } })
    const again = made(await bench.service.inputTask(withKey('r', input), id, 'hurry', null, ONE))
    expect(again).toEqual({ ...(seen[1] as TaskAnswer), replayed: true })
  })

  it('what was said behind the first call of a driven task is answered again as it was: running, not queued', async () => {
    const bench = benchOf({})
    const id = made(await bench.service.createTask(CALLER, { ...NEW, drive: 'background' }, NONE)).task.id
    const input = withKey('r', `POST /tasks/${id}/input`)
    const said: TaskAnswer[] = []
    bench.ports.model = {
      async complete() {
        said.push(made(await bench.service.inputTask(input, id, 'hurry', null, NONE)))
        return { kind: 'model_replied', text: JSON.stringify(planned('A')), usage: null, model: 'm', form: 'text' }
      },
    }
    made(await bench.service.stepTask(CALLER, id, NONE))
    expect(said.map(({ task }) => task.status)).toEqual(['running'])
    const again = made(await bench.service.inputTask(input, id, 'hurry', null, NONE))
    expect(again).toEqual({ ...said[0], replayed: true })
  })

  it('a request that died is gone on with under its key: nothing is heard twice, its rounds are not begun anew', async () => {
    const { bench, id, step } = await running({ thought: [done()], replan: [closed()] })
    const key: RequestKey = { scope: step, key: 'k', digest: 'd1' }
    const ticket = { slice: 'dead', boot: 'boot', more: 'new_round' as const, rounds: 2, wall_ms: 0, key }
    await bench.store.of('acme', id).begin(ticket) // its worker is never heard of again
    bench.clock.now += HOUR
    const answer = made(await bench.service.stepTask(withKey('k', step), id, { rounds: 2, max_ms: 25_000 }))
    expect(answer).toMatchObject({ task: { step_count: 2, slice: { advanced: true, rounds: 2 } } })
    expect(answer.replayed).toBeUndefined()
    expect(made(await bench.service.stepTask(withKey('k', step), id, { rounds: 2, max_ms: 25_000 }))).toEqual({
      ...answer,
      replayed: true,
    })
  })

  it('P4 a begin that is delivered twice is handed its own effect again, with a key as without', async () => {
    const { bench, id, step } = await running({})
    const ticket = { slice: 's', boot: 'boot', more: 'new_round' as const, rounds: 1, wall_ms: 0 }
    const key: RequestKey = { scope: step, key: 'k', digest: 'd1' }
    const first = await bench.store.of('acme', id).begin({ ...ticket, key })
    const again = await bench.store.of('acme', id).begin({ ...ticket, key })
    expect(again.ok && again.value.assignment).toEqual(first.ok && first.value.assignment)
    expect(again.ok && again.value.advanced).toBe(false)
    // Its round is counted when it is performed.
    expect(again.ok && again.value.earlier?.rounds).toBe(0)
  })

  it('a dead request that is continued begins no more rounds than it was allowed to', async () => {
    const { bench, id, step } = await running({})
    const key: RequestKey = { scope: step, key: 'k', digest: 'd1' }
    const ticket = { slice: 'dead', boot: 'boot', more: 'new_round' as const, rounds: 1, wall_ms: 0, key }
    await bench.store.of('acme', id).begin(ticket)
    bench.clock.now += HOUR
    const answer = made(await bench.service.stepTask(withKey('k', step), id, ONE))
    expect(answer.task).toMatchObject({ step_count: 1, slice: { rounds: 1 } }) // its one round was lost
    expect(bench.requests).toHaveLength(1)
  })

  it('a request that first finishes a lost tool is in progress meanwhile and replayed with what it did', async () => {
    const { bench, id } = await running({ thought: [act()] })
    const lost = { slice: 'dead', boot: 'boot', more: 'new_round' as const, rounds: 1, wall_ms: 0, key: null }
    const task = bench.store.of('acme', id)
    const begun = await task.begin(lost)
    const text = JSON.stringify(act())
    const thought = { kind: 'model_replied' as const, text, usage: null, model: 'm', form: 'text' as const }
    await task.commit((begun.ok && begun.value.assignment?.seq) || 0, thought, lost) // its tool is under way, and lost
    bench.clock.now += HOUR
    const budget = withKey('b', `POST /tasks/${id}/budget`)
    const seen: unknown[] = []
    const tool = bench.ports.tools.get('todo')
    bench.ports.tools = new Map([
      [
        'todo',
        {
          name: 'todo',
          async run(input, call) {
            seen.push(await bench.service.tellTask(budget, id, { kind: 'top_up', add: { steps: 5 } }))
            return tool?.run(input, call) ?? Promise.reject(new Error('no tool'))
          },
        },
      ],
    ])
    const first = made(await bench.service.tellTask(budget, id, { kind: 'top_up', add: { steps: 5 } }))
    expect(seen).toMatchObject([{ ok: false, refusal: { code: 'request_in_progress' } }])
    expect(first.task).toMatchObject({ step_count: 2, budget: { max: 25 } })
    expect(made(await bench.service.tellTask(budget, id, { kind: 'top_up', add: { steps: 5 } }))).toEqual({
      ...first,
      replayed: true,
    })
  })

  it('a request that only finishes what another one lost is remembered with it', async () => {
    const { bench, id, step } = await running({ thought: [act(), act()] })
    const lost = { slice: 'dead', boot: 'boot', more: 'new_round' as const, rounds: 1, wall_ms: 0 }
    const task = bench.store.of('acme', id)
    const key: RequestKey = { scope: step, key: 'x', digest: 'd1' }
    const begun = await task.begin({ ...lost, key })
    const text = JSON.stringify(act())
    const thought = { kind: 'model_replied' as const, text, usage: null, model: 'm', form: 'text' as const }
    await task.commit((begun.ok && begun.value.assignment?.seq) || 0, thought, { ...lost, key })
    bench.clock.now += HOUR
    const late = { rounds: 1, max_ms: 0 } // no time for a round of its own
    const first = made(await bench.service.stepTask(withKey('k', step), id, late))
    expect(first.task).toMatchObject({ step_count: 2, slice: { advanced: true, rounds: 0 } })
    expect(first.task.slice?.events.map(({ type }) => type)).toEqual(['action_finished'])
    expect(made(await bench.service.stepTask(withKey('k', step), id, late))).toEqual({ ...first, replayed: true })
    const other = await bench.service.stepTask(withKey('k', step, 'd2'), id, late)
    expect(other).toEqual({ ok: false, refusal: { code: 'idempotency_key_reused' } })
    // The one that lost it is answered too, once for both.
    expect(made(await bench.service.stepTask(withKey('x', step), id, ONE))).toMatchObject({
      replayed: true,
      task: { step_count: 2, slice: { rounds: 1 } },
    })
  })

  it('a request that only finishes what another one lost is in progress while it fetches its total of the day', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] }, { daily: { tokens: 60_000_000, cost: null } })
    const { id } = await createTask(bench)
    const step = `POST /tasks/${id}/step`
    const lost = { slice: 'dead', boot: 'boot', more: 'new_round' as const, rounds: 1, wall_ms: 0 }
    const key: RequestKey = { scope: step, key: 'x', digest: 'd1' }
    const task = bench.store.of('acme', id)
    await task.begin({ ...lost, key }) // its thought is under way, and lost with all that was reserved ahead
    bench.clock.now += HOUR
    const { store } = bench.ports
    const seen: unknown[] = []
    bench.ports.store = {
      ...store,
      workspace: (tenant) =>
        workspaceWith(store.workspace(tenant), {
          async reserve(command) {
            seen.push(await bench.service.stepTask(withKey('k', step), id, ONE))
            return store.workspace(tenant).tell(command)
          },
        }),
    }
    const rows = bench.store.rows.get(JSON.stringify(['acme', id]))
    const last = rows?.last() ?? null
    if (rows === undefined || last === null) throw new Error('no task')
    const head = { ...last.head, allowance: { ...last.head.allowance, tokens: 0 } }
    damage({ rows }, last.seq, () => ({ head: JSON.stringify(head) }))
    const first = made(await bench.service.stepTask(withKey('k', step), id, ONE))
    expect(seen).toMatchObject([{ ok: false, refusal: { code: 'request_in_progress' } }])
    expect(made(await bench.service.stepTask(withKey('k', step), id, ONE))).toEqual({ ...first, replayed: true })
  })

  it('repeated creates with one key make one task; another body is refused; after DELETE the key makes a new task', async () => {
    const bench = benchOf({ plan: [planned('A'), planned('B')] })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => bench.service.createTask(withKey('k', CREATE), NEW, NONE)),
    )
    const ids = answers.flatMap((answer) => (answer.ok ? [answer.value.task.id] : []))
    expect(new Set(ids).size).toBe(1)
    expect(
      answers
        .filter((answer) => !answer.ok)
        .every((answer) => !answer.ok && answer.refusal.code === 'request_in_progress'),
    ).toBe(true)
    const again = made(await bench.service.createTask(withKey('k', CREATE), NEW, NONE))
    expect(again).toMatchObject({ replayed: true, task: { id: ids[0], step_count: 0 } })
    expect(await bench.service.createTask(withKey('k', CREATE, 'd2'), NEW, NONE)).toMatchObject({
      refusal: { code: 'idempotency_key_reused' },
    })
    const list = await bench.service.listTasks(
      CALLER,
      { status: null, mode: null, metadata: {}, q: null, outcome: null },
      { limit: 10, after: 0 },
    )
    expect(list.ok && list.value.data).toHaveLength(1)
    await bench.service.deleteTask(CALLER, ids[0] ?? '')
    expect(made(await bench.service.createTask(withKey('k', CREATE), NEW, NONE)).task.plan.items[0]?.title).toBe('B')
  })

  it('a request that wrote nothing is not recorded: the same key is heard later', async () => {
    const { bench, id, step } = await running({ thought: [ask(), done()], replan: [replanned('A')] })
    made(await bench.service.stepTask(CALLER, id, ONE))
    expect(made(await bench.service.stepTask(withKey('k', step), id, ONE)).task.slice?.advanced).toBe(false)
    made(await bench.service.inputTask(CALLER, id, 'tomorrow', null, ONE))
    const heard = made(await bench.service.stepTask(withKey('k', step), id, ONE))
    expect(heard).toMatchObject({ task: { slice: { advanced: true } } })
    expect(heard.replayed).toBeUndefined()
  })

  it('F9 a key is remembered for a day and forgotten after', async () => {
    const { bench, id, step } = await running({ thought: [act(), act()] })
    made(await bench.service.stepTask(withKey('k', step), id, ONE))
    bench.clock.now += 23 * HOUR
    expect(made(await bench.service.stepTask(withKey('k', step), id, ONE)).replayed).toBe(true)
    bench.clock.now += 2 * HOUR
    expect(made(await bench.service.stepTask(withKey('k', step), id, ONE)).task.step_count).toBe(4)
  })

  it('a command is run once: its answer is given again, another body is refused', async () => {
    const bench = benchOf({})
    const caller = withKey('k', 'POST /commands')
    const first = await bench.service.runCommand(caller, '/todo add milk', null, 'en')
    const again = await bench.service.runCommand(caller, '/todo add milk', null, 'en')
    expect(first).toMatchObject({ value: { result: { kind: 'todo_added', data: { id: 1 } }, replayed: false } })
    expect(again).toEqual({ ok: true, value: { ...(first.ok ? first.value : {}), replayed: true } })
    const other = await bench.service.runCommand(withKey('k', 'POST /commands', 'd2'), '/todo add tea', null, 'en')
    expect(other).toEqual({ ok: false, refusal: { code: 'idempotency_key_reused' } })
  })

  it('what others cause while a request fetches its total of the day is not shown as its own, now or again', async () => {
    const bench = benchOf(
      { plan: [new Error('down'), new Error('down'), new Error('down')] },
      { daily: { tokens: 60_000, cost: null } },
    )
    const { id } = await createTask(bench) // paused, so that it holds nothing of the total
    const { store } = bench.ports
    bench.ports.store = {
      ...store,
      workspace: (tenant) =>
        workspaceWith(store.workspace(tenant), {
          async reserve() {
            made(await bench.service.tellTask(CALLER, id, { kind: 'top_up', add: { steps: 5 } }))
            return null
          },
        }),
    }
    const input = withKey('k', `POST /tasks/${id}/input`)
    const first = made(await bench.service.inputTask(input, id, 'continue', null, ONE))
    const shown = first.task.slice?.events.map(({ type }) => type)
    expect(shown).toEqual(['task_resumed', 'budget_exhausted', 'task_paused'])
    expect(first.task.budget.max).toBe(25)
    expect(made(await bench.service.inputTask(input, id, 'continue', null, ONE))).toEqual({ ...first, replayed: true })
  })

  it('a late commit under a key takes nothing over: it looks for the answer and writes nothing', async () => {
    const { bench, id, step } = await running({})
    const task = bench.store.of('acme', id)
    const key: RequestKey = { scope: step, key: 'k', digest: 'd1' }
    const by = (slice: string) => ({ slice, boot: 'boot', more: 'new_round' as const, rounds: 1, wall_ms: 0, key })
    const text = JSON.stringify(act())
    const thought = { kind: 'model_replied' as const, text, usage: null, model: 'm', form: 'text' as const }
    const begun = await task.begin(by('a'))
    await task.commit((begun.ok && begun.value.assignment?.seq) || 0, thought, by('a')) // its tool is under way
    bench.clock.now += HOUR
    await task.begin(by('b')) // took it over, and died
    bench.clock.now += HOUR
    const rows = bench.store.rows.get(JSON.stringify(['acme', id]))
    const before = JSON.stringify([...(rows?.records ?? [])])
    expect(await task.ask({ kind: 'earlier_answer', ticket: by('a') })).toEqual({
      ok: false,
      refusal: { code: 'lease_lost' },
    })
    expect(JSON.stringify([...(rows?.records ?? [])])).toBe(before)
  })

  it('a request that closes a row of the day before is remembered from now on', async () => {
    const bench = benchOf({})
    const lost = { slice: 'dead', boot: 'boot', more: 'new_round' as const, rounds: 1, wall_ms: 0, key: null }
    const brief = { ...NEW, settings: Settings.parse({ plan_retries: 0 }) }
    await bench.store.of('acme', 'task_1').create({ id: 'task_1', tenant: 'acme', brief }, lost)
    bench.clock.now += 26 * HOUR
    const step = withKey('k', 'POST /tasks/task_1/step')
    const first = made(await bench.service.stepTask(step, 'task_1', ONE))
    expect(first.task).toMatchObject({ status: 'paused', slice: { advanced: true } })
    expect(made(await bench.service.stepTask(step, 'task_1', ONE))).toEqual({ ...first, replayed: true })
  })

  it('U3 a slice whose task is canceled answers with the canceled task, now and again', async () => {
    const { bench, id, step } = await running({})
    bench.ports.model = {
      async complete() {
        made(await bench.service.inputTask(CALLER, id, 'hurry', null, ONE)) // queued behind the call
        made(await bench.service.tellTask(CALLER, id, { kind: 'cancel' }))
        return { kind: 'model_replied', text: JSON.stringify(done()), usage: null, model: 'm', form: 'text' }
      },
    }
    const first = made(await bench.service.stepTask(withKey('k', step), id, ONE))
    expect(first.task).toMatchObject({ status: 'canceled', slice: { advanced: true } })
    expect(first.task.slice?.events.map(({ type }) => type)).toContain('task_canceled')
    expect(made(await bench.service.stepTask(withKey('k', step), id, ONE))).toEqual({ ...first, replayed: true })
  })

  it('cancel and top-up are recorded too', async () => {
    const { bench, id } = await running({})
    const add = { steps: 5 }
    const budget = withKey('b', `POST /tasks/${id}/budget`)
    const first = made(await bench.service.tellTask(budget, id, { kind: 'top_up', add }))
    expect(first.task.budget.max).toBe(25)
    expect(made(await bench.service.tellTask(budget, id, { kind: 'top_up', add }))).toEqual({
      ...first,
      replayed: true,
    })
    const cancel = withKey('c', `POST /tasks/${id}/cancel`)
    const ended = made(await bench.service.tellTask(cancel, id, { kind: 'cancel' }))
    expect(made(await bench.service.tellTask(cancel, id, { kind: 'cancel' }))).toEqual({ ...ended, replayed: true })
  })
})
