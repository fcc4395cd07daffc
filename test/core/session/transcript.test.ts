/** The conversation the model is shown: its shape, its answers to calls, its bound (S4-18, R13, and the window of session tasks). */
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/core/terms/effect.ts'
import { calling, CALLER, createTask, journalOf, ONE, say, step, type Bench } from '../../support/scripted.ts'
import { begin, payloads, rounds, said, sessionBench, stateOf, states, steps, system, use } from './support.ts'

/** Every call is answered right behind its reply, in order; every answer has its call. */
function expectAnswered(messages: readonly Message[]): void {
  let open: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') expect(message.tool_call_id).toBe(open.shift())
    else {
      expect(open, `before ${message.role} ${message.content}`).toEqual([])
      open = message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : []
    }
  }
  expect(open).toEqual([])
}

describe('the conversation', () => {
  it('R13 system, the goal, then assistant and tool in turn; every call answered under its id', async () => {
    const two = calling('Both.', ['todo', { command: '/todo list' }], ['internet_search', { query: 'q' }])
    const bench = sessionBench(
      [two, use('more'), 'so'],
      [
        { ok: true, text: 'one' },
        { ok: false, text: 'no hits' },
      ],
    )
    await begin(bench, {}, rounds(9), { goal: 'the goal' })
    expect(bench.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
    expect(bench.requests.at(-1)?.messages.slice(1, -1)).toEqual([
      { role: 'user', content: 'the goal' },
      { role: 'assistant', content: 'Both.', tool_calls: two.calls },
      { role: 'tool', tool_call_id: 'call_1', content: 'one' },
      { role: 'tool', tool_call_id: 'call_2', content: 'error: no hits' },
      { role: 'assistant', content: 'more', tool_calls: use().calls },
      { role: 'tool', tool_call_id: 'call_1', content: 'todo done' },
    ])
  })

  it('an unknown tool is an error result of its call', async () => {
    const bench = sessionBench([calling('', ['rocket', { to: 'moon' }], ['todo', '/todo list']), 'so'])
    const task = await begin(bench, {}, rounds(9))
    const [, first, second] = said(bench.requests.at(-1))
    expect(first?.content).toMatch(/^error: the tool "rocket" is not offered; offered: add_todo/)
    expect(second?.content).toBe('todo done')
    expect(task.counters).toMatchObject({ actions: 2, failed_actions: 1 })
    expect(bench.calls).toMatchObject([{ tool: 'todo', input: '/todo list' }])
  })

  it('what is said between the calls of a reply stands behind their answers', async () => {
    const two = calling('', ['todo', { command: '/todo list' }], ['todo', { command: '/todo list' }])
    const during = { bench: null as Bench | null, id: '' }
    const bench = sessionBench([two, 'so'])
    during.bench = bench
    const tool = bench.ports.tools.get('todo')
    if (tool === undefined) throw new Error('no tool')
    const run = tool.run
    tool.run = async (input, call) => {
      const word = `word ${bench.calls.length}`
      await bench.service.inputTask(CALLER, call.task, word, null, ONE)
      return run(input, call)
    }
    await begin(bench, {}, rounds(9))
    expectAnswered(said(bench.requests.at(-1)))
    expect(said(bench.requests.at(-1)).slice(3)).toEqual([
      { role: 'user', content: 'word 0' },
      { role: 'user', content: 'word 1' },
    ])
  })

  it('an empty reply is no part of it, and the model is told of it once', async () => {
    const bench = sessionBench([use(), '', use(), 'so'])
    const task = await begin(bench, {}, ONE)
    await step(bench, task.id, rounds(1))
    await step(bench, task.id, rounds(9))
    expect(bench.requests.map((request) => system(request).includes('the reply is empty'))).toEqual([
      false,
      false,
      true,
      false,
    ])
    expect(said(bench.requests[2])).toEqual(said(bench.requests[1]))
  })

  it.each([
    ['en', 'noted'],
    ['zh', '已记录'],
  ] as const)(
    'a thought stands once in it, as the call; its result says that it is noted (%s)',
    async (locale, noted) => {
      const bench = sessionBench(
        [calling('', ['think', { thought: 'Oak is the best' }]), 'so'],
        [{ ok: true, text: 'Oak is the best' }],
      )
      const task = await begin(bench, {}, rounds(9), { locale })
      expect(said(bench.requests.at(-1)).map(({ content }) => content)).toEqual(['', noted])
      expect(JSON.stringify(bench.requests.at(-1)).split('Oak is the best')).toHaveLength(2)
      expect(bench.requests[0]?.tools.find(({ name }) => name === 'think')?.description).not.toMatch(
        /so is the result|它本身即为结果/,
      )
      expect(payloads(task, 'action_finished')).toMatchObject([{ tool: 'think', text: 'Oak is the best' }])
    },
  )

  it('a failed thought, and a tool of the client with this name, have their own results', async () => {
    const failed = sessionBench([calling('', ['think', { thought: 'x' }]), 'so'], [{ ok: false, text: 'no' }])
    await begin(failed, {}, rounds(9))
    expect(said(failed.requests.at(-1)).at(-1)?.content).toBe('error: no')
    const own = sessionBench([calling('', ['think', { x: 1 }]), 'so'], [{ ok: true, text: 'an answer' }])
    const tools = [
      { name: 'think', description: 'of the client', parameters: {}, url: 'https://example.com/t', idempotent: true },
    ]
    await createTask(own, {}, rounds(9), { mode: 'session', tools })
    expect(said(own.requests.at(-1)).at(-1)?.content).toBe('an answer')
    expect(own.requests[0]?.tools.find(({ name }) => name === 'think')?.description).toBe('of the client')
  })

  it.each([
    ['a block', '<think>secret [Done]</think>I look.'],
    ['a block in capitals', '<THINK>secret</THINK>\nI look.'],
    ['a block within a block', '<think>secret <think>more</think> secret [Done]</think>\nI look.'],
    ['a block that is not closed', 'I look.\n<think>secret\n[Done]'],
    ['a block whose begin the endpoint has kept', 'secret\n[Step] A secret\n</think>I look.'],
  ])('S0-72 %s beside a call reaches no thought, no event, no plan and no later request', async (_name, text) => {
    const bench = sessionBench([use(steps('A', 'B')), use(text), 'It is there.\n[Goal reached]'])
    const first = await begin(bench, {}, rounds(2))
    expect(first.last_thought).toMatchObject({ text: 'I look.' })
    const last = await step(bench, first.id, rounds(2))
    expect([states(first), states(last)]).toEqual([
      ['running', 'pending'],
      ['running', 'pending'],
    ])
    const page = await bench.service.listEvents(CALLER, first.id, { after: 0, limit: 100 })
    expect(JSON.stringify([first, last, page, bench.requests])).not.toContain('secret')
  })

  it('S0-72 nor does one before an answer, and an answer may speak of the tags', async () => {
    const closed = sessionBench(['secret\n</think>\n\nParis.', 'so'])
    const task = await begin(closed, {}, rounds(9))
    expect(task.result?.text).toBe('Paris.')
    expect(JSON.stringify(task)).not.toContain('secret')
    const text = 'A model closes it with </think> itself.\n```\n</think>\n```'
    expect((await begin(sessionBench([text]), {}, rounds(9))).result?.text).toBe(text)
  })

  it('S0-72 think blocks are shown to nobody and sent to nobody', async () => {
    const bench = sessionBench([use(`<think>secret [Done]</think>I look.\n${steps('A')}`), '<think>hm</think>'])
    const task = await begin(bench, {}, rounds(2))
    expect(task.last_thought).toMatchObject({ phase: 'turn', decision: 'continue', text: 'I look.' })
    expect(task.plan.cursor).toBe(0)
    expect(JSON.stringify(said(bench.requests[1]))).not.toContain('secret')
    // A reply of nothing but thinking is an empty one.
    expect(payloads(task, 'contract_failed')).toHaveLength(1)
  })
})

/** About 500 estimated tokens a round. */
const LONG = 'x'.repeat(1_900)
const longBench = (turns: number, more: Parameters<typeof sessionBench>[0] = []) =>
  sessionBench(
    [
      use(steps('A', 'B', 'C')),
      use('[Done]'),
      ...Array.from({ length: turns - 2 }, (_, at) => use(`turn ${at}`, `/todo get ${at}`)),
      ...more,
    ],
    Array.from({ length: turns }, () => ({ ok: true, text: LONG })),
  )
const LIMIT = { transcript_token_limit: 3_000 }

describe('its bound', () => {
  it('beyond transcript_token_limit the oldest rounds are left out, down to half; a summary stands in their place', async () => {
    const bench = longBench(8, ['so'])
    const task = await begin(bench, LIMIT, rounds(9), { goal: 'the goal' })
    const guards = payloads(task, 'loop_guard').filter(({ guard }) => guard === 'transcript_compacted')
    expect(guards).toMatchObject([{ count: 4, evidence: expect.stringMatching(/^rows 2 to \d+$/) }])
    const messages = bench.requests.at(-1)?.messages ?? []
    expect(messages[1]).toEqual({ role: 'user', content: 'the goal' })
    expect(messages[2]?.role).toBe('user')
    expect(messages[2]?.content.split('\n').slice(1)).toEqual([
      'Replies left out: 4',
      'Tool calls: todo 4',
      'Steps completed: A',
    ])
    expect(messages[3]).toMatchObject({ role: 'assistant' })
    expectAnswered(messages)
    // The plan is in the last message all the same.
    expect(messages.at(-1)?.content).toContain('Current step (3/3): C')
  })

  it('the summary tells what the user said and which tools were called, in the language of the goal', async () => {
    const write = (name: string) => calling('', ['write_file', { name, content: 'c' }])
    const turns = [write('a.md'), write('b.csv'), write('a.md'), ...Array.from({ length: 6 }, () => use(LONG))]
    const bench = sessionBench([...turns, 'so'])
    const task = await begin(bench, { transcript_token_limit: 1_500 }, rounds(2), { locale: 'zh' })
    await say(bench, task.id, '只要 2024 年', rounds(9))
    const summary = said(bench.requests.at(-1))[0]?.content ?? ''
    expect(summary).toMatch(/^【较早的对话已省略/)
    expect(summary).toContain('- 只要 2024 年')
    expect(summary).toContain('工具调用：write_file 3, todo')
  })

  it('a window is never emptied: the latest reply and its results stay, however long', async () => {
    const bench = sessionBench(
      [use('a'), use('b'.repeat(9_000)), 'so'],
      [
        { ok: true, text: 'first' },
        { ok: true, text: LONG },
      ],
    )
    await begin(bench, { transcript_token_limit: 1_000 }, rounds(9))
    const messages = said(bench.requests.at(-1))
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(messages[2]?.content).toBe(LONG)
  })

  it('the results of one reply together leave room for the rest of the conversation', async () => {
    const ten = calling(
      '',
      ...Array.from({ length: 10 }, (_, at): [string, object] => ['todo', { command: `/todo get ${at}` }]),
    )
    const results = Array.from({ length: 10 }, () => ({ ok: true, text: 'y'.repeat(10_000) }))
    const bench = sessionBench([ten, 'so'], results)
    await begin(bench, { transcript_token_limit: 1_000 }, rounds(9))
    const sizes = said(bench.requests.at(-1))
      .slice(1)
      .map(({ content }) => content.length)
    expect(sizes).toEqual(Array(10).fill(200))
  })

  it('what is said without end before the next turn is bounded, the newest first', async () => {
    const bench = sessionBench([use(), 'so'])
    const task = await begin(bench, {}, ONE)
    for (let word = 0; word < 12; word++)
      await say(bench, task.id, `${word} ${'z'.repeat(9_990)}`, { rounds: 0, max_ms: 1_000 })
    await step(bench, task.id)
    const words = said(bench.requests.at(-1)).filter(({ role }) => role === 'user')
    expect(words.map(({ content }) => content.split(' ')[0])).toEqual([
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '10',
      '11',
    ])
  })

  it('compaction is decided by the journal: every prompt of it is rebuilt exactly', async () => {
    const bench = longBench(12, ['so'])
    const task = await begin(bench, LIMIT, rounds(20))
    const rows = await journalOf(bench, task.id)
    expect(rows.filter(({ request_exact }) => request_exact === false)).toEqual([])
    expect(rows.filter(({ kind }) => kind === 'call_model')).toHaveLength(13)
    expect(stateOf(bench, task.id).left_out.turns).toBeGreaterThan(6)
  })
})

describe('what a step costs', () => {
  /** Bytes of each prompt, and rows read for the whole of each step. */
  async function measured(turns: number) {
    const bench = longBench(turns)
    const rows = { read: 0 }
    const task = await begin(bench, { ...LIMIT, max_iterations: 300 })
    const journal = bench.store.rows.get(JSON.stringify([CALLER.tenant, task.id]))
    if (journal === undefined) throw new Error('no rows')
    const recall = journal.recall
    journal.recall = (seq) => {
      rows.read += 1
      return recall(seq)
    }
    const found: { bytes: number; read: number; head: number }[] = []
    for (let turn = 0; turn < turns; turn++) {
      rows.read = 0
      await step(bench, task.id)
      const bytes = JSON.stringify(bench.requests.at(-1)?.messages).length
      found.push({ bytes, read: rows.read, head: JSON.stringify(journal.last()?.head).length })
    }
    return found
  }

  it('is the same at the 200th step as at the tenth: prompt, rows read, head', async () => {
    const found = await measured(200)
    const most = (from: number, to: number, of: 'bytes' | 'read' | 'head') =>
      Math.max(...found.slice(from, to).map((one) => one[of]))
    const early = { bytes: most(8, 20, 'bytes'), read: most(8, 20, 'read'), head: most(8, 20, 'head') }
    const late = { bytes: most(180, 200, 'bytes'), read: most(180, 200, 'read'), head: most(180, 200, 'head') }
    expect(early.read).toBeGreaterThan(50)
    expect(late.bytes).toBeLessThan(early.bytes * 1.1)
    expect(late.read).toBeLessThan(early.read * 1.1)
    expect(late.head).toBeLessThan(early.head + 200)
  })
})
