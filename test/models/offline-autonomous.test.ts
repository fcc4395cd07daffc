/** The built-in model drives mode autonomous: whole runs over real tables, their figures held against numbers computed another way. */
import { describe, expect, it } from 'vitest'
import { salesCsv } from '../../scripts/lib/sales-csv.mjs'
import { WORDS } from '../../src/core/mode/autonomous-words.ts'
import { PROGRAM } from '../../src/core/mode/correction.ts'
import { readTags } from '../../src/core/mode/tags.ts'
import { readAutonomousTalk } from '../../src/models/offline/autonomous/talk.ts'
import { change, figure, percent } from '../../src/models/offline/safe-text.ts'
import { titles } from '../support/scripted.ts'
import { NAME, play, type Played } from './autonomous-bench.ts'
import { chartsIn, headings, numberIn, quantile, rowsOf, sums, tableIn } from './autonomous-report.ts'

const SALES = salesCsv({ rows: 3_000 })
const ROWS = rowsOf(SALES)
const AMOUNTS = ROWS.flatMap(({ amount = '' }) => (amount === '' ? [] : [Number(amount)]))
const month = ({ date = '' }: { date?: string }) => date.slice(0, 7)

/** Every reply carries both blocks, and the last one alone the end marker. */
function expectForm({ replies }: Played) {
  expect(replies.length).toBeLessThanOrEqual(12)
  for (const [at, reply] of replies.entries()) {
    expect(reply.match(/<\/?(?:thinking|tasks)>/g)).toEqual(['<thinking>', '</thinking>', '<tasks>', '</tasks>'])
    expect(readTags(reply)).toMatchObject({
      thinking: expect.stringMatching(/\S/),
      says_complete: at === replies.length - 1,
    })
  }
  expect(replies.at(-1)?.endsWith('\n---\n[ANALYSIS_COMPLETE]')).toBe(true)
}

describe('the built-in model over sales', () => {
  const played = play({ csv: SALES, goal: 'Analyse the sales trend' })

  it('S1-08 S1-09 S1-10 S1-11 explores the data, plans three analyses, runs each, and ends with the report', async () => {
    const { task, ran, requests } = await played
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done', step_count: 5 })
    expect(titles(task)).toEqual([
      'Explore the data',
      'Trend: total amount by month',
      'Comparison: total amount by region',
      'Distribution: amount',
      'Write the report',
    ])
    expect(task.plan.items.map(({ status }) => status)).toEqual(Array(5).fill('completed'))
    expect(ran.map(({ description }) => description)).toEqual(titles(task).slice(1, 4))
    expect(requests[0]?.messages).toHaveLength(2)
  })

  it('S1-12 S1-13 S1-19 gives both blocks in every reply, and the end marker in the report', async () => {
    expectForm(await played)
  })

  it('S1-15 ticks a task in the reply after its result, and not before', async () => {
    const { replies } = await played
    const ticked = replies.map((text) => readTags(text).tasks?.filter(({ done }) => done).length)
    expect(ticked).toEqual([0, 1, 2, 3, 5])
  })

  it('writes about ten lines for each run, which print figures, draw one chart and save the result', async () => {
    for (const { code, charts, stdout } of (await played).ran) {
      expect(code.split('\n').length).toBeLessThanOrEqual(17)
      expect(charts).toHaveLength(1)
      expect(JSON.parse(stdout)).toHaveProperty('task')
    }
  })

  it('S1-11 reports the months that a loop over the rows computes', async () => {
    const { report } = await played
    const expected = [...sums(ROWS, month, 'amount')].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const shown = tableIn(report, 'Trend: total amount by month')
    expect(shown.map(([period, total]) => [period, numberIn(total)])).toEqual(expected)
    expect(shown).toHaveLength(36)
    const [first, last] = [expected[0]?.[1] ?? 0, expected.at(-1)?.[1] ?? 0]
    expect(report).toContain(
      `from ${first.toLocaleString('en-US')} (2022-01) to ${last.toLocaleString('en-US')} (2024-12)`,
    )
    expect(report).toContain(`a change of +${((last / first - 1) * 100).toFixed(1)}%`)
  })

  it('S1-11 reports the regions with rows and shares, also for rows without a region', async () => {
    const expected = sums(ROWS, ({ region = '' }) => region || '(missing)', 'amount')
    const all = [...expected.values()].reduce((sum, one) => sum + one, 0)
    const shown = tableIn((await played).report, 'Comparison: total amount by region')
    expect(shown.map(([name, total]) => [name, numberIn(total)])).toEqual(
      [...expected].toSorted(([, a], [, b]) => b - a),
    )
    for (const [name = '', total, rows, share] of shown) {
      expect(numberIn(rows)).toBe(ROWS.filter(({ region = '' }) => (region || '(missing)') === name).length)
      expect(numberIn(share)).toBeCloseTo((numberIn(total) / all) * 100, 0)
    }
  })

  it('S1-11 reports the distribution of the amounts', async () => {
    const shown = new Map(
      tableIn((await played).report, 'Distribution: amount').map(([name, value]) => [name, numberIn(value)]),
    )
    const [q1, median, q3] = [0.25, 0.5, 0.75].map((at) => quantile(AMOUNTS, at))
    const reach = 1.5 * ((q3 ?? 0) - (q1 ?? 0))
    const mean = AMOUNTS.reduce((sum, one) => sum + one, 0) / AMOUNTS.length
    const spread = Math.sqrt(AMOUNTS.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (AMOUNTS.length - 1))
    const expected: [string, number | undefined][] = [
      ['Values', AMOUNTS.length],
      ['Missing', ROWS.length - AMOUNTS.length],
      ['Mean', mean],
      ['Standard deviation', spread],
      ['Smallest', Math.min(...AMOUNTS)],
      ['First quartile', q1],
      ['Median', median],
      ['Third quartile', q3],
      ['Largest', Math.max(...AMOUNTS)],
      ['Outliers', AMOUNTS.filter((one) => one < (q1 ?? 0) - reach || one > (q3 ?? 0) + reach).length],
    ]
    expect([...shown.keys()]).toEqual(expected.map(([name]) => name))
    for (const [name, value] of expected) expect(shown.get(name)).toBeCloseTo(value ?? Number.NaN, 2)
  })

  it('describes the data in the report, names the charts, and says that rules wrote it', async () => {
    const { report } = await played
    expect(headings(report)).toEqual([
      'Key findings',
      'The data',
      '1. Trend: total amount by month',
      '2. Comparison: total amount by region',
      '3. Distribution: amount',
      'Limits',
    ])
    expect(chartsIn(report)).toEqual(['chart-1.svg', 'chart-2.svg', 'chart-3.svg'])
    const missing = ROWS.flatMap((row) => Object.values(row)).filter((cell) => cell === '').length
    expect(report).toContain(
      `- Rows: 3,000\n- Columns: 7\n- Period: 2022-01-01 to 2024-12-31 (date)\n- Missing cells: ${missing} (`,
    )
    expect(report).toContain('fixed rules, not by a language model')
  })

  it('S1-11 reports no figure that is missing from the results', async () => {
    const { report, requests } = await played
    const results = requests.at(-1)?.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : [])) ?? []
    const words = results.join(' ')
    const numbers = [...words.matchAll(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g)].map(([text]) => Number(text))
    const known = new Set(numbers.flatMap((one) => [figure(one), percent(one), change(one)]))
    // The numbers of sections, the rule for outliers, the share of missing cells: what it says of its own.
    const own = new Set(['1', '2', '3', '1.5', percent(numberIn(/Missing cells: ([\d,]+)/.exec(report)?.[1]) / 21_000)])
    const shown = report.replaceAll(/\d{4}-\d\d(?:-\d\d)?|chart-\d\.svg/g, '').matchAll(/[-+]?\d[\d,]*(?:\.\d+)?%?/g)
    const unknown = [...shown]
      .map(([text]) => text.replace(/,$/, ''))
      .filter((text) => !known.has(text) && !own.has(text))
    expect(unknown).toEqual([])
  })

  it('gives the same reply to the same messages, and reads nothing else', async () => {
    const [one, other] = [await played, await play({ csv: SALES, goal: 'Analyse the sales trend' })]
    expect(other.replies).toEqual(one.replies)
    expect(other.ran.map(({ code }) => code)).toEqual(one.ran.map(({ code }) => code))
  })
})

describe('the built-in model over other tables', () => {
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join('\n')
  const analyses = async (csv: string, goal = 'Analyse the data') => {
    const played = await play({ csv, goal })
    expectForm(played)
    expect(played.task.status).toBe('completed')
    expect(played.report).not.toContain('What was not done')
    return { ...played, planned: titles(played.task).slice(1, -1) }
  }

  it('without dates the report compares and describes, and claims no trend', async () => {
    const csv = `team,grade,points\n${lines(90, (at) => `${['red', 'blue', 'green'][at % 3]},${['a', 'b'][at % 2]},${(at * 7) % 31}`)}`
    const { planned, report } = await analyses(csv)
    expect(planned).toEqual([
      'Comparison: average points by team',
      'Distribution: points',
      'Comparison: average points by grade',
    ])
    const reds = rowsOf(csv)
      .filter(({ team }) => team === 'red')
      .map(({ points }) => Number(points))
    const shown = tableIn(report, 'average points by team').find(([name]) => name === 'red')
    expect(numberIn(shown?.[1])).toBeCloseTo(reds.reduce((sum, one) => sum + one, 0) / reds.length, 2)
  })

  it('a table of texts only has its values counted', async () => {
    const csv = `name,city,remark\n${lines(80, (at) => `n${at},${['Rome', 'Oslo', 'Rome'][at % 3]},${'x'.repeat(1 + (at % 60))}${at}`)}`
    const { planned, report } = await analyses(csv)
    expect(planned).toEqual([
      'Comparison: number of rows by city',
      'Distribution: length of remark',
      'Completeness: missing values by column',
    ])
    const rome = rowsOf(csv).filter(({ city }) => city === 'Rome').length
    expect(tableIn(report, 'number of rows by city')).toEqual([
      ['Rome', String(rome), percent(rome / 80)],
      ['Oslo', String(80 - rome), percent(1 - rome / 80)],
    ])
  })

  it('one column of numbers is shown with its distribution and extremes', async () => {
    const heights = Array.from({ length: 70 }, (_, at) => 150.5 + ((at * 13) % 40))
    const { planned, report } = await analyses(`height\n${heights.join('\n')}`)
    expect(planned).toEqual([
      'Distribution: height',
      'Extremes: largest and smallest height',
      'Completeness: missing values by column',
    ])
    const [largest] = tableIn(report, 'largest and smallest height')
    expect(largest).toEqual([
      'Largest',
      String(1 + heights.indexOf(Math.max(...heights))),
      String(Math.max(...heights)),
    ])
  })

  it('one column of dates has its rows counted by period and weekday', async () => {
    const days = Array.from({ length: 120 }, (_, at) =>
      new Date(Date.UTC(2024, 0, 1 + ((at * 5) % 100))).toISOString().slice(0, 10),
    )
    const { planned, report } = await analyses(`day\n${days.join('\n')}`)
    expect(planned).toEqual([
      'Trend: number of rows by week',
      'Weekdays: number of rows per day',
      'Completeness: missing values by column',
    ])
    const mondays = days.filter((day) => new Date(day).getUTCDay() === 1)
    const [, mean, count] = tableIn(report, 'number of rows per day').find(([name]) => name === 'Monday') ?? []
    expect(numberIn(count)).toBe(new Set(mondays).size)
    expect(numberIn(mean)).toBeCloseTo(mondays.length / new Set(mondays).size, 2)
  })

  it('two columns of numbers are plotted against each other', async () => {
    const pairs = Array.from({ length: 60 }, (_, at) => [at / 2, 3 * at + ((at * 17) % 23) + 0.5])
    const { planned, report } = await analyses(`dose,effect\n${pairs.map((pair) => pair.join(',')).join('\n')}`)
    expect(planned).toEqual(['Distribution: dose', 'Relation: dose and effect', 'Distribution: effect'])
    const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + (pair[at] ?? 0), 0) / pairs.length
    const product = (a: 0 | 1, b: 0 | 1) =>
      pairs.reduce((sum, pair) => sum + ((pair[a] ?? 0) - mean(a)) * ((pair[b] ?? 0) - mean(b)), 0)
    const r = product(0, 1) / Math.sqrt(product(0, 0) * product(1, 1))
    expect(report).toContain(`r = ${r.toPrecision(3)}, a strong positive relation (60 pairs of values)`)
  })

  it('codes, years and postal codes group the rows and are never added up', async () => {
    const csv = `customer_id,year,zip,orders\n${lines(60, (at) => `${1_000 + at},${2010 + (at % 10)},${10_000 + at * 37},${at % 7}`)}`
    const { planned, ran } = await analyses(csv)
    expect(planned).toEqual([
      'Trend: total orders by year',
      'Distribution: orders',
      'Extremes: largest and smallest orders',
    ])
    expect(ran.some(({ code }) => /'(?:sum|mean)', "(?:customer_id|year|zip)"/.test(code))).toBe(false)
  })

  it('a Chinese table has an analysis and a report in Chinese', async () => {
    const csv = `日期,地区,产品,数量,金额（元）\n${lines(90, (at) => `2024-0${1 + (at % 9)}-15,${['华东', '华南', '华北'][at % 3]},${['茶', '酒'][at % 2]},${1 + (at % 4)},${((at * 37) % 100) + 0.5}`)}`
    const { planned, report } = await analyses(csv, '各地区的销售额对比，以及按月趋势')
    expect(planned).toEqual(['对比分析：各地区的金额[元]总和', '趋势分析：每月金额[元]总和', '分布分析：金额[元]'])
    const expected = [...sums(rowsOf(csv), ({ 地区 = '' }) => 地区, '金额（元）')].toSorted(([, a], [, b]) => b - a)
    expect(tableIn(report, '总和').map(([name, total]) => [name, numberIn(total)])).toEqual(expected)
    expect(headings(report)).toEqual([
      '关键发现',
      '数据概况',
      expect.any(String),
      expect.any(String),
      expect.any(String),
      '局限',
    ])
    expect(report.replaceAll(/read_dataset|sales\.csv|chart-\d\.svg/g, '')).not.toMatch(/[A-Za-z]{4,}/)
  })

  it('the report says when a table has no rows', async () => {
    const { task, report } = await play({ csv: 'a,b,c\n' })
    expect(task.status).toBe('completed')
    expect(report).toContain('The dataset has no rows.')
  })

  it('a period that the data covers only in part is shown, and compared with no other', async () => {
    const days = Array.from({ length: 400 }, (_, at) => new Date(Date.UTC(2023, 0, 1 + at)).toISOString().slice(0, 10))
    const csv = `date,amount\n${days.map((day, at) => `${day},${10 + (at % 3)}`).join('\n')}`
    const { report } = await analyses(csv, 'monthly trend')
    const months = sums(rowsOf(csv), month, 'amount')
    expect(report).toContain(`from ${months.get('2023-01')} (2023-01) to ${months.get('2024-01')} (2024-01)`)
    expect(report).toContain(`| 2024-02 \\* | ${months.get('2024-02')} |`)
    expect(report).toContain('2024-02 is not covered in full by the data')
    expect(report).toMatch(/lowest \d+ \(2023-02\)/)
  })
})

describe('the table of sales', () => {
  it('is the same for the same seed, grows and has its seasons', () => {
    expect(salesCsv({ rows: 50 })).toBe(salesCsv({ rows: 50 }))
    expect(salesCsv({ rows: 50, seed: 2 })).not.toBe(salesCsv({ rows: 50 }))
    const years = sums(ROWS, ({ date = '' }) => date.slice(0, 4), 'amount')
    expect(years.get('2024')).toBeGreaterThan(years.get('2022') ?? 0)
    const december = ROWS.filter(({ date = '' }) => date.slice(5, 7) === '12').length
    expect(december).toBeGreaterThan(1.3 * ROWS.filter(({ date = '' }) => date.slice(5, 7) === '02').length)
    expect(NAME).toBe('sales.csv')
  })
})

describe('a file that has arrived', () => {
  const { arrived } = WORDS.en
  const talkWith = (locale: 'en' | 'zh', last: string) => {
    const system = { role: 'system' as const, content: WORDS[locale].date('Tue 2026-11-24', 'UTC') }
    const user = { role: 'user' as const, content: WORDS[locale].request('the trend') }
    return readAutonomousTalk([system, user, { role: 'assistant', content: '' }, { role: 'user', content: last }])
  }

  it('U36 is noticed by its name, in both languages, and only where the program says so', () => {
    for (const locale of ['en', 'zh'] as const) {
      const said = `${PROGRAM[locale]} ${WORDS[locale].arrived('a-b.csv')}`
      expect(talkWith(locale, said).arrived).toBe('a-b.csv')
    }
    expect(talkWith('en', arrived('a.csv')).arrived).toBeNull()
    expect(talkWith('en', `${PROGRAM.en} ${WORDS.en.idle}`).arrived).toBeNull()
  })
})
