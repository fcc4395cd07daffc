/** Whatever tools answer and people say, the offline model keeps its contracts and every goal ends. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { play, type Outcome } from './offline-driver.ts'
import { GOALS } from './offline-goals.ts'

const RESULTS = [
  'Added todo #1.',
  'Conflict, nothing was stored. It overlaps:\n#4 2026-11-25 15:00 other',
  '日程冲突，未保存。与以下日程重叠：\n#4 2026-11-25 15:00 别的',
  'Usage: /todo add <text>',
  'There is no todo #3.',
  'The search failed: timed out.',
  'outcome unknown',
  '',
  '| ID | Status | Tag | Priority | Content |\n| --- | --- | --- | --- | --- |\n| 1 | open | default | 0 | milk |\n| 2 | open | default | 0 | milk 2 |',
  '| 7 | 2026-11-25 10:00 | 60 | dentist |',
  '| 7 | 完成 | default | 0 | 买牛奶 |',
]
const outcome: fc.Arbitrary<Outcome> = fc.record({ ok: fc.boolean(), text: fc.constantFrom(...RESULTS) })
const answer = fc.constantFrom(
  'tomorrow 5pm',
  'tomorrow 6pm',
  '明天下午四点',
  'Friday',
  '30',
  'an hour',
  '一个半小时',
  'hm',
  'no',
  '跳过',
  'todo',
  'search',
  '2',
  'keep',
  'next week',
  '默认',
  '? [] "',
)
const goal = fc.constantFrom(...GOALS.map((entry) => entry.goal))
const PIECES =
  'buy milk|book|remind me|schedule|every|Monday|at 3pm|tomorrow|and|, |; |for|2 hours|todo|delete|3|买牛奶|明天|下午三点|提醒我|预约|每周一|，|、|再|完成|待办|/todo|--due|"|\n|[|]|:|?|搜索'
const piece = fc.constantFrom(...PIECES.split('|'))
const text = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(' ')),
  fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
)

describe('loops of the offline model', () => {
  it('S0-24 end within 40 calls for every goal of the table and any outcome of its tools', async () => {
    await fc.assert(
      fc.asyncProperty(
        goal,
        fc.infiniteStream(outcome),
        fc.array(answer, { maxLength: 8 }),
        async (chosen, outcomes, answers) => {
          const played = await play({ goal: chosen, answers, tool: () => outcomes.next().value })
          expect(played.broken).toEqual([])
          expect(played.result).toEqual(expect.stringMatching(/\S/u))
          expect(played.calls).toBeLessThanOrEqual(40)
        },
      ),
      { numRuns: 400, seed: 1 },
    )
  })

  it('S0-51 S0-52 S0-53 S0-59 end for any text, and every reply keeps its contract', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.array(fc.oneof(answer, text), { maxLength: 6 }),
        fc.boolean(),
        async (chosen, remark, answers, says) => {
          const played = await play({ goal: chosen, answers, ...(says ? { remark } : {}) })
          expect(played.broken).toEqual([])
          expect(played.result).toEqual(expect.stringMatching(/\S/u))
        },
      ),
      { numRuns: 400, seed: 2 },
    )
  })

  it('R10 never act when they must not, even if all tools fail', async () => {
    await fc.assert(
      fc.asyncProperty(
        goal,
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(...RESULTS),
        async (chosen, failure_limit, words) => {
          const played = await play({
            goal: chosen,
            failure_limit,
            tool: () => ({ ok: false, text: words }),
            unanswered: 'tomorrow 7pm',
          })
          expect(played.broken).toEqual([])
          expect(played.result).not.toBeNull()
        },
      ),
      { numRuns: 200, seed: 3 },
    )
  })

  it('O0-12 end with a fallback when no question is allowed', async () => {
    for (const { goal: chosen } of GOALS) {
      const played = await play({ goal: chosen, max_clarifications: 0 })
      expect(played.questions).toEqual([])
      expect(played.result, chosen).toEqual(expect.stringMatching(/\S/u))
    }
  })

  it('are deterministic: the same run gives the same replies, byte for byte', async () => {
    for (const { goal: chosen, answers } of GOALS) {
      const [one, two] = [await play({ goal: chosen, answers }), await play({ goal: chosen, answers })]
      expect(one.replies).toEqual(two.replies)
    }
  })
})
