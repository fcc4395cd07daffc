/** The story of the requirements S4 through real HTTP on both sides: a session that meets its limit twice, is asked beside its work, and runs again. */
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import { calling } from '../support/scripted.ts'
import { startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { callTask, newPlace, type Place } from './support.ts'

let place: Place
let model: ScriptedOpenai
afterEach(async () => {
  await place.leave()
  await model.close()
})

const add = (said: string, text: string) => calling(said, ['todo', { command: `/todo add ${text}` }])
const Sent = z.object({
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.string().nullable(), tool_call_id: z.string().optional() }),
  ),
  tools: z.array(z.object({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) })).optional(),
})

it('S4-08 S4-09 S4-19 U14 U20 limit, continue, side turn and next run work, with a restart in between', async () => {
  place = newPlace()
  model = await startScriptedOpenai({
    turn: [
      add('[Step] 下载五年财报\n[Step] 提取数据\n[Step] 制作图表', '下载 2021–2025'),
      add('[完成]', '提取营收'),
      '正在提取数据。',
      add('', '提取利润'),
      add('[完成]', '画柱状图'),
      '[完成] 图表已完成。',
      '不客气。',
    ],
  })
  const env = {
    MODEL_PROVIDER: undefined,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: model.base_url,
    OPENAI_MODEL: 'scripted-1',
  }
  const goal = '下载腾讯5年财报，提取数据，制作图表'
  const before = await place.start(env)
  const made = { goal, mode: 'session', settings: { max_iterations: 2 }, rounds: 20 }
  const first = await callTask(before, 'POST', '/tasks', made)
  expect(first).toMatchObject({
    status: 'paused',
    stop_reason: 'iteration_limit',
    plan: { status: 'paused', cursor: 1 },
  })
  expect(first.handover?.text).toMatch(/^目标：下载腾讯5年财报.*\n进度：已完成 1\/3 步\n/)
  await before.stop()

  const service = await place.start(env)
  const say = (input: string) => callTask(service, 'POST', `/tasks/${first.id}/input`, { input, rounds: 20 })
  const aside = await say('进行到哪一步了？')
  expect(aside).toMatchObject({ status: 'paused', result: { text: '正在提取数据。' }, plan: first.plan })
  const second = await say('继续')
  expect(second).toMatchObject({
    status: 'paused',
    budget: { used: 4, max: 4 },
    plan: { cursor: 2, iteration_count: 4 },
  })
  const last = await say('继续')
  expect(last).toMatchObject({ status: 'completed', result: { text: '图表已完成。' }, plan: { status: 'completed' } })
  expect(await say('谢谢')).toMatchObject({ status: 'completed', result: { text: '不客气。' }, plan: last.plan })
  expect(model.leftovers()).toEqual({})

  const sent = model.calls.map(({ body }) => Sent.parse(body))
  expect(sent.map(({ tools }) => tools === undefined)).toEqual([false, false, true, false, false, false, false])
  expect(
    sent
      .at(-1)
      ?.messages.map(({ role }) => role)
      .join(' '),
  ).toBe(
    'system user assistant tool assistant tool user assistant user assistant tool assistant tool user assistant user user',
  )
  expect(model.calls.every(({ body }) => body['response_format'] === undefined)).toBe(true)
  expect(new Set(model.calls.map(({ metadata }) => `${metadata['mode']}/${metadata['phase']}`))).toEqual(
    new Set(['session/turn']),
  )
  const lines = await fetch(`${service.url}/tasks/${first.id}`, {
    headers: { authorization: 'Bearer dev-key', accept: 'text/plain' },
  })
  expect(await lines.text()).toMatch(/迭代预算：已用 6 \/ 7，剩余 1\n任务结束：已完成\n不客气。\n$/)
})
