/** What replies must be (S3-06, S3-19), what they are forgiven, and what a broken one comes to. */
import { Validator } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { schemaOf } from '../../../src/core/engine/contracts.ts'
import {
  ActionReply,
  CONTRACTS,
  DecisionReply,
  MoveReply,
  DynamicPlanReply,
} from '../../../src/core/modes/dynamic/contract.ts'
import { readReply } from '../../../src/core/mode/reply.ts'
import { LENIENT } from '../../support/readers.ts'
import { benchOf, context, cutReply, journalOf, ONE, say, step as advance } from '../../support/scripted.ts'
import { action, complete, dynamicTask, eventsOf, goOn, played, step, steps, thought, told } from './support.ts'

const read = (contract: (typeof CONTRACTS)[keyof typeof CONTRACTS], reply: unknown): unknown => {
  const said = readReply<unknown>(contract, JSON.stringify(reply), LENIENT)
  return said.ok ? said.value : null
}
const bare = (name: string) => ({ name, description: '', expected_output: '' })
const THINK = { tool: 'think', input: '', save_as: null }

describe('what is forgiven', () => {
  it.each<[string, unknown, unknown]>([
    ['the contract itself', steps('A'), steps('A')],
    [
      'plan for steps, title for name',
      { plan: [{ title: 'A', description: 'do' }] },
      { steps: [{ ...bare('A'), description: 'do' }] },
    ],
    ['bare texts, blanks among them', { steps: [' A ', '', 2, null] }, { steps: [bare('A'), bare('2')] }],
    ['null for a text', { steps: [{ name: 'A', description: null, expected_output: null }] }, { steps: [bare('A')] }],
    ['other members', { status: 'planned', steps: [{ ...step('A'), priority: 1 }] }, steps('A')],
    ['no steps', { steps: [] }, null],
    ['no list', { steps: 'A' }, null],
    ['a step without a name', { steps: [{ description: 'x' }] }, null],
    ['a name of 501 characters', { steps: ['x'.repeat(501)] }, null],
    ['a description of 2001 characters', { steps: [{ ...bare('A'), description: 'x'.repeat(2_001) }] }, null],
    ['101 steps', { steps: Array.from({ length: 101 }, String) }, null],
  ])('S3-19 U24 a plan: %s', (_, reply, expected) => {
    expect(read(DynamicPlanReply, reply)).toEqual(expected)
  })

  const decided = { reason: 'so', is_complete: false, achieved: null, answer: null, add_steps: [], remove_steps: [] }
  it.each<[string, unknown, unknown]>([
    ['the contract itself', complete('x', { add: ['A'], remove: ['B'] }), complete('x', { add: ['A'], remove: ['B'] })],
    ['missing and empty lists', { is_complete: 'False', reason: ' so ', add_steps: null }, decided],
    [
      'bare texts',
      { ...decided, add_steps: ['A'], remove_steps: [{ name: 'B' }, ' C '] },
      { ...decided, add_steps: [bare('A')], remove_steps: ['B', 'C'] },
    ],
    ['a word for yes', { ...decided, is_complete: 'Yes ' }, { ...decided, is_complete: true }],
    ['a word for no', { ...decided, is_complete: 'no' }, decided],
    ['another word', { ...decided, is_complete: 'perhaps' }, null],
    ['a verdict on what was achieved', { ...decided, achieved: 'false' }, { ...decided, achieved: false }],
    ['no such verdict', { ...decided, achieved: 'unknown' }, decided],
    ['an answer', { ...decided, answer: ' 42 ' }, { ...decided, answer: '42' }],
    ['no verdict', { reason: 'so' }, null],
    ['no reason', { is_complete: true }, { ...decided, is_complete: true, reason: '' }],
    ['a thought as the reason', { is_complete: false, thought: 'so' }, decided],
    ['no list', { ...decided, add_steps: 'A' }, null],
  ])('S3-06 S3-19 S3-20 R19 a decision: %s', (_, reply, expected) => {
    expect(read(DecisionReply, reply)).toEqual(expected)
  })

  it.each<[string, unknown, unknown]>([
    ['the contract itself', action('x', 'todo', 'n'), action('x', 'todo', 'n')],
    ['blanks around its name, other members', { tool: ' Todo ', input: 'x', why: 1 }, action('x', 'Todo')],
    ['an inner object', { action: { tool: 'todo', input: 'x' } }, action('x')],
    ['an inner object of another name', { next_action: { tool: 'todo', input: 'x' } }, action('x')],
    ['the names of a native call', { name: 'todo', arguments: { x: 1 } }, action('{"x":1}')],
    ['longer names', { tool_name: 'todo', tool_input: 'x' }, action('x')],
    ['the tool under the name of an action', { action: 'todo', input: 'x' }, action('x')],
    [
      'an object as input',
      { tool: 'write_file', input: { name: 'a', content: 'b' } },
      action('{"name":"a","content":"b"}', 'write_file'),
    ],
    ['no input', { tool: 'todo' }, action('')],
    ['no tool', { tool: null, input: 'hm' }, { ...THINK, input: 'hm' }],
    ['none as a tool', { tool: 'None' }, THINK],
    ['no action', { action: null }, THINK],
    ['a name with braces', action('x', 'todo', ' {{the  list}} '), action('x', 'todo', 'the list')],
    ['a blank name', action('x', 'todo', ' '), action('x')],
    ['nothing of it', { thought: 'hm' }, null],
    ['a tool that is no text', { tool: { name: 'todo' }, input: 'x' }, null],
  ])('S3-19 S3-23 an action: %s', (_, reply, expected) => {
    expect(read(ActionReply, reply)).toEqual(expected)
  })

  const move = { thought: 'hm', ...decided, action: action('x') }
  it.each<[string, unknown, unknown]>([
    ['the contract itself', move, move],
    [
      'an action without a tool is to think',
      { ...move, action: { input: 'so?' } },
      { ...move, action: { ...THINK, input: 'so?' } },
    ],
    ['no action', { ...move, is_complete: true, action: undefined }, { ...move, is_complete: true, action: null }],
    ['no thought: the reason is one', { ...move, thought: null }, { ...move, thought: 'so' }],
    ['no reason: the thought is one', { ...move, reason: null }, { ...move, reason: 'hm' }],
    ['an action and no verdict', { ...move, is_complete: undefined }, move],
    ['neither an action nor a verdict', { thought: 'hm' }, null],
  ])('S3-19 S3-37 all in one: %s', (_, reply, expected) => {
    expect(read(MoveReply, reply)).toEqual(expected)
  })
})

describe('the schema a model is given', () => {
  it.each(Object.keys(CONTRACTS))(
    'S3-19 is strict for %s: every member is required, and no other is allowed',
    (name) => {
      const schema = schemaOf('dynamic', name, []) ?? {}
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
      const { properties, required } = schema as { properties: object; required: string[] }
      expect(required).toEqual(Object.keys(properties))
    },
  )

  it('S3-06 S3-19 replies of the contract fit it', () => {
    const fits = (name: string, reply: unknown) =>
      new Validator(schemaOf('dynamic', name, []) ?? {}).validate(reply).valid
    expect(fits('plan', steps('A'))).toBe(true)
    expect(fits('step_decision', complete('x', { add: ['A'], remove: ['B'] }))).toBe(true)
    expect(fits('action', action())).toBe(true)
    expect(fits('move', { ...thought(), ...goOn(), action: null })).toBe(true)
    expect(fits('few', { ...thought(), ...goOn(), action: { ...action(), ends_item: true } })).toBe(true)
    expect(fits('action', action('Which one?', 'ask_user'))).toBe(true)
    expect(fits('step_decision', { is_complete: true })).toBe(false)
  })

  it('S3-37 a merged call is given the contract of all three', async () => {
    const { bench } = await played(told([steps('A')], [[complete()]], true), { merged_calls: true })
    expect(bench.requests.at(-1)?.contract).toMatchObject({
      name: 'dynamic_move',
      schema: {
        required: ['thought', 'reason', 'is_complete', 'achieved', 'answer', 'add_steps', 'remove_steps', 'action'],
      },
    })
  })
})

describe('a broken reply', () => {
  const BROKEN = ['', '```json\n{}\n```', '{"is_complete":', '{}', '[]']
  it.each(BROKEN)('S3-19 O3-02 a decision or an action that is %j is refused and asked for again', async (bad) => {
    const script = told([steps('A')], [[goOn(), action()], [complete()]])
    script.step_decision?.unshift(bad)
    script.action?.unshift(bad)
    const { bench, task } = await played(script)
    expect(task).toMatchObject({ status: 'completed', step_count: 1 })
    const failed = (await eventsOf(bench, task.id)).filter(({ type }) => type === 'contract_failed')
    expect(failed.map(({ payload }) => payload['phase'])).toEqual(['step_decision', 'action'])
    const again = context(bench.requests.filter(({ metadata }) => metadata.phase === 'action')[1])
    expect([again.actions, Object.keys(again).at(-1)]).toEqual([[], 'correction'])
    expect(again.correction).toEqual({ your_reply: bad, problem: expect.stringMatching(/./) })
    const then = context(bench.requests.findLast(({ metadata }) => metadata.phase === 'step_decision'))
    expect(then.correction).toBeUndefined()
    const rows = await journalOf(bench, task.id)
    expect(rows.filter(({ outcome }) => outcome === 'contract_error').map(({ counted }) => counted)).toEqual([
      false,
      false,
    ])
    bench.spent()
  })

  it('S3-19 U9 failure_limit of them in a row end the task; a good one between begins anew', async () => {
    const { bench, task } = await played({
      plan: [steps('A')],
      think: ['{"thought":', thought()],
      step_decision: ['bad', goOn()],
      action: ['bad', 'bad'],
    })
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'contract_failures', step_count: 0 })
    expect(task.error?.detail).toContain('the reply has no JSON object')
    bench.spent()
  })

  it('R26 the next attempt at a plan is shown the reply that was refused, and what was wrong with it', async () => {
    const { bench } = await played({
      plan: [{ steps: [] }, steps('A')],
      think: [thought()],
      step_decision: [complete()],
    })
    const [first, again, later] = bench.requests.map(context)
    expect([first.correction, later.correction]).toEqual([undefined, undefined])
    expect(again).toMatchObject({ phase: 'plan', correction: { your_reply: '{"steps":[]}' } })
    expect(again.correction.problem).toContain('steps')
    bench.spent()
  })

  it('S3-19 a thought that was cut is not taken for plain words', async () => {
    const { bench, task } = await played({
      plan: [steps('A')],
      think: [cutReply('The file is'), thought()],
      step_decision: [complete()],
    })
    expect(task.status).toBe('completed')
    const again = context(bench.requests.filter(({ metadata }) => metadata.phase === 'think')[1])
    expect(again.correction).toMatchObject({ your_reply: 'The file is', problem: expect.stringContaining('cut off') })
    bench.spent()
  })

  it('S3-19 U8 plan attempts run back to back and are free', async () => {
    const { bench, task } = await played({ plan: ['bad', { steps: [] }, 'bad'] })
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'contract_failures', step_count: 0 })
    expect(task.counters.model_calls).toBe(3)
    bench.spent()
  })

  it('S3-19 O3-02 a thought may be plain words, without a think block; an object has to be one', async () => {
    const words = '<think>secret</think> The file is read.'
    const script = { plan: [steps('A')], think: [words], step_decision: [goOn()], action: [action()] }
    const { bench, task } = await played(script, {}, ONE)
    const [, told_of] = (await eventsOf(bench, task.id)).filter(({ type }) => type === 'thought_decided').toReversed()
    expect(told_of?.payload).toMatchObject({ phase: 'think', text: 'The file is read.' })
    expect(context(bench.requests.find(({ metadata }) => metadata.phase === 'step_decision')).thought).toBe(
      'The file is read.',
    )
    const { task: other } = await played({ plan: [steps('A')], think: ['{"thoughts":"x"}', ''] })
    expect(other).toMatchObject({ status: 'failed', stop_reason: 'contract_failures' })
  })

  it('S3-19 U9 a call without a completion pauses after failure_limit, and goes on where it was', async () => {
    const bench = benchOf({
      plan: [steps('A')],
      think: [thought(), thought()],
      step_decision: [new Error('down'), new Error('down'), goOn(), complete()],
      action: [action()],
    })
    const first = await dynamicTask(bench)
    expect(first).toMatchObject({ status: 'running', retry_after_ms: 1_000, step_count: 0 })
    const paused = await advance(bench, first.id)
    expect(paused).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable' })
    const task = await say(bench, first.id, 'continue', { rounds: 5, max_ms: 25_000 })
    expect(task).toMatchObject({ status: 'completed', step_count: 1 })
    bench.spent()
  })

  it('S3-37 all in one that goes on without an action is refused', async () => {
    const move = { ...thought(), ...goOn(), action: null }
    const { bench, task } = await played(
      { plan: [steps('A')], step_decision: [move, { ...move, is_complete: true, answer: 'done' }] },
      { merged_calls: true },
    )
    expect(task.status).toBe('completed')
    expect(context(bench.requests.at(-1)).correction).toEqual({
      your_reply: JSON.stringify(move),
      problem: 'action: required while is_complete is false',
    })
    bench.spent()
  })
})
