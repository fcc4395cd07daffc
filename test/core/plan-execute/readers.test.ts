/** What people read: progress lines, and texts in the language of the task. */
import { describe, expect, it } from 'vitest'
import { taskLines } from '../../../src/core/shown/progress.ts'
import { act, ALL, ask, benchOf, closed, createTask, done, planned, replanned, say } from '../../support/scripted.ts'

describe('what people read', () => {
  const story = async (locale: 'en' | 'zh') => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), done(), act('/todo list'), ask()],
      replan: [replanned('B', 'C'), closed()],
      tools: [{ ok: true, text: 'added #1' }, { ok: false }],
    })
    const waiting = await createTask(bench, {}, ALL, { locale })
    return [...taskLines(waiting), ...taskLines(await say(bench, waiting.id, 'now', ALL))]
  }
  it.each([
    ['S0-66 planning is told with its number of steps', 'Plan ready: 2 steps', '规划完成：共 2 步'],
    ['S0-67 the current item is told as i/N with its text', 'Current item: 1/2 - A', '当前计划项：1/2 - A'],
    ['S0-67 and again for the next one', 'Current item: 1/2 - B', '当前计划项：1/2 - B'],
    ['S0-68 the decision to act', 'Decision: act', '思考决策：执行动作'],
    ['S0-68 the decision that an item is done', 'Decision: step done', '思考决策：步骤完成'],
    ['S0-68 the decision to ask', 'Decision: ask', '思考决策：请求澄清'],
    ['S0-68 the decision that the task is done', 'Decision: task done', '思考决策：任务完成'],
    [
      'S0-69 the action is told as tool and input',
      'Action: todo -> /todo add milk',
      '步骤动作：todo -> /todo add milk',
    ],
    ['S0-70 the result of an action: success', 'Result: success', '步骤结果：成功'],
    ['S0-70 the result of an action: failure', 'Result: failure', '步骤结果：失败'],
    ['S0-71 after a sub-task the new number of steps', 'Replanned: 2 steps', '重规划完成：共 2 步'],
    ['S0-92 progress still shows the plan list', '  [ ] 1. A', '  [ ] 1. A'],
    ['S0-92 progress still shows what is completed', 'Finished: completed', '任务结束：已完成'],
  ])('%s', async (_name, en, zh) => {
    expect(await story('en')).toContain(en)
    expect(await story('zh')).toContain(zh)
  })

  it('S0-66 planning is told the first time only', async () => {
    expect((await story('en')).filter((line) => line.startsWith('Plan ready'))).toHaveLength(1)
  })

  it.each(['en', 'zh'] as const)(
    'D7 questions, handovers, hints and progress are in the language of the task (%s)',
    async (locale) => {
      const bench = benchOf({ plan: [planned('1')], thought: [ask('?'), act('7'), act('8')], replan: [replanned('1')] })
      const asking = await createTask(bench, { max_steps: 5 }, ALL, { locale })
      const limit = await say(bench, asking.id, '9', ALL)
      expect([asking.status, limit.stop_reason]).toEqual(['input_required', 'budget_exhausted:steps'])
      const prompt = asking.pending?.kind === 'question' ? asking.pending.prompt : ''
      const hint = limit.pending?.kind === 'resume' ? limit.pending.hint : ''
      const parts = [prompt, hint, limit.handover?.unfinished_reason, ...(limit.handover?.next_steps ?? [])]
      const shown = [...parts, ...taskLines(asking), ...taskLines(limit)].map((line) => line ?? '')
      const han = (line: string) => /\p{Script=Han}/u.test(line)
      if (locale === 'en') expect(shown.filter(han)).toEqual([])
      else expect(parts.filter((line) => !han(line ?? ''))).toEqual([])
    },
  )
})
