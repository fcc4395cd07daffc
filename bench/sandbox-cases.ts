/** What is measured of the sandbox: code, and whether it ends well. */
export const CASES: readonly { name: string; code: string; ok: boolean }[] = [
  { name: 'empty', ok: true, code: '' },
  {
    name: 'groupBy',
    ok: true,
    code: `print(data.groupBy('region', {total: ['sum','amount'], mid: ['median','amount'], n: 'count'}).length)`,
  },
  {
    name: 'groupBy of 1,000 groups',
    ok: true,
    code: `print(data.groupBy(['product','region'], {total: ['sum','amount'], days: ['distinct','date']}).length)`,
  },
  {
    name: 'byPeriod',
    ok: true,
    code: `print(data.byPeriod('date', 'month', {total: ['sum','amount'], avg: ['mean','quantity']}).length)`,
  },
  { name: 'histogram', ok: true, code: `chart.histogram({title: 'Amount', values: data.numbers('amount')})` },
  {
    name: 'a report: 3 groupings, 3 charts',
    ok: true,
    code: `
const m = data.byPeriod('date', 'month', {total: ['sum','amount']}); chart.line({title: 'Trend', data: m, x: 'period', y: 'total'})
const r = data.groupBy('region', {total: ['sum','amount'], n: 'count'}); chart.bar({title: 'Regions', data: r, x: 'region', y: 'total'})
chart.histogram({title: 'Amount', values: data.numbers('amount')})
saveResult('regions', r); print(stats.linearRegression(m.map((p, i) => [i, p.total])).m)`,
  },
  {
    name: 'filter by a function',
    ok: true,
    code: `print(data.filter((row) => row.amount > 100 && row.region === 'North').length)`,
  },
  {
    name: 'all rows as objects',
    ok: true,
    code: `let n = 0; for (const row of data.rows()) n += row.amount; print(n)`,
  },
  { name: 'stopped by fuel: a loop', ok: false, code: `for (;;);` },
  { name: 'stopped by fuel: searching', ok: false, code: `const s = 'a'.repeat(1e6); for (;;) s.indexOf('b')` },
  { name: 'stopped by fuel: dates', ok: false, code: `for (;;) new Date(2020, 1, 1).getHours()` },
  { name: 'stopped by fuel: regular expression', ok: false, code: `/(a+)+$/.test('a'.repeat(60) + 'b')` },
  { name: 'stopped by memory', ok: false, code: `const a = []; for (;;) a.push(new Array(1000).fill(1))` },
]
