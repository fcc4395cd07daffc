/** The three contracts: S0-48…S0-53, S0-56, S0-59, O0-04, O0-05, R2, R9, R12. */
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { PlanReply, ReplanReply, ThoughtReply } from '../../../src/core/modes/plan-execute/contract.ts'
import { planExecuteReader } from '../../../src/core/modes/plan-execute/reader.ts'
import { readReply } from '../../../src/core/mode/reply.ts'
import { LENIENT, STRICT } from '../../support/readers.ts'
import { schemaOf } from '../../../src/core/engine/contracts.ts'

const FIELDS = ['current_step', 'next_action', 'question', 'response'] as const
const FILLED = {
  current_step: 'x',
  next_action: { tool: 'todo', input: '/todo list' },
  question: 'why?',
  response: 'because',
}
const ALLOWED: Record<string, (has: Record<string, boolean>) => boolean> = {
  continue: (has) => has.current_step === true && has.next_action === true && !has.question && !has.response,
  ask_user: (has) => has.current_step === true && has.question === true && !has.next_action && !has.response,
  done: (has) => !has.next_action && !has.question,
}
const subsets = Array.from({ length: 16 }, (_, bits) => FIELDS.filter((_name, index) => (bits >> index) & 1))
const matrix = Object.keys(ALLOWED).flatMap((status) => subsets.map((fields) => ({ status, fields })))
const read = (reply: object) => readReply(ThoughtReply, JSON.stringify(reply), LENIENT)

describe('thought contract', () => {
  it.each(matrix)('S0-51 S0-52 S0-53 R12 F20 the field matrix: $status with $fields', ({ status, fields }) => {
    const has = Object.fromEntries(FIELDS.map((name) => [name, fields.includes(name)]))
    const reply = { status, ...Object.fromEntries(fields.map((name) => [name, FILLED[name]])) }
    expect(read(reply).ok).toBe(ALLOWED[status]?.(has))
  })

  it.each(['null', 'missing', 'blank'])('R12 empty means %s', (kind) => {
    const empty = kind === 'null' ? null : '  '
    const rest = kind === 'missing' ? {} : { question: empty, response: empty }
    expect(read({ status: 'continue', current_step: 'x', next_action: FILLED.next_action, ...rest }).ok).toBe(true)
    expect(read({ status: 'ask_user', current_step: 'x', question: empty }).ok).toBe(false)
  })

  it.each([
    ['R2 step_done is not a status', { status: 'step_done' }],
    ['S0-50 a missing status', { current_step: 'x' }],
    ['S0-51 a blank tool input', { status: 'continue', current_step: 'x', next_action: { tool: 'todo', input: ' ' } }],
    ['S0-51 an action without a tool', { status: 'continue', current_step: 'x', next_action: { input: 'x' } }],
    [
      'S0-51 an input that is no text',
      { status: 'continue', current_step: 'x', next_action: { tool: 'todo', input: 3 } },
    ],
    ['S0-51 a current_step that is no text', { status: 'continue', current_step: 3, next_action: FILLED.next_action }],
    [
      'O0-09 ask_user as a tool',
      { status: 'continue', current_step: 'x', next_action: { tool: 'ask_user', input: 'x' } },
    ],
    ['S0-53 a response that is no text', { status: 'done', response: { text: 'x' } }],
  ])('%s is refused', (_name, reply) => {
    expect(read(reply).ok).toBe(false)
  })

  it('O0-04 status and tool are trimmed, and status is case-insensitive; texts are trimmed', () => {
    const reply = read({
      status: ' Continue ',
      current_step: ' x ',
      next_action: { tool: ' TODO ', input: ' /todo list ' },
    })
    expect(reply).toEqual({
      ok: true,
      value: {
        status: 'continue',
        current_step: 'x',
        next_action: { tool: 'TODO', input: '/todo list', ends_item: null },
        question: null,
        response: null,
        achieved: null,
        choices: null,
        response_schema: null,
      },
    })
  })
})

describe('plan and replan contracts', () => {
  it.each([
    ['S0-48 a planned list', { status: 'planned', plan: ['A', 'B'] }, ['A', 'B']],
    ['R9 an empty list', { status: 'planned', plan: [] }, []],
    [
      'O0-05 items are stringified and trimmed, blanks dropped',
      { status: 'PLANNED', plan: [' A ', '', 7, true, null, '  '] },
      ['A', '7', 'true'],
    ],
  ])('%s is accepted', (_name, reply, plan) => {
    expect(readReply(PlanReply, JSON.stringify(reply), LENIENT)).toMatchObject({ ok: true, value: { plan } })
  })

  it.each([
    ['R9 a missing plan', { status: 'planned' }],
    ['R9 a plan that is no list', { status: 'planned', plan: 'A' }],
    ['S0-48 another status', { status: 'done', plan: ['A'] }],
    ['S0-48 an item that is an object', { status: 'planned', plan: [{ title: 'A' }] }],
    ['U24 more than 100 items', { status: 'planned', plan: Array.from({ length: 101 }, () => 'A') }],
    ['U24 a title over 500 characters', { status: 'planned', plan: ['A'.repeat(501)] }],
  ])('%s is refused', (_name, reply) => {
    expect(readReply(PlanReply, JSON.stringify(reply), LENIENT).ok).toBe(false)
  })

  it.each([
    ['S0-56 replanned with a list', { status: 'replanned', plan: ['A'], response: null }, true],
    ['S0-56 done with a response', { status: 'done', plan: [], response: 'x' }, true],
    ['S0-56 done without a list', { status: 'done', response: 'x' }, true],
    ['S0-59 replanned with an empty list', { status: 'replanned', plan: [], response: null }, false],
    ['S0-59 replanned with blanks only', { status: 'replanned', plan: [' '], response: null }, false],
    ['S0-59 done without response', { status: 'done', plan: ['A'], response: ' ' }, false],
    ['S0-56 replanned without a list', { status: 'replanned', response: 'x' }, false],
    ['S0-56 an unknown status', { status: 'next', plan: ['A'] }, false],
  ])('%s', (_name, reply, fine) => {
    expect(readReply(ReplanReply, JSON.stringify(reply), LENIENT).ok).toBe(fine)
  })
})

describe('O0-04 R26 strict reading', () => {
  const good = '{"status":"planned","plan":["A"]}'
  it.each([
    ['think blocks of any case and many lines are removed', `<think>\nhm\n</think>${good}<THINK>x</THINK>`, true],
    ['white space around is fine', `\n ${good} \n`, true],
    ['a code fence is a failure', '```json\n' + good + '\n```', false],
    ['a prefix is a failure', `Here: ${good}`, false],
    ['a suffix is a failure', `${good} done`, false],
    ['two objects are a failure', good + good, false],
    ['an array is a failure', `[${good}]`, false],
    ['a string is a failure', '"planned"', false],
    ['null is a failure', 'null', false],
    ['NaN is a failure', '{"status":"planned","plan":[NaN]}', false],
    ['an empty reply is a failure', '<think>only this</think>', false],
    ['a truncated reply is a failure', good.slice(0, -2), false],
    ['an unclosed think block is a failure', `<think>${good}`, false],
    ['a think block behind the object is removed', `${good}<think>x</think>`, true],
    ['brackets in strings do not nest', `{"status":"planned","plan":["${'['.repeat(99)}\\""]}`, true],
    [
      'what nests deeper than 32 is a failure',
      `{"x":${'['.repeat(40)}${']'.repeat(40)},"status":"planned","plan":[]}`,
      false,
    ],
  ])('%s', (_name, text, fine) => {
    expect(readReply(PlanReply, text, STRICT).ok).toBe(fine)
  })
})

describe('JSON schema', () => {
  it.each(['plan', 'thought', 'thought_few', 'replan'])(
    'the schema of %s is made from the schema that validates, closed and complete',
    (phase) => {
      const schema = schemaOf('plan_execute', phase, []) ?? {}
      expect(schema).toMatchSnapshot()
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(Object.keys(schema.properties as object)).toEqual(schema.required)
    },
  )
})

describe('R12 what the model is told of a reply that breaks its contract', () => {
  const thought = { status: 'continue', current_step: 'x', next_action: null, question: null, response: null }
  it.each<[string, z.ZodType, object, string[]]>([
    ['what is required', ThoughtReply, thought, ['next_action', 'required when status is continue']],
    [
      'what must be empty',
      ThoughtReply,
      { ...thought, status: 'done', question: 'q' },
      ['question', 'must be null when'],
    ],
    [
      'that asking is no tool',
      ThoughtReply,
      { ...thought, next_action: { tool: 'ask_user', input: 'x' } },
      ['next_action.tool', 'ask_user is a status, not a tool'],
    ],
    [
      'that a list must not be empty',
      ReplanReply,
      { status: 'replanned', plan: [], response: null },
      ['plan', 'not be empty'],
    ],
    [
      'that an end has an answer',
      ReplanReply,
      { status: 'done', plan: [], response: ' ' },
      ['response', 'required when'],
    ],
  ])('%s, by field and reason', (_name, contract, reply, words) => {
    const read = readReply(contract, JSON.stringify(reply), LENIENT)
    for (const word of words) expect(read.ok ? '' : read.reason).toContain(word)
  })
})

describe('ruling 32 other names of members', () => {
  const ACT = { status: 'continue', current_step: 'x' }
  const TODO = { tool: 'todo', input: '/todo list' }

  it.each([
    ['steps', { steps: ['A', 'B'] }],
    [
      'items with a title',
      {
        status: 'planned',
        plan: [
          { id: 1, title: 'A' },
          { title: 'B', status: 'pending' },
        ],
      },
    ],
    ['items with a name', { plan: [{ name: 'A' }, { step: 'B' }] }],
  ])('a plan may have %s', (_what, reply) => {
    const text = JSON.stringify(reply)
    const meant = { ok: true, value: { status: 'planned', plan: ['A', 'B'] } }
    expect(readReply(PlanReply, text, planExecuteReader({ strict_replies: false }))).toEqual(meant)
    expect(readReply(PlanReply, text, planExecuteReader({ strict_replies: true })).ok).toBe(false)
  })

  it.each([
    ['action', { ...ACT, action: TODO }],
    ['name and arguments', { ...ACT, next_action: { name: 'todo', arguments: '/todo list' } }],
    ['tool_name and tool_input', { ...ACT, next_action: { tool_name: 'todo', tool_input: '/todo list' } }],
  ])('an action may have the names %s', (_what, reply) => {
    const text = JSON.stringify(reply)
    const read = (strict_replies: boolean) => readReply(ThoughtReply, text, planExecuteReader({ strict_replies }))
    expect(read(false)).toMatchObject({ ok: true, value: { next_action: TODO } })
    expect(read(true).ok).toBe(false)
  })

  it('a status is read out of what a plan or a replan says, and guessed for nothing else', () => {
    const reader = planExecuteReader({ strict_replies: false })
    const statusOf = (text: string) => {
      const reply = readReply(ReplanReply, text, reader)
      return reply.ok ? reply.value.status : null
    }
    expect(statusOf('{"plan":["A"],"response":null}')).toBe('replanned')
    expect(statusOf('{"plan":[],"response":"It is 42."}')).toBe('done')
    expect(statusOf('{"plan":["A"],"response":"It is 42."}')).toBe(null)
    expect(statusOf('{"plan":[],"response":null}')).toBe(null)
    expect(readReply(ThoughtReply, '{"current_step":"x"}', reader).ok).toBe(false)
    const strict = planExecuteReader({ strict_replies: true })
    expect(readReply(ReplanReply, '{"plan":["A"],"response":null}', strict).ok).toBe(false)
  })
})
