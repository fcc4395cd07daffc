/** The built-in model over a table of more rows than code has the fuel for: it looks at a sample, and no figure hides that. */
import { describe, expect, it } from 'vitest'
import { salesCsv } from '../../scripts/lib/sales-csv.mjs'
import { play } from './autonomous-bench.ts'
import { numberIn, tableIn } from './autonomous-report.ts'

describe('a table with more rows than the fuel of code allows', () => {
  const REGIONS = ['North', 'South', 'East', 'West', 'Central']
  const dayOf = (at: number) => new Date(Date.UTC(2023, 0, 1 + (at % 730))).toISOString().slice(0, 10)
  // In a regular order, which a sample is not to repeat.
  const LEAN = Array.from({ length: 260_000 }, (_, at) => `${dayOf(at)},${REGIONS[at % 5]},${10 + (at % 97)}`)
  const csv = `date,region,amount\n${LEAN.join('\n')}\n`
  const goal = 'Trend by month, by region, distribution of amount, largest values, missing values'
  const played = play({ csv, goal })

  it('the code works on a sample, and its charts and results say so', async () => {
    const { task, ran } = await played
    expect(task).toMatchObject({ status: 'completed', counters: { failed_actions: 0 } })
    expect(ran).toHaveLength(5)
    for (const { code, stdout } of ran) {
      expect(code).toMatch(/^const file = data\ndata = file\.sample\(200000\)\n/)
      expect(JSON.parse(stdout)).toMatchObject({ sample: { rows: 200_000, of: 260_000 } })
      expect(code.match(/title: "[^"]*"/g)?.every((title) => title.includes('(sample: 200,000 of 260,000 rows)'))).toBe(
        true,
      )
    }
  })

  it('the findings, the data and every section name the sample, so that no figure looks like one of the whole file', async () => {
    const { report } = await played
    const sections = report.split(/^## /m)
    const findings = sections.find((one) => one.startsWith('Key findings'))?.match(/^- .*$/gm) ?? []
    expect(findings).toHaveLength(5)
    for (const finding of findings) expect(finding).toContain(': in a sample of 200,000 of 260,000 rows: ')
    const data = sections.find((one) => one.startsWith('The data')) ?? ''
    expect(data).toContain('- Rows: 260,000')
    expect(data).toMatch(
      /- Sample: this section is about the whole file.* at most 200,000 of its 260,000 rows \(76\.9%\)/,
    )
    const numbered = sections.filter((one) => /^\d\. /.test(one))
    expect(numbered).toHaveLength(5)
    for (const section of numbered) {
      expect(section).toContain('200,000 of 260,000 rows (76.9%), evenly spread over the file. Totals, counts,')
      expect(section).not.toMatch(/\| (?:Total|Rows|Value|Missing cells) \|/)
    }
    expect(report).not.toContain('over the whole dataset')
    expect(report).toContain('code that was run over a sample of its rows')
  })

  it('medians, means and shares are close to those of the file, and rows are named by their place in it', async () => {
    const { report } = await played
    const shown = new Map(tableIn(report, 'Distribution: amount').map(([name, value]) => [name, numberIn(value)]))
    expect(shown.get('Values')).toBe(200_000)
    expect(Math.abs((shown.get('Median') ?? 0) - 58)).toBeLessThanOrEqual(1)
    const regions = tableIn(report, 'total amount by region')
    expect(regions).toHaveLength(5)
    for (const [, , , share] of regions) expect(Math.abs(numberIn(share) - 20)).toBeLessThan(0.5)
    for (const [, , row, value] of tableIn(report, 'largest and smallest amount').map((cells) =>
      ['', ...cells].slice(-4),
    )) {
      expect(LEAN[numberIn(row) - 1]).toMatch(new RegExp(`,${numberIn(value)}$`))
    }
  })

  it('a second attempt reads fewer rows, and the section says how many', async () => {
    const { ran, report } = await play({
      csv,
      goal: 'Distribution of amount',
      spoil: (answer, run) =>
        run === 1 ? { ok: false, code: 'code_failed', text: '{"stderr":"out of fuel"}' } : answer,
    })
    expect(ran[1]?.code).toContain('data = file.sample(50000)')
    expect(report).toContain('a sample: 50,000 of 260,000 rows (19.2%)')
  })

  it('the same is said in Chinese', async () => {
    const { report, ran } = await play({ csv, goal: '各地区对比，每月趋势' })
    const sections = report.split(/^## /m)
    expect(sections.find((one) => one.startsWith('数据概况'))).toMatch(
      /- 抽样：本节为整个文件的情况.*260,000 行中的 200,000 行（76\.9%）/,
    )
    expect(
      sections.find((one) => one.startsWith('关键发现'))?.match(/在 260,000 行中抽样的 200,000 行内，/g),
    ).toHaveLength(ran.length)
    const numbered = sections.filter((one) => /^\d\. /.test(one))
    expect(numbered.every((one) => one.includes('基于样本：260,000 行中均匀抽取的 200,000 行'))).toBe(true)
    expect(report).not.toContain('完整数据集')
  })

  it('a smaller table is read completely, and no text mentions a sample', async () => {
    const { report, ran } = await play({ csv: salesCsv({ rows: 3_000 }) })
    expect(report).not.toMatch(/sample/i)
    expect(ran.every(({ code }) => !code.includes('sample'))).toBe(true)
  })
})
