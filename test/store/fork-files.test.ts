/** The files of a fork, in both stores (U26): as they were after its last row, written again from what the rows say. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { OutcomeEdit } from '../../src/core/replay/fork-edit.ts'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import type { ClientTool } from '../../src/core/terms/tools/client-tools.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { builtInTools } from '../../src/tools/index.ts'
import { action, complete, goOn, steps, told, type Round } from '../core/dynamic/support.ts'
import { forkOf } from '../support/forks.ts'
import {
  NO_RUNNERS,
  ALL,
  benchOf,
  calling,
  CALLER,
  createTask,
  filesOver,
  FREE,
  NONE,
  ONE,
  step,
  UNBOUNDED,
  type Script,
  clientToolsOf,
} from '../support/scripted.ts'

const stores: [string, () => TaskStore][] = [
  ['memory', () => memoryStore(() => ({ now_ms: Date.now(), boot: 'boot', prices: FREE, daily: UNBOUNDED }))],
  ['durable objects', () => durableStore(env.TASKS, env.WORKSPACES)],
]
const search = { name: 'none', search: () => Promise.reject(new Error('no network in tests')) }
const write = (name: string, content: string) => calling('', ['write_file', { name, content }])
const OWN: ClientTool = { name: 'write_file', description: '', parameters: null, url: 'https://here', idempotent: true }

describe.each(stores)('U26 files of a fork: %s', (_name, open) => {
  async function played(script: Script, mode: ModeName = 'session', tools: ClientTool[] = []) {
    const store = open()
    const bench = benchOf(script, {
      store,
      tools: builtInTools(store, filesOver(store), search, 'UTC', NO_RUNNERS),
    })
    const caller = { ...CALLER, tenant: `fork-files-${crypto.randomUUID()}` }
    const task = await createTask(bench, {}, NONE, { mode, caller, tools })
    const done = await step(bench, task.id, ALL, caller)
    const filesOf = async (id: string) => {
      const listed = await store.of(caller.tenant, id).ask({ kind: 'files' })
      if (!listed.ok) throw new Error(listed.refusal.code)
      const read = await Promise.all(
        listed.value.map(({ name }) => store.of(caller.tenant, id).ask({ kind: 'file', name })),
      )
      return Object.fromEntries(
        read.flatMap((one) => (one.ok && one.value !== null ? [[one.value.name, one.value]] : [])),
      )
    }
    const contents = async (id: string) =>
      Object.fromEntries(Object.entries(await filesOf(id)).map(([name, { content }]) => [name, content]))
    const page = await store.of(caller.tenant, task.id).ask({ kind: 'past_rows', after: 0, limit: 100 })
    if (!page.ok) throw new Error(page.refusal.code)
    const writes = page.value.data.flatMap(({ seq, effect }) => (effect?.kind === 'run_tool' ? [seq] : []))
    const fork = (at: number, outcome: OutcomeEdit | null = null) => forkOf(bench, task.id, { at, outcome }, caller)
    return { bench, caller, task: done, writes, rows: page.value.data, filesOf, contents, fork, store }
  }
  /** One file written over, and another beside it. */
  const overwritten = () => played({ turn: [write('a', 'old'), write('b', 'beside'), write('a', 'new 字'), 'done'] })

  it('U26 at each row they are as they were after it; the parent keeps its own', async () => {
    const { task, writes, rows, contents, fork } = await overwritten()
    const [first = 0, second = 0, third = 0] = writes
    expect(writes).toHaveLength(3)
    for (let at = 1; at <= rows.length; at++) {
      const expected = {
        ...(at >= first ? { a: 'old' } : {}),
        ...(at >= second ? { b: 'beside' } : {}),
        ...(at >= third ? { a: 'new 字' } : {}),
      }
      expect(await contents((await fork(at)).id)).toEqual(expected)
    }
    expect(await contents(task.id)).toEqual({ a: 'new 字', b: 'beside' })
  })

  it('U26 each knows the row that wrote it, when, and its bytes', async () => {
    const { task, writes, rows, filesOf, fork } = await overwritten()
    const made = await filesOf((await fork(task.version)).id)
    const at = rows[(writes[2] ?? 0) - 1]?.closed_at
    expect(made['a']).toMatchObject({ name: 'a', seq: writes[2], at, bytes: 7, source: 'tool', content: 'new 字' })
    expect(made['b']?.seq).toBe(writes[1])
  })

  it('U26 its tools read what was there then, and what it writes is its own', async () => {
    const script = {
      turn: [
        write('a', 'old'),
        write('a', 'new'),
        'done',
        calling('', ['read_file', { name: 'a' }]),
        write('a', 'of the fork'),
        'said',
      ],
    }
    const { bench, caller, task, writes, contents, fork, store } = await played(script)
    const made = await fork(writes[0] ?? 0)
    await step(bench, made.id, ONE, caller)
    const read = await store.of(caller.tenant, made.id).ask({ kind: 'past_rows', after: made.version, limit: 9 })
    expect(read.ok && read.value.data.at(-1)?.event).toMatchObject({ code: 'file_read', text: 'old' })
    await step(bench, made.id, ALL, caller)
    expect(await contents(made.id)).toEqual({ a: 'of the fork' })
    expect(await contents(task.id)).toEqual({ a: 'new' })
    bench.spent()
  })

  it('U26 a write that an edit lets fail did not happen; one that it lets work did', async () => {
    const { writes, contents, fork } = await played({
      turn: [write('a', 'old'), write('a', 'new'), write('b', 'x'.repeat(262_145)), 'done'],
    })
    const [, second = 0, large = 0] = writes
    const failed = await fork(second, { ok: false, code: 'error', text: 'the disk is full' })
    expect(await contents(failed.id)).toEqual({ a: 'old' })
    const edited = await fork(second, { ok: true, code: 'file_written', text: 'as you say' })
    expect(await contents(edited.id)).toEqual({ a: 'new' })
    const roomless = await fork(large, { ok: true, code: 'file_written', text: 'there is no room for it' })
    expect(await contents(roomless.id)).toEqual({ a: 'new' })
  })

  it('U26 a client’s own tool with that name writes no file here', async () => {
    const store = open()
    const client_tools = clientToolsOf(() => ({
      name: 'write_file',
      run: () => Promise.resolve({ ok: true, code: 'done', text: 'ours' }),
    }))
    const bench = benchOf({ turn: [write('a', 'x'), 'done'] }, { store, tools: new Map(), client_tools })
    const caller = { ...CALLER, tenant: `fork-files-${crypto.randomUUID()}` }
    const task = await createTask(bench, {}, ALL, { mode: 'session', caller, tools: [OWN] })
    const made = await forkOf(bench, task.id, { at: task.version }, caller)
    expect(await store.of(caller.tenant, made.id).ask({ kind: 'files' })).toEqual({ ok: true, value: [] })
  })

  it('U26 a result that is named in what is written is put in its place, as it was', async () => {
    const rounds: Round[] = [
      [goOn(), action('an idea', 'think', 'idea')],
      [goOn(), action('{"name":"a","content":"{{idea}}"}', 'write_file')],
      [complete()],
    ]
    const { task, contents, fork } = await played(told([steps('A')], rounds), 'dynamic')
    expect(await contents(task.id)).toEqual({ a: 'an idea' })
    expect(await contents((await fork(task.version)).id)).toEqual({ a: 'an idea' })
  })
})
