/** Calls that a model writes as text, and arguments with small mistakes. */
import { describe, expect, it } from 'vitest'
import { briefOf } from '../../src/core/mode/mode.ts'
import { callAt, callsOf } from '../../src/core/modes/conversation/calls.ts'
import { writtenCalls } from '../../src/core/modes/conversation/written-calls.ts'
import { calling } from '../support/scripted.ts'
import { begin, payloads, rounds, rowsIn, sessionBench } from './session/support.ts'

const NAMES = ['todo', 'write_file', 'ask_user']
const CALL = '{"name":"todo","arguments":{"command":"/todo list"}}'
const read = (text: string) => {
  const { calls, rest } = writtenCalls(text, NAMES)
  return { calls: calls.map(({ name, arguments: args }) => [name, args]), rest }
}
const TODO = ['todo', '{"command":"/todo list"}']

describe('a call that is written as text', () => {
  it.each([
    ['bare', CALL],
    ['in a fence', `\`\`\`json\n${CALL}\n\`\`\``],
    ['in a fence without a language', `\`\`\`\n${CALL}\n\`\`\``],
    ['in a tag', `<tool_call>\n${CALL}\n</tool_call>`],
    ['in a tag that is not closed', `<tool_call>${CALL}`],
    ['behind a think block', `<think>hm</think>${CALL}`],
    ['within a member function', `{"type":"function","function":${CALL}}`],
    ['with parameters', '{"name":"Todo","parameters":{"command":"/todo list"}}'],
    ['with tool and input', '{"tool":"todo","input":{"command":"/todo list"}}'],
    ['in the form of a function', 'functions.todo({"command":"/todo list"})'],
    ['with its arguments as JSON text', '{"name":"todo","arguments":"{\\"command\\":\\"/todo list\\"}"}'],
  ])('is found %s', (_name, text) => expect(read(text)).toEqual({ calls: [TODO], rest: '' }))

  it('is found more than once, in order, and the rest is what stands beside it', () => {
    const two = `[Step] A\n<tool_call>${CALL}</tool_call>\n<tool_call>${CALL}</tool_call>`
    expect(read(two)).toEqual({ calls: [TODO, TODO], rest: '[Step] A' })
    expect(read(`For example:\n\`\`\`json\n${CALL}\n\`\`\`\nThat is how.`).rest).toBe('For example:\n\n\nThat is how.')
  })

  it.each([
    ['a sentence that names a tool', 'I would call todo({"command":"/todo list"})'],
    ['another name', '{"name":"rocket","arguments":{}}'],
    ['no arguments', '{"name":"todo"}'],
    ['an answer in JSON', '{"title":"todo","price":3}'],
    ['one block that is none', `\`\`\`json\n${CALL}\n\`\`\`\n\`\`\`js\nlet x = 1\n\`\`\``],
    ['broken JSON', '{"name":"todo","arguments":{"command"'],
  ])('%s is no call', (_name, text) => expect(read(text).calls).toEqual([]))

  it('costs no more than the length of the reply', () => {
    expect(read('<tool_call>{'.repeat(100_000)).calls).toEqual([])
    expect(read('```{'.repeat(100_000)).calls).toEqual([])
  })
})

describe('in a session', () => {
  it('a written call is made, and the model sees it as its own', async () => {
    const bench = sessionBench([`[Step] A\n\`\`\`json\n${CALL}\n\`\`\``, 'so'])
    const task = await begin(bench, {}, rounds(9))
    expect(bench.calls).toMatchObject([{ tool: 'todo', input: '/todo list' }])
    expect(task.plan.items).toMatchObject([{ title: 'A' }])
    expect(bench.requests[1]?.messages.slice(2, 4)).toMatchObject([
      { role: 'assistant', tool_calls: [{ name: 'todo' }] },
      { role: 'tool', content: 'todo done' },
    ])
  })

  const FENCED = `\`\`\`json\n${CALL}\n\`\`\``
  it.each([
    ['a declared step', `1. [Step] A\n${FENCED}`],
    ['a mark', `**[Done]** The milk is there.\n${FENCED}`],
    ['a verdict', `[Partly done: so far]\n${FENCED}`],
    ['blocks of tags', `<tasks>\n- [x] A\n</tasks>\n${FENCED}\n[ANALYSIS_COMPLETE]`],
  ])('a written call is made beside %s', async (_name, text) => {
    const bench = sessionBench([text, 'so\n[Goal reached]'])
    await begin(bench, {}, rounds(9))
    expect(bench.calls).toHaveLength(1)
  })

  it.each([
    ['a numbered source', `[1] Vienna is the capital.\n${FENCED}`],
    ['a link', `- [Link](https://example.com)\n${FENCED}`],
    ['a box', `- [x] Milk\n${FENCED}`],
    ['a mark that is explained', `- [Done]: a step is finished\n${FENCED}`],
    ['code', `\`\`\`\n[Done]\n\`\`\`\n<tool_call>${CALL}</tool_call>`],
  ])('a written call is not made beside %s, and the text stays in the conversation', async (_name, text) => {
    const bench = sessionBench([text, 'so'])
    const task = await begin(bench, {}, rounds(9))
    expect(bench.calls).toEqual([])
    expect(payloads(task, 'contract_failed')).toMatchObject([{ reason: expect.stringContaining('a call as text') }])
    expect(bench.requests[1]?.messages).toContainEqual({ role: 'assistant', content: text })
  })

  it('the calls of a row stay readable, although an earlier release took more beside them', async () => {
    const bench = sessionBench(['so'])
    const { id } = await begin(bench, {}, rounds(9))
    const event = {
      kind: 'model_replied' as const,
      text: `[1] x\n${FENCED}`,
      usage: null,
      model: 'm',
      form: 'text' as const,
    }
    const recall = (row: number) => (row === 1 ? rowsIn(bench, id).recall(1) : { effect: null, event, at: 0 })
    expect(callsOf(event, briefOf(recall))).toEqual([])
    expect(callAt(recall, 2, 0)).toMatchObject({ tool: 'todo', input: '/todo list' })
  })

  it('with strict_replies a text is no call', async () => {
    const bench = sessionBench([CALL])
    const task = await begin(bench, { strict_replies: true }, rounds(9))
    expect([task.status, bench.calls]).toEqual(['completed', []])
  })

  it.each([
    ['a trailing comma', '{"name":"a.md","content":"x",}', '{"name":"a.md","content":"x"}'],
    ['smart quotes', '{“name”:“a.md”,“content”:“x”}', '{"name":"a.md","content":"x"}'],
    ['a fence', '```json\n{"name":"a.md","content":"x"}\n```', '{"name":"a.md","content":"x"}'],
  ])('arguments with %s are mended', async (_name, given, input) => {
    const bench = sessionBench([calling('', ['write_file', given]), 'so'])
    await begin(bench, {}, rounds(9))
    expect(bench.calls).toMatchObject([{ tool: 'write_file', input }])
  })

  it.each([
    ['todo', '{"command":"/todo list",}', '/todo list'],
    ['todo', '/todo list', '/todo list'],
    ['todo', '"{\\"command\\":\\"/todo list\\"}"', '/todo list'],
    ['todo', '```json\n{"command":"/todo list"}\n```', '/todo list'],
    ['list_files', '', '{}'],
  ])('%s with %j gets %j', async (tool, given, input) => {
    const bench = sessionBench([calling('', [tool, given]), 'so'])
    await begin(bench, {}, rounds(9))
    expect(bench.calls).toMatchObject([{ tool, input }])
  })

  it('arguments that cannot be mended are told with what was given, and the tool is not called', async () => {
    const bench = sessionBench([
      calling('', ['write_file', '{"name":"a.md","content":"x'], ['read_file', 'a.md']),
      'so',
    ])
    await begin(bench, {}, rounds(9))
    expect(bench.calls).toEqual([])
    const [cut, bare] = (bench.requests[1]?.messages ?? []).filter(({ role }) => role === 'tool')
    expect(cut?.content).toMatch(
      /^error: not called: the arguments must be one JSON object .* you gave: \{"name":"a\.md"/,
    )
    expect(bare?.content).toContain('you gave: a.md')
  })
})
