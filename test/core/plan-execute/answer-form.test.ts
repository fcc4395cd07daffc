/** Questions with choices or a schema: what a model may ask for, how it is shown, which answers are taken (api: Task.pending, Input). */
import { describe, expect, it } from 'vitest'
import { StoredThought, ThoughtReply } from '../../../src/core/modes/plan-execute/contract.ts'
import { normalizeAnswer } from '../../../src/core/terms/schema/answer-form.ts'
import { readReply } from '../../../src/core/mode/reply.ts'
import { LENIENT } from '../../support/readers.ts'
import { taskLines } from '../../../src/core/shown/progress.ts'
import { ALL, ask, benchOf, CALLER, createTask, done, NONE, planned, rowsOf, say } from '../../support/scripted.ts'

const read = (more: object) => readReply(ThoughtReply, JSON.stringify({ ...ask(), ...more }), LENIENT)
const reason = (more: object) => {
  const got = read(more)
  return got.ok ? null : got.reason
}
const YES_NO = ['Yes', 'No']
const nested = (levels: number): object => (levels === 0 ? { type: 'string' } : { items: nested(levels - 1) })

describe('the contract of a question', () => {
  it.each([
    ['none of both', {}, { choices: null, response_schema: null }],
    [
      'nulls, as a strict endpoint has to send them',
      { choices: null, response_schema: null },
      { choices: null, response_schema: null },
    ],
    ['empty ones', { choices: [], response_schema: {} }, { choices: null, response_schema: null }],
    ['blank ones', { choices: '', response_schema: ' ' }, { choices: null, response_schema: null }],
    ['choices, trimmed, blanks dropped', { choices: [' Yes ', 'No', '', 3] }, { choices: ['Yes', 'No', '3'] }],
    ['a schema as text', { response_schema: '{"type":"integer"}' }, { response_schema: '{"type":"integer"}' }],
    ['a schema as an object', { response_schema: { type: 'integer' } }, { response_schema: '{"type":"integer"}' }],
  ])('S0-52 takes %s', (_, more, value) => {
    expect(read(more)).toMatchObject({ ok: true, value })
  })

  it.each([
    ['one choice', { choices: ['Yes'] }],
    ['twenty-one', { choices: Array.from({ length: 21 }, (_, n) => `choice ${n}`) }],
    ['a long one', { choices: ['a', 'b'.repeat(201)] }],
    ['two that differ by case', { choices: ['Yes', 'yes'] }],
    ['choices that are objects', { choices: [{ label: 'a' }, { label: 'b' }] }],
    ['both', { choices: YES_NO, response_schema: { type: 'string' } }],
    ['a schema that is no JSON', { response_schema: '{' }],
    ['a schema that is a list', { response_schema: [{ type: 'string' }] }],
    ['a schema of many characters', { response_schema: { description: 'x'.repeat(4_000) } }],
    ['a schema of many levels', { response_schema: nested(13) }],
    ['a schema of many parts', { response_schema: { allOf: Array.from({ length: 100 }, () => ({})) } }],
    ['a type that is none', { response_schema: { type: 'text' } }],
    ['a keyword with a wrong value', { response_schema: { required: 'a' } }],
    ['a pattern', { response_schema: { type: 'string', pattern: '^(a+)+$' } }],
    ['patterns of names', { response_schema: { patternProperties: { '(a+)+$': {} } } }],
    ['a pattern further down', { response_schema: { properties: { a: { items: { pattern: 'x' } } } } }],
    ['a reference', { response_schema: { $ref: 'https://elsewhere.example/schema' } }],
    ['a keyword nobody knows', { response_schema: { x: 1 } }],
  ])('is broken by %s', (_, more) => {
    expect(reason(more)).toMatch(/choices|response_schema/)
  })

  it('a property may be named like a keyword', () => {
    expect(read({ response_schema: { type: 'object', properties: { pattern: { type: 'string' } } } }).ok).toBe(true)
  })

  it('S0-51 S0-53 elsewhere they are left out, as before', () => {
    const reply = { ...done('x'), choices: 'no list', response_schema: 7 }
    expect(readReply(ThoughtReply, JSON.stringify(reply), LENIENT)).toEqual({
      ok: true,
      value: { ...done('x'), achieved: null, choices: null, response_schema: null },
    })
  })

  it('D6 a stored question of an earlier release may have members of these names that were never checked', () => {
    const text = JSON.stringify({ ...ask(), choices: [{ label: 'a' }], response_schema: 'see above' })
    expect(readReply(StoredThought, text, LENIENT)).toMatchObject({
      ok: true,
      value: { question: 'When?', choices: null },
    })
  })

  it('S0-06 a question whose form breaks the contract counts, and the next attempt is told why', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [{ ...ask(), choices: ['one'] }, ask()] })
    const task = await createTask(bench, {}, ALL)
    expect(task).toMatchObject({ status: 'input_required', step_count: 2, pending: { choices: null } })
    expect(bench.requests.at(-1)?.messages[1]?.content).toContain('choices')
    bench.spent()
  })
})

async function asking(more: object) {
  const bench = benchOf({ plan: [planned('A')], thought: [{ ...ask('Go on?'), ...more }] })
  const task = await createTask(bench, {}, ALL)
  const input = (text: string) => bench.service.inputTask(CALLER, task.id, text, null, NONE)
  return { bench, task, input, heard: () => rowsOf(bench, task.id).at(-1)?.event }
}

describe('choices', () => {
  it('are shown', async () => {
    const { task } = await asking({ choices: YES_NO })
    expect(task.pending).toMatchObject({ kind: 'question', choices: YES_NO, response_schema: null })
    expect(taskLines(task)).toEqual(expect.arrayContaining(['Please confirm: Go on?', '- Yes', '- No']))
  })

  it.each([
    ['Yes', 'Yes'],
    ['  no ', 'No'],
    ['YES', 'Yes'],
  ])('"%s" is recorded as it stands in the list: %s', async (given, text) => {
    const { input, heard } = await asking({ choices: YES_NO })
    expect((await input(given)).ok).toBe(true)
    expect(heard()).toEqual({ kind: 'user_answered', text })
  })

  it('ruling 37 an answer outside the choices that a model made up is taken as it is', async () => {
    const { task, input, heard } = await asking({ choices: YES_NO })
    expect(task.pending).toMatchObject({ choices: YES_NO, other_answers: true })
    expect((await input(' maybe tomorrow ')).ok).toBe(true)
    expect(heard()).toEqual({ kind: 'user_answered', text: 'maybe tomorrow' })
  })

  it.each(['maybe', 'Yes.', '"Yes"'])('ruling 37 choices that bind refuse "%s", and name what is allowed', (given) => {
    const form = { choices: YES_NO, other_answers: false, response_schema: null }
    const message = 'must be one of Yes, No'
    expect(normalizeAnswer(form, given, () => null)).toEqual({ ok: false, message })
  })

  it('while the task is paused a continue text opens the question again', async () => {
    const { bench, task, input, heard } = await asking({ choices: YES_NO })
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    expect((await say(bench, task.id, 'continue', NONE)).status).toBe('input_required')
    await input('no')
    expect(heard()).toEqual({ kind: 'user_answered', text: 'No' })
  })

  it('S0-25 a slash command still runs beside the question', async () => {
    const { input } = await asking({ choices: YES_NO })
    expect(await input('/todo list')).toMatchObject({
      ok: true,
      value: { task: { status: 'input_required' }, command: { ok: true } },
    })
  })
})

const PERSON = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1 }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
}

describe('a schema', () => {
  it('is shown as an object', async () => {
    const { task } = await asking({ response_schema: PERSON })
    expect(task.pending).toMatchObject({ kind: 'question', choices: null, response_schema: PERSON })
  })

  it.each([
    [{ type: 'integer', minimum: 1, maximum: 9 }, '5', true],
    [{ type: 'integer', minimum: 1, maximum: 9 }, '10', false],
    [{ type: 'integer' }, 'five', false],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'yes', false],
    [{ type: 'string', maxLength: 3 }, '123', true],
    [{ type: 'string', maxLength: 3 }, 'long', false],
    [{ type: 'string', enum: ['a', 'b'] }, 'a', true],
    [{ enum: ['a', 'b'] }, 'a', true],
    [{ enum: ['a', 'b'] }, 'c', false],
    [{ type: 'string', format: 'date' }, '2026-11-21', true],
    [{ type: 'string', format: 'date' }, 'tomorrow', false],
    [{ anyOf: [{ type: 'integer' }, { const: 'none' }] }, 'none', true],
    [PERSON, '{"name":"Ada","age":36}', true],
    [PERSON, '{"name":"Ada","born":1815}', false],
    [PERSON, '{"name":"Ada","__proto__":{"x":1}}', false],
    [PERSON, 'Ada', false],
    [PERSON, '{"age":36}', false],
    [{ type: 'array', items: { type: 'number' }, minItems: 2 }, '[1, 2.5]', true],
    [{ type: 'array', items: { type: 'number' }, minItems: 2 }, '[1]', false],
  ])('%j and %s: %s', async (response_schema, given, fits) => {
    const { input, heard } = await asking({ response_schema })
    const answer = await input(given)
    expect(answer.ok).toBe(fits)
    if (fits) expect(heard()).toEqual({ kind: 'user_answered', text: given })
    else expect(answer).toMatchObject({ refusal: { code: 'validation_failed', errors: [{ pointer: '/input' }] } })
  })

  it('is applied in a bounded number of steps to the longest answer', async () => {
    const listOf = (parts: number) => ({
      type: 'array',
      items: { allOf: Array.from({ length: parts }, () => ({ type: 'integer', minimum: 0 })) },
    })
    const text = JSON.stringify(Array.from({ length: 7_900 }, () => 1))
    const small = await asking({ response_schema: listOf(5) })
    expect((await small.input(text)).ok).toBe(true)
    expect(small.heard()).toEqual({ kind: 'user_answered', text })

    const large = await asking({ response_schema: listOf(97) })
    const message =
      'must fit the response_schema of the question: it is too large for its schema: checking it takes more than 60000 steps; send less at a time'
    const refusal = {
      code: 'validation_failed',
      errors: [{ pointer: '/input', message: expect.stringContaining(message) }],
    }
    expect(await large.input(text)).toMatchObject({ ok: false, refusal })
    expect(await large.bench.service.getTask(CALLER, large.task.id)).toMatchObject({
      ok: true,
      value: { task: { status: 'input_required', version: large.task.version } },
    })
    expect((await large.input('[1, 2]')).ok).toBe(true)
    expect(large.heard()).toEqual({ kind: 'user_answered', text: '[1, 2]' })
  })
})
