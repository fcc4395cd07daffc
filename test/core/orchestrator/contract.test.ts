/** What the replies of orchestrator may look like (O2-01, O2-02, S2-09, R26). */
import { describe, expect, it } from 'vitest'
import { EvaluationReply } from '../../../src/core/modes/orchestrator/contract.ts'
import { readEvaluation, readPlan, summaryIn } from '../../../src/core/modes/orchestrator/replies.ts'
import { readFencedJson, readReply } from '../../../src/core/mode/reply.ts'
import type { EventOf } from '../../../src/core/terms/effect.ts'
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts'

/** A reply of this mode may stand in a fence (R26). */
const SETTINGS = { ...DEFAULT_SETTINGS, strict_replies: true }

const replied = (text: string): EventOf<'model_replied'> => ({
  kind: 'model_replied',
  text,
  usage: null,
  model: 'm',
  form: 'text',
})
const plan = (text: string) => {
  const read = readPlan(replied(text), SETTINGS)
  return read.ok ? read.value.steps : read.reason
}
const A = { title: 'A', description: '', constraints: '', expected_output: '' }

describe('O2-01 plans', () => {
  it.each<[string, unknown, object[]]>([
    ['a bare list of steps', [{ title: 'A' }], [A]],
    ['an object with steps', { steps: [{ title: 'A' }] }, [A]],
    ['an object with plan', { plan: ['A'] }, [A]],
    ['steps that are texts', ['A', ' B '], [A, { ...A, title: 'B' }]],
    [
      'all four members',
      [{ title: 'A', description: 'd', constraints: 'c', expected_output: 'e' }],
      [{ title: 'A', description: 'd', constraints: 'c', expected_output: 'e' }],
    ],
    ['constraints as a list', [{ title: 'A', constraints: ['x', 'y'] }], [{ ...A, constraints: 'x\ny' }]],
    [
      'a missing title is the description',
      [{ description: 'Do this\nand that' }],
      [{ ...A, title: 'Do this', description: 'Do this\nand that' }],
    ],
    ['a step without words is told by its place', [{ title: 'A' }, {}], [A, { ...A, title: 'Step 2' }]],
    ['a task beside a description is the title', [{ task: 'A', description: 'd' }], [{ ...A, description: 'd' }]],
    ['blank entries are left out, the order stays', ['B', '', null, 'A'], [{ ...A, title: 'B' }, A]],
  ])('O2-01 %s', (_, value, steps) => {
    expect(plan(JSON.stringify(value))).toEqual(steps)
  })

  it.each<[string, unknown, string]>([
    ['no steps', [], 'steps: Too small'],
    ['no list', { steps: 'A' }, 'steps: Invalid input'],
    ['nothing of the kind', { answer: 42 }, 'steps: Invalid input'],
    ['a title beyond 500 characters', ['x'.repeat(501)], 'steps.0.title: Too big'],
    [
      'a text beyond 2,000 characters',
      [{ title: 'A', description: 'x'.repeat(2_001) }],
      'steps.0.description: Too big',
    ],
    ['more than 100 steps', Array.from({ length: 101 }, (_, n) => `s${n}`), 'steps: Too big'],
    ['a step that is a list', [['A']], 'steps.0: Invalid input'],
    ['an object that is no step', [{ steps: ['A'] }], 'steps.0.title: Invalid input'],
  ])('U24 refused: %s', (_, value, reason) => {
    expect(plan(JSON.stringify(value))).toContain(reason)
  })
})

const JSON_TEXT = '{"decision":"next","reason":"r","adjusted_steps":[]}'
describe('S2-09 R26 where the JSON stands', () => {
  it.each([
    ['the whole text', JSON_TEXT],
    ['a fence', `Here you are:\n\`\`\`json\n${JSON_TEXT}\n\`\`\`\nGood luck.`],
    ['a fence in capitals', `\`\`\`JSON\n${JSON_TEXT}\n\`\`\``],
    ['a fence on one line', `\`\`\`json ${JSON_TEXT} \`\`\``],
    ['a fence that does not end', `\`\`\`json\n${JSON_TEXT}`],
    [
      'a fence behind thoughts',
      `<think>\`\`\`json\n{"decision":"abort"}\n\`\`\`</think>\n\`\`\`json\n${JSON_TEXT}\n\`\`\``,
    ],
    ['the first fence of JSON, not the one before it', `\`\`\`python\nx = 1\n\`\`\`\n\`\`\`json\n${JSON_TEXT}\n\`\`\``],
  ])('S2-09 R26 %s', (_, text) => {
    expect(readEvaluation(replied(text), SETTINGS)).toMatchObject({ ok: true, value: { decision: 'next' } })
  })

  it('S2-09 R26 a text of the JSON may have a fence of its own', () => {
    const reason = 'run ```sh make``` first'
    const text = `\`\`\`json\n${JSON.stringify({ decision: 'retry', reason, adjusted_steps: [] })}\n\`\`\``
    expect(readEvaluation(replied(text), SETTINGS)).toMatchObject({ ok: true, value: { reason } })
  })

  it.each([
    ['prose', 'I would go on.', 'no ```json block'],
    ['nothing', ' ', 'empty'],
    ['a text in quotes', '"next"', 'no object and no list'],
    ['brackets without end', '['.repeat(100_000), 'nests deeper'],
  ])('R26 refused: %s', (_, text, reason) => {
    expect(readReply(EvaluationReply, text, readFencedJson)).toEqual({
      ok: false,
      reason: expect.stringContaining(reason),
    })
  })
})

describe('O2-02 evaluations', () => {
  const NOTHING = { reason: '', achieved: null, current_step: null, question: null, choices: null }
  const read = (reply: object) => readEvaluation(replied(JSON.stringify(reply)), SETTINGS)

  it.each([
    ['NEXT ', 'next'],
    ['Next.', 'next'],
    ['"RETRY"', 'retry'],
    ['**Abort**', 'abort'],
    ['Replan', 'replan'],
  ])('O2-02 U32 the decision %s is %s', (given, decision) => {
    const adjusted_steps = decision === 'replan' ? [A] : []
    expect(read({ decision: given, adjusted_steps: ['A'] })).toEqual({
      ok: true,
      value: { ...NOTHING, decision, adjusted_steps },
    })
  })

  it('U32 members that belong to another decision, and members without a meaning, are dropped', () => {
    const reply = { decision: 'next', adjusted_steps: 'none', question: '?', choices: 7, current_step: 'so', more: 1 }
    expect(read(reply)).toEqual({ ok: true, value: { ...NOTHING, decision: 'next', adjusted_steps: [] } })
  })

  it.each([
    [true, true],
    ['Yes', true],
    [false, false],
    ['FALSE', false],
    ['perhaps', null],
    [undefined, null],
  ])('U35 achieved %s is read as %s', (given, achieved) => {
    expect(read({ decision: 'next', achieved: given })).toMatchObject({ ok: true, value: { achieved } })
  })

  it('U37 a question has choices only if they can be offered', () => {
    const ask = (choices: unknown) => read({ decision: 'ask', question: ' Which? ', choices })
    expect(ask([1, 'two', ''])).toMatchObject({ ok: true, value: { question: 'Which?', choices: ['1', 'two'] } })
    expect(ask(['one'])).toMatchObject({ ok: true, value: { choices: null } })
    expect(ask(['one', 'ONE'])).toMatchObject({ ok: true, value: { choices: null } })
  })

  it.each([{}, { question: ' ' }, { question: null }])('U37 ask without a question is refused: %j', (more) => {
    expect(read({ decision: 'ask', ...more })).toEqual({
      ok: false,
      reason: expect.stringContaining('question: required when decision is ask'),
    })
  })

  it.each([
    ['missing', {}],
    ['unknown', { decision: 'go on' }],
    ['none', { decision: null }],
  ])('R17 a decision that is %s is refused', (_, value) => {
    expect(readEvaluation(replied(JSON.stringify({ reason: 'r', ...value })), SETTINGS)).toEqual({
      ok: false,
      reason: expect.stringMatching(/^decision: /),
    })
  })
})

it.each([
  ['plain words', 'All done.', 'All done.', null],
  ['an object with a summary', '{"summary":" All done. "}', 'All done.', null],
  ['an object with a verdict', '{"summary":"No.","achieved":false}', 'No.', false],
  ['an object within prose', 'Here it is:\n{"summary":"All done.","achieved":true}', 'All done.', true],
  ['an object of other members', '{"x":1}', '{"x":1}', null],
  ['prose with an object of its own', 'The reply is {"text":"hi"}.', 'The reply is {"text":"hi"}.', null],
  ['words behind thoughts', '<think>hm</think> All done.', 'All done.', null],
])('S2-06 U35 the summary may be %s', (_, text, words, achieved) => {
  expect(summaryIn(replied(text))).toEqual({ text: words, achieved })
})
