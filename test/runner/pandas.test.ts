/** Python as the requirements S1 want it of a model: pandas reads, matplotlib draws. Where they are not installed nothing of this is tried. */
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { healthOf, NO_PYTHON, PYTHON, ran, startRunner, type Runner } from '../support/runner.ts'

const has = (python: string) => spawnSync(python, ['-c', 'import pandas, matplotlib']).status === 0
const python = NO_PYTHON ? undefined : [PYTHON, '/usr/bin/python3'].find(has)

const CODE = `
import pandas as pd
import matplotlib.pyplot as plt
import json

plt.rcParams['font.sans-serif'] = ['SimHei']
df = pd.read_csv('sales.csv')
df['date'] = pd.to_datetime(df['date'])
monthly = df.groupby(df['date'].dt.strftime('%Y-%m'))['amount'].sum()
monthly.plot(kind='bar', title='销售趋势')
plt.savefig('result.png')
json.dump({'monthly': {name: int(value) for name, value in monthly.items()}, 'mean': df['amount'].mean()}, open('result.json', 'w'))
print('关键发现：', monthly.idxmax())
`

describe.skipIf(python === undefined)('pandas and matplotlib (where they are installed)', () => {
  let runner: Runner
  beforeAll(async () => {
    runner = await startRunner({ RUNNER_PYTHON: python ?? '' })
  }, 120_000)
  afterAll(() => runner.stop())

  it('S1-18 pandas over the dataset, a chart to result.png, results to result.json, findings to stdout', async () => {
    const rows = Array.from({ length: 240 }, (_, at) => `2024-${String((at % 12) + 1).padStart(2, '0')}-05,${at}`)
    await fetch(`${runner.url}/datasets/sales`, { method: 'PUT', body: `date,amount\n${rows.join('\n')}\n` })
    const told = await ran(runner, CODE, { dataset: { id: 'sales', name: 'sales.csv' } })
    expect(told).toMatchObject({ status: 'success', exit_code: 0, stdout: '关键发现： 2024-12\n' })
    const sums = Array.from({ length: 12 }, (_, month) => [
      `2024-${String(month + 1).padStart(2, '0')}`,
      20 * month + 12 * 190,
    ])
    expect(JSON.parse(told.results ?? 'null')).toEqual({ monthly: Object.fromEntries(sums), mean: 119.5 })
    const [chart] = told.charts
    expect([told.charts.length, chart?.name, chart?.content_type]).toEqual([1, 'result.png', 'image/png'])
    const png = Buffer.from(chart?.base64 ?? '', 'base64')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([640, 480])
  }, 60_000)

  it('says so', async () => {
    const { packages } = await healthOf(runner)
    expect(packages).toMatchObject({ pandas: expect.any(String), matplotlib: expect.any(String) })
  })
})
