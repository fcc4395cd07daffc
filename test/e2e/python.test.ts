/** The seed's own way of working: a model that writes Python, over a runner of the reference kind. Needs python3; nothing else here does. */
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { NO_PYTHON, startRunner, type Runner } from '../support/runner.ts'
import { calling } from '../support/scripted.ts'
import { startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { callTask, newPlace, type Place } from './support.ts'

let place: Place
let model: ScriptedOpenai
let runner: Runner
afterEach(async () => {
  await place.leave()
  await model.close()
  await runner.stop()
})

const CSV = 'date,region,amount\n2024-01-01,华东,10\n2024-02-01,华北,32\n'
const CODE = `
import csv, json
rows = list(csv.DictReader(open('sales.csv', encoding='utf-8')))
json.dump({'total': sum(int(row['amount']) for row in rows)}, open('result.json', 'w'))
open('result.svg', 'w').write('<svg xmlns="http://www.w3.org/2000/svg"></svg>')
print('行数', len(rows))
`
const tags = (mark: string) => `<thinking>下一步</thinking>\n<tasks>\n- [${mark}] 求和\n</tasks>`
const Sent = z.object({
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullable() })),
  tools: z.array(z.object({ function: z.looseObject({ name: z.string(), description: z.string() }) })),
})

describe.skipIf(NO_PYTHON)('with a runner in CODE_RUNNER_URL (needs python3 from 3.9 on)', () => {
  it(
    'S1-17 S1-18 O1-08 the model is told of Python, its code runs over the dataset, and its files become artifacts',
    { timeout: 90_000 },
    async () => {
      place = newPlace()
      runner = await startRunner()
      model = await startScriptedOpenai({
        turn: [
          calling(tags(' '), ['run_code', { code: CODE, description: '求和' }]),
          calling(tags(' '), ['run_code', { code: 'import sys\nsys.exit(3)' }]),
          `${tags('x')}\n# 报告\n合计 42\n---\n[ANALYSIS_COMPLETE]`,
        ],
      })
      const service = await place.start({
        MODEL_PROVIDER: undefined,
        OPENAI_API_KEY: 'sk-test',
        OPENAI_BASE_URL: model.base_url,
        OPENAI_MODEL: 'scripted-1',
        CODE_RUNNER_URL: runner.url,
      })
      const body = { goal: '分析销售', mode: 'autonomous', settings: { dataset: 'sales.csv' }, rounds: 0 }
      const { id } = await callTask(service, 'POST', '/tasks', body)
      const headers = { authorization: 'Bearer dev-key' }
      await fetch(`${service.url}/tasks/${id}/files/sales.csv`, { method: 'PUT', headers, body: CSV })
      const task = await callTask(service, 'POST', `/tasks/${id}/step`, { rounds: 9 })
      expect(task).toMatchObject({ status: 'completed', counters: { actions: 2, failed_actions: 1 } })
      expect(task.result?.artifacts.map(({ name }) => name)).toEqual(['chart-1.svg', 'report.md', 'result.json'])
      const [asked, ...later] = model.calls.map((call) => Sent.parse(call.body))
      expect(asked?.messages[0]?.content).toContain('pandas')
      expect(asked?.tools.find((tool) => tool.function.name === 'run_code')?.function.description).toContain(
        'result.png',
      )
      const results = later.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? []
      expect(results.map(({ content }) => JSON.parse(content ?? ''))).toMatchObject([
        { tool: 'run_code', status: 'success', stdout: '行数 2\n', has_image: true, result: { total: 42 } },
        { tool: 'run_code', status: 'error', artifacts: [] },
      ])
    },
  )
})
