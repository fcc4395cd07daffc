/** What a model is told about the data kit for its JavaScript. docs/data-kit.md describes the whole kit. */
import type { Locale } from '../terms/locale.ts'

export const SANDBOX_PROMPT: Record<Locale, string> = {
  en: `JavaScript has these, nothing is imported, there is no network:
data – the dataset: data.columns, data.types, data.length · data.values(col) array, null where missing · data.numbers(col) without missing · data.rows(n) objects · data.filter(r => r.amount > 0), data.where({region: 'North'}), data.sample(200000) rows from all over a large file → same methods
data.groupBy('region' or ['region','kind'], {total: ['sum','amount'], n: 'count'}) → [{region, total, n}] · data.byPeriod('date', 'day|week|month|quarter|year', {total: ['sum','amount']}, 'region'?) → [{period, total}] by time. Functions: sum mean median std variance min max q1 q3 count distinct mode first last, or g => value, where g is a table like data with the rows of the group
chart.line|bar|scatter|histogram|pie|box({title, x, y or series: [{name, values}], x_label, y_label}), or {data: rows, x: 'period', y: 'total', by: 'region'}; histogram {values}, pie {labels, values}
Each call starts afresh: no variable of an earlier call is there. saveResult(name, value) keeps a value in result.json for later calls, readResults() → {name: value, …} of all calls so far · print(...) · d3 (d3-array) · stats (simple-statistics)
Example:
const m = data.byPeriod('date', 'month', {total: ['sum', 'amount']})
chart.line({title: 'Sales by month', data: m, x: 'period', y: 'total'})
const r = stats.linearRegression(m.map((p, i) => [i, p.total]))
saveResult('trend', {slope: r.m, months: m.length})
print('slope per month', r.m)`,
  zh: `JavaScript 可直接使用以下对象，无需 import，没有网络：
data 为数据集：data.columns、data.types、data.length · data.values(列) 数组，缺失为 null · data.numbers(列) 不含缺失值 · data.rows(n) 行对象 · data.filter(r => r.amount > 0)、data.where({region: '华东'})、data.sample(200000) 大文件的均匀抽样 → 方法相同
data.groupBy('region' 或 ['region','kind'], {total: ['sum','amount'], n: 'count'}) → [{region, total, n}] · data.byPeriod('date', 'day|week|month|quarter|year', {total: ['sum','amount']}, 'region'?) → [{period, total}]，按时间排序。函数：sum mean median std variance min max q1 q3 count distinct mode first last，或 g => 值，g 为与 data 同样的表，含该组的行
chart.line|bar|scatter|histogram|pie|box({title, x, y 或 series: [{name, values}], x_label, y_label})，或 {data: rows, x: 'period', y: 'total', by: 'region'}；histogram {values}，pie {labels, values}
每次调用都从头开始：之前调用中的变量不复存在。saveResult(名称, 值) 把值存入 result.json 供后续调用使用，readResults() → 此前所有调用的 {名称: 值, …} · print(...) · d3（d3-array）· stats（simple-statistics）
示例：
const m = data.byPeriod('date', 'month', {total: ['sum', 'amount']})
chart.line({title: '月度销售额', data: m, x: 'period', y: 'total'})
const r = stats.linearRegression(m.map((p, i) => [i, p.total]))
saveResult('趋势', {slope: r.m, months: m.length})
print('每月斜率', r.m)`,
}
