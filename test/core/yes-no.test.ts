/** Yes and no are read alike in every member that says one of them (U32, U35). */
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { readNativeCall } from '../../src/core/mode/native-tools.ts'
import { readReply } from '../../src/core/mode/reply.ts'
import { readVerdict, yesOrNo } from '../../src/core/mode/json/yes-no.ts'
import { DecisionReply, FewMoveReply } from '../../src/core/modes/dynamic/contract.ts'
import { EvaluationReply } from '../../src/core/modes/orchestrator/contract.ts'
import { summaryIn } from '../../src/core/modes/orchestrator/replies.ts'
import { ReplanReply, ThoughtReply } from '../../src/core/modes/plan-execute/contract.ts'
import { LENIENT } from '../support/readers.ts'
import { closed, done } from '../support/scripted.ts'

const YES = [true, 1, '1', 'true', 'True', ' YES ', 'y', 'yes.', 'Yes!', '"true"', '“是”', '是', '是的。', '对', '真']
const NO = [
  false,
  0,
  '0',
  'false',
  'False.',
  'NO',
  'n',
  'no!',
  "'no'",
  '否',
  '否。',
  '不',
  '不是！',
  '「不对」',
  '没有',
  '假',
]
const IN_PART = ['partly', 'Partially.', '部分', '部分完成。', 'not yet', 'not achieved', '未完成']
const NEITHER = ['perhaps', '', 'no idea', 'yes and no', '不知道', 2, -1, null, undefined, {}, [true], ['no']]

it.each(YES)('U32 %j is yes', (value) => {
  expect([yesOrNo(value), readVerdict(value)]).toEqual([true, true])
})
it.each(NO)('U32 %j is no', (value) => {
  expect([yesOrNo(value), readVerdict(value)]).toEqual([false, false])
})
it.each(IN_PART)('U35 %j as a verdict is no, and says nothing elsewhere', (value) => {
  expect([yesOrNo(value), readVerdict(value)]).toEqual([null, false])
})
it.each(NEITHER)('U32 %j is neither', (value) => {
  expect([yesOrNo(value), readVerdict(value)]).toEqual([null, null])
})

const read = (contract: z.ZodType, reply: object): unknown => {
  const result = readReply(contract, JSON.stringify(reply), LENIENT)
  return result.ok ? result.value : result
}
const MOVE = { thought: 'so', reason: 'so', is_complete: false }
const judged = { reason: 'so', decision: 'next' }
const summaryText = (achieved: unknown) => JSON.stringify({ summary: 'so', achieved })

/** Members that may be left out, each in a reply of its own. */
const VERDICTS: [string, (value: unknown) => unknown][] = [
  ['achieved of a thought of plan_execute', (achieved) => read(ThoughtReply, { ...done('so'), achieved })],
  ['achieved of a replan of plan_execute', (achieved) => read(ReplanReply, { ...closed('so'), achieved })],
  ['achieved of a decision of dynamic', (achieved) => read(DecisionReply, { ...MOVE, achieved })],
  ['achieved of an evaluation of orchestrator', (achieved) => read(EvaluationReply, { ...judged, achieved })],
  [
    'achieved of a summary of orchestrator',
    (achieved) =>
      summaryIn({ kind: 'model_replied', text: summaryText(achieved), usage: null, model: 'm', form: 'text' }),
  ],
]
const ACTION = { tool: 'todo', input: '/todo list' }
const FINISHES: [string, (value: unknown) => unknown][] = [
  [
    'ends_item of a thought of plan_execute',
    (ends_item) =>
      read(ThoughtReply, { status: 'continue', current_step: 'so', next_action: { ...ACTION, ends_item } }),
  ],
  ['ends_item of a move of dynamic', (ends_item) => read(FewMoveReply, { ...MOVE, action: { ...ACTION, ends_item } })],
]

describe.each(VERDICTS)('U35 %s', (_name, of) => {
  it.each(YES)('is true for %j', (value) => {
    expect(of(value)).toMatchObject({ achieved: true })
  })
  it.each([...NO, ...IN_PART])('is false for %j', (value) => {
    expect(of(value)).toMatchObject({ achieved: false })
  })
  it.each(NEITHER)('is null for %j', (value) => {
    expect(of(value)).toMatchObject({ achieved: null })
  })
})

describe.each(FINISHES)('U32 %s', (_name, of) => {
  const expectEnd = (value: unknown, ends_item: boolean | null) =>
    expect(Object.values(Object(of(value)))).toContainEqual(expect.objectContaining({ ends_item }))
  it.each(YES)('is true for %j', (value) => expectEnd(value, true))
  it.each(NO)('is false for %j', (value) => expectEnd(value, false))
  it.each([...NEITHER, ...IN_PART])('is null for %j', (value) => expectEnd(value, null))
})

describe('U32 ends_item of a native call', () => {
  const endsItem = (ends_item: unknown) =>
    readNativeCall({ id: '1', name: 'todo', arguments: JSON.stringify({ command: '/todo list', ends_item }) }, [])
      .ends_item
  it.each(YES)('is true for %j', (value) => {
    expect(endsItem(value)).toBe(true)
  })
  it.each([...NO, ...NEITHER, ...IN_PART])('is false for %j', (value) => {
    expect(endsItem(value)).toBe(false)
  })
})

describe('U32 is_complete of dynamic', () => {
  const decide = (is_complete: unknown) => read(DecisionReply, { reason: 'so', is_complete })
  it.each(YES)('is true for %j', (value) => {
    expect(decide(value)).toMatchObject({ is_complete: true })
  })
  it.each([...NO, ...IN_PART])('is false for %j', (value) => {
    expect(decide(value)).toMatchObject({ is_complete: false })
  })
  it.each(NEITHER)('is refused with the value for %j', (value) => {
    const given = value === undefined ? 'nothing' : JSON.stringify(value)
    expect(decide(value)).toMatchObject({ ok: false, reason: expect.stringContaining(`(given: ${given})`) })
  })
  it('is not taken from an action beside it, unless it is missing', () => {
    const decideWith = (more: object) => read(FewMoveReply, { thought: 'so', reason: 'so', action: ACTION, ...more })
    expect(decideWith({})).toMatchObject({ is_complete: false })
    expect(decideWith({ is_complete: 'perhaps' })).toMatchObject({ ok: false })
  })
})
