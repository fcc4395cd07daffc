/** The story of the requirements S4: five annual reports, extracted, drawn; it meets its limit twice and is gone on with. */
import { expect, it } from 'vitest'
import { calling, say, step, taken, CALLER, titles } from '../../support/scripted.ts'
import { begin, rounds, sessionBench, states, steps, system } from './support.ts'

const PLAN = steps('下载五年财报', '提取关键数据', '制作图表')
const search = (said: string, query: string) => calling(said, ['internet_search', { query }])
const note = (said: string, command: string) => calling(said, ['todo', { command }])
const YEARS = [2021, 2022, 2023, 2024, 2025]

it('S4-01 S4-03 S4-04 S4-06 S4-07 S4-08 S4-09 the story of the seed: planned, tracked, stopped twice, never from zero', async () => {
  const bench = sessionBench(
    [
      search(`先规划。\n${PLAN}`, '腾讯 2021 财报'),
      search('', '腾讯 2022 财报'),
      search('', '腾讯 2023 财报'),
      // 继续
      search('', '腾讯 2024 财报'),
      search('五年都已下载。[完成]', '腾讯 2025 财报'),
      note('提取营收。', '/todo add 营收'),
      // 继续
      note('提取利润。[完成]', '/todo add 利润'),
      note('画图。', '/todo add 图表'),
      '图表已完成。\n[完成]\n五年营收与利润均已汇总。',
    ],
    YEARS.map((year) => ({ ok: true, text: `财报 ${year}` })),
  )
  const goal = '下载腾讯5年财报，提取数据，制作图表'
  const first = await begin(bench, { max_iterations: 3 }, rounds(10), { goal, locale: 'zh' })
  expect(first).toMatchObject({ status: 'paused', stop_reason: 'iteration_limit', step_count: 3 })
  expect(first.plan).toMatchObject({ status: 'paused', cursor: 0, iteration_count: 3, goal })
  expect(titles(first)).toEqual(['下载五年财报', '提取关键数据', '制作图表'])
  expect(first.handover?.text).toMatch(/^目标：下载腾讯5年财报/)

  const second = await say(bench, first.id, '继续', rounds(10))
  expect(second).toMatchObject({ status: 'paused', stop_reason: 'iteration_limit', step_count: 6 })
  expect(second.plan).toMatchObject({ status: 'paused', cursor: 1, iteration_count: 6 })
  expect(second.plan.items[0]?.result).toBe(
    'internet_search: 财报 2022; internet_search: 财报 2023; internet_search: 财报 2024',
  )

  const last = await say(bench, first.id, '继续', rounds(10))
  expect(last).toMatchObject({ status: 'completed', stop_reason: 'done', step_count: 9 })
  expect(last.result?.text).toBe('图表已完成。\n五年营收与利润均已汇总。')
  expect(last.plan.status).toBe('completed')
  expect(states(last)).toEqual(['completed', 'completed', 'completed'])
  // What was found before the first stop is still known after the second.
  expect(JSON.stringify(bench.requests.at(-1)?.messages)).toContain('财报 2021')
  expect(system(bench.requests.at(-1))).toContain('当前步骤 (3/3): 制作图表')
  bench.spent()
})

it('S4-25 every round is kept: another process goes on where the last one stopped', async () => {
  const bench = sessionBench([search(PLAN, 'a'), search('[完成]', 'b'), '好了\n[完成]'])
  const task = await begin(bench, {}, rounds(1))
  const seen = taken(await bench.service.getTask(CALLER, task.id))
  expect(seen.plan).toEqual(task.plan)
  expect((await step(bench, task.id)).plan.cursor).toBe(1)
  expect((await step(bench, task.id)).status).toBe('completed')
})
