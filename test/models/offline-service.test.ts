/** The offline model drives whole sessions through the service, with the real tools: no key is needed to begin. */
import { describe, expect, it } from 'vitest'
import { COMMON_TOOLS } from '../../src/core/mode/tools.ts'
import { offlineModel } from '../../src/models/offline/index.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { builtInTools } from '../../src/tools/index.ts'
import {
  NO_RUNNERS,
  ALL,
  benchOf,
  calling,
  createTask,
  filesOver,
  FREE,
  say,
  titles,
  UNBOUNDED,
  type Script,
} from '../support/scripted.ts'

const NOW = Date.UTC(2026, 10, 24, 12, 0)
const hit = { title: 'A page', summary: 'about it', link: 'https://example.org/' }
const search = { name: 'one', search: () => Promise.resolve([hit]) }

function benchWith(script: Script | null) {
  const store = memoryStore(() => ({ now_ms: NOW, boot: 'boot', prices: FREE, daily: UNBOUNDED }))
  const model = script === null ? { model: offlineModel() } : {}
  const bench = benchOf(script ?? {}, {
    store,
    tools: builtInTools(store, filesOver(store), search, 'UTC', NO_RUNNERS),
    ...model,
  })
  bench.clock.now = NOW
  return bench
}
const SESSION = { mode: 'session' } as const

describe('a session without a key', () => {
  it('S4-13 S4-14 S4-17 works through its plan, asks, goes on with the answer, and is asked again', async () => {
    const bench = benchWith(null)
    const goal = 'add todo milk; finish the milk todo; book the dentist tomorrow at 3pm'
    const asking = await createTask(bench, {}, ALL, { ...SESSION, goal })
    expect(asking).toMatchObject({ status: 'input_required', counters: { successful_actions: 3 } })
    expect(titles(asking)).toEqual(['Todo: milk', 'Finish todo: milk', 'Book: dentist [2026-11-25 15:00]'])
    expect(asking.plan.items.map(({ status }) => status)).toEqual(['completed', 'completed', 'running'])
    expect(asking.pending).toMatchObject({
      kind: 'question',
      prompt: expect.stringMatching(/^Please confirm: How long .*\)$/),
    })
    const done = await say(bench, asking.id, '45 minutes', ALL)
    expect(done.result?.text).toContain('Added event #1 Wed 2026-11-25 15:00 dentist (duration 45 min)')
    expect(done.plan.items.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
    expect(done.result).toMatchObject({ outcome: 'done', unmet: [] })
    const list = await say(bench, asking.id, 'list my todos', ALL)
    expect(list.result?.text).toMatch(/^Todos:\n[^]*\| 1 \| done \|/)
  })

  it('S4-20 U14 stops at its limit, says how far it is, and goes on without repeating anything', async () => {
    const bench = benchWith(null)
    const goal = 'add todo milk; look up cats; add todo eggs'
    const { id, ...paused } = await createTask(bench, { max_iterations: 1 }, ALL, { ...SESSION, goal })
    expect(paused).toMatchObject({ status: 'paused', stop_reason: 'iteration_limit' })
    const aside = await say(bench, id, 'how far are you?', ALL)
    expect(aside.status).toBe('paused')
    expect(aside.result?.text).toBe(
      'Added todo #1 [default] milk (priority 0).\nStill open:\n- Look up: cats\n- Todo: eggs',
    )
    for (let n = 0; n < 2; n++) expect((await say(bench, id, 'continue', ALL)).status).toBe('paused')
    const task = await say(bench, id, 'continue', ALL)
    expect(task).toMatchObject({ status: 'completed', counters: { successful_actions: 3, failed_actions: 0 } })
    expect(titles(task)).toHaveLength(3)
  })

  it('goes on after rounds were left out of its conversation', async () => {
    const bench = benchWith(null)
    const goal = Array.from('abcdefghijklmnopqrstuvwxyz', (name) => `- buy thing ${name} tomorrow`).join('\n')
    const task = await createTask(bench, { transcript_token_limit: 1_000 }, ALL, { ...SESSION, goal })
    expect(task).toMatchObject({ status: 'completed', counters: { successful_actions: 26 } })
    expect(task.plan.items.every(({ status }) => status === 'completed')).toBe(true)
    expect(task.result?.text).toMatch(/^Done earlier in this session: /)
  })
})

describe('the files of a session', () => {
  it('are written, listed and read by native calls', async () => {
    const bench = benchWith({
      turn: [
        calling('[Step] notes', ['write_file', { path: './notes.md', content: 'hello' }], ['list_files', {}]),
        calling('and back', ['read_file', { name: 'notes.md' }], ['read_file', { name: '../x' }]),
        'that is all',
      ],
    })
    const task = await createTask(bench, {}, ALL, { ...SESSION, goal: 'take a note' })
    expect(task).toMatchObject({ status: 'completed', counters: { successful_actions: 3, failed_actions: 1 } })
    const results = bench.requests
      .at(-1)
      ?.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []))
    expect(results).toEqual([
      expect.stringContaining('Wrote "notes.md" (5 bytes).'),
      expect.stringContaining('- notes.md (5 bytes)'),
      expect.stringContaining('hello'),
      expect.stringContaining('Usage: read_file needs'),
    ])
    bench.spent()
  })

  it.each(['plan_execute', 'dynamic', 'session', 'autonomous'])(
    'U48 files, think, run_code and fetch_url are offered in mode %s',
    async (mode) => {
      const task = await createTask(benchWith(null), {}, ALL, { goal: 'add todo milk', mode })
      expect(task.tools).toEqual(expect.arrayContaining([...COMMON_TOOLS]))
    },
  )
})

describe.each(['session', 'dynamic', 'plan_execute'])('an image in mode %s without a key', (mode) => {
  it.each([
    ['Describe photo.png', 'en', 'I cannot see images'],
    ['What is in photo.jpg?', 'en', 'I cannot see images'],
    ['描述 photo.webp', 'zh', '我看不到图片'],
  ] as const)(
    'U46 is not seen, and the answer says that a language model is needed: %s',
    async (goal, locale, said) => {
      const task = await createTask(benchWith(null), {}, ALL, { mode, goal, locale })
      expect(task).toMatchObject({ status: 'completed', counters: { actions: 0 } })
      expect(task.result?.text).toContain(said)
      expect(task.result?.text).toContain('OPENAI_API_KEY')
    },
  )
  it('U46 is searched for where the goal says so', async () => {
    const task = await createTask(benchWith(null), {}, ALL, { mode, goal: 'search for logo.png examples' })
    expect(task.counters.successful_actions).toBe(1)
  })
})
