/** What a model is told of a reply that was refused, and the room for the next one (ruling 33). */
import { describe, expect, it } from 'vitest'
import { correctionMessages, correctionOf, refusedReply } from '../../src/core/mode/correction.ts'
import { questionIn } from '../../src/core/mode/ask-user.ts'
import { isRefused, NOTHING_SEEN, rememberAction, repeatedTimes } from '../../src/core/mode/repeat-guard.ts'
import type { EventOf } from '../../src/core/terms/effect.ts'
import { benchOf, createTask, cutReply, done, NONE, ONE, planned, step } from '../support/scripted.ts'

const REPLY: EventOf<'model_replied'> = { kind: 'model_replied', text: 'no', usage: null, model: 'm', form: 'text' }

describe('ruling 33', () => {
  it('a correction has the reply with its calls, cut, and what was wrong', () => {
    const tool_calls = [{ id: 'c', name: 'todo', arguments: '{"x"' }]
    expect(correctionOf({ ...REPLY, tool_calls }, 'why')).toEqual({ your_reply: 'no\ntodo {"x"', problem: 'why' })
    expect(correctionOf({ ...REPLY, text: 'x'.repeat(9_000) }, 'why').your_reply).toHaveLength(2_000)
  })

  it('a conversation has the refused reply and a message of the program behind it', () => {
    expect(correctionMessages({ your_reply: 'no', problem: 'why' }, 'en')).toEqual([
      { role: 'assistant', content: 'no' },
      { role: 'user', content: '[Program] Your last reply was not used: why. Reply again.' },
    ])
    expect(correctionMessages({ your_reply: '', problem: '空' }, 'zh')).toHaveLength(1)
  })

  it('a failed call and an accepted reply leave nothing to correct', () => {
    const recall = (row: number) => ({ effect: null, event: row === 2 ? REPLY : FAILED, at: 0 })
    expect(refusedReply({ streak: { count: 1 }, failed_row: 2 }, recall)).toEqual({ row: 2, event: REPLY })
    expect(refusedReply({ streak: { count: 0 }, failed_row: 2 }, recall)).toBeNull()
    expect(refusedReply({ streak: { count: 1 }, failed_row: 3 }, recall)).toBeNull()
  })
  const FAILED = { kind: 'model_failed' as const, reason: 'r', status: null, retry_after_ms: null }

  it('the attempt after a reply that was cut has twice the room, and the one after an accepted reply has the usual room', async () => {
    const bench = benchOf({ plan: [cutReply(planned('A')), planned('A')], thought: [done()] })
    const { id } = await createTask(bench, { max_output_tokens: 1_000 }, NONE)
    await step(bench, id, ONE)
    expect(bench.requests.map(({ max_output_tokens }) => max_output_tokens)).toEqual([1_000, 2_000, 1_000])
  })
})

describe('the guard against repeated actions', () => {
  const LIST = { tool: 'list_files', input: '{}' }
  const twice = rememberAction(rememberAction(NOTHING_SEEN, LIST, 'none'), LIST, 'none')

  it('tells the second time that an action brings the same result, and refuses the third', () => {
    expect(repeatedTimes(rememberAction(NOTHING_SEEN, LIST, 'none'))).toBeNull()
    expect(repeatedTimes(twice)).toBe(2)
    expect(isRefused(twice, LIST)).toBe(true)
    expect(isRefused(twice, { ...LIST, input: '{"a":1}' })).toBe(false)
  })

  it('begins anew when the result is another one, also with other actions between', () => {
    const other = { tool: 'todo', input: '/todo list' }
    const between = rememberAction(rememberAction(NOTHING_SEEN, LIST, 'none'), other, 'empty')
    expect(isRefused(rememberAction(between, LIST, 'none'), LIST)).toBe(true)
    expect(isRefused(rememberAction(twice, LIST, 'one file'), LIST)).toBe(false)
  })
})

describe('ruling 37 the arguments of ask_user', () => {
  it.each([
    ['a question alone', '{"question":" When? "}', { question: 'When?', choices: null, other_answers: false }],
    [
      'choices, which do not bind',
      '{"question":"Q","choices":["a",2,""]}',
      { choices: ['a', '2'], other_answers: true },
    ],
    ['one choice, which is none', '{"question":"Q","choices":["a"]}', { choices: null, other_answers: false }],
    [
      'a schema as an object',
      '{"question":"Q","response_schema":{"type":"integer"}}',
      { response_schema: { type: 'integer' } },
    ],
    ['a text that is no JSON', 'When?', { question: 'When?' }],
  ])('%s', (_what, args, value) => {
    expect(questionIn(args)).toMatchObject({ ok: true, value })
  })

  it.each([
    ['{}', 'ask_user: question: '],
    ['{"question":"Q","choices":["a","A"]}', 'ask_user: choices: must differ'],
    ['{"question":"Q","response_schema":"no"}', 'ask_user: response_schema: must be a JSON Schema object'],
  ])('%s is refused by the name of the argument', (args, reason) => {
    expect(questionIn(args)).toEqual({ ok: false, reason: expect.stringContaining(reason) })
  })
})
