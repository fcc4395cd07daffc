/** Progress lines of a dynamic task (S0-66…S0-72, O0-16): think, decide, act; changes of the plan; how it ends. */
import { expect, it } from 'vitest'
import { taskLines } from '../../../src/core/shown/progress.ts'
import { ALL, benchOf, createTask, type Script } from '../../support/scripted.ts'
import { action, complete, goOn, steps, told } from './support.ts'

async function lines(script: Script, locale: 'en' | 'zh', settings = {}) {
  const bench = benchOf(script)
  const task = await createTask(bench, settings, ALL, { mode: 'dynamic', locale, goal: 'x' })
  return taskLines({ ...task, id: 'task_x' })
}
const STORY = told(
  [steps('A')],
  [[goOn({ add: ['B'] }, 'SECRET'), action()], [complete('done A')], [complete('done B')]],
)

it('S0-66 S0-68 S0-72 S3-16 a task that is completed, in English', async () => {
  expect(await lines(STORY, 'en')).toEqual([
    'Task task_x: completed',
    'Plan ready: 1 step',
    '  [ ] 1. A',
    'Current item: 1/1 - A',
    'Used: 0 actions',
    'Decision: think',
    'Decision: act',
    'Plan changed: 2 steps',
    '  [ ] 1. A',
    '  [ ] 2. B',
    'Action: todo -> /todo add milk',
    'Result: success',
    '  todo done',
    'Used: 1 action',
    'Decision: think',
    'Decision: step done',
    'Current item: 2/2 - B',
    'Used: 1 action',
    '  [x] 1. A',
    '  [ ] 2. B',
    'Decision: think',
    'Decision: step done',
    'Decision: task done',
    '  [x] 1. A',
    '  [x] 2. B',
    'Items: 2 finished',
    'Counted: 8 model calls, 1 action (1 succeeded, 0 failed), 0 replans',
    'Budget: 1 of 100 actions used, 99 left',
    'Finished: completed',
    'done B',
  ])
})

it('S0-69 S0-70 S3-12 a task whose step failed, in Chinese', async () => {
  const script = told([steps('甲')], [[goOn(), action()], [goOn({}, '还差一项')]])
  expect(await lines(script, 'zh', { max_actions_per_step: 1 })).toEqual([
    '任务 task_x：已失败',
    '规划完成：共 1 步',
    '  [ ] 1. 甲',
    '当前计划项：1/1 - 甲',
    '执行进度：已用动作 0',
    '思考决策：思考进展',
    '思考决策：执行动作',
    '步骤动作：todo -> /todo add milk',
    '步骤结果：成功',
    '  todo done',
    '执行进度：已用动作 1',
    '思考决策：思考进展',
    '思考决策：执行动作',
    '循环保护：单步动作数已达上限（1）',
    '计划项失败：甲',
    '计划项：已结束 1',
    '完成情况：模型调用 6 次，动作 1 次（成功 1，失败 0），重规划 0 次',
    '动作预算：已用 1 / 100，剩余 99',
    '任务结束：失败（步骤失败）',
    '步骤失败：甲：执行 1 个动作后仍未完成。还差一项',
    expect.stringContaining('未完成原因：步骤失败：甲：执行 1 个动作后仍未完成。还差一项'),
  ])
})
