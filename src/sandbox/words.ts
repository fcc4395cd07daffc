/** The texts about a run for the model, in the language of the task. Errors of the language itself stay as the interpreter reports them. */
import type { Locale } from '../core/terms/locale.ts'
import {
  CHARTS_MAX,
  CODE_CHARS_MAX,
  MARKS_MAX,
  OUTPUT_CHARS_MAX,
  RESULTS_CHARS_MAX,
  RESULT_MEMBERS_MAX,
  RESULT_NAME_CHARS_MAX,
} from './limits.ts'

const EN = {
  too_long: `The code is too long: at most ${CODE_CHARS_MAX} characters.`,
  fuel: 'Stopped: the code took too long (about two seconds of computing). Is there a loop without end? Over many rows use data.groupBy, data.byPeriod and data.numbers.',
  memory:
    'Stopped: out of memory (40 MB). data.numbers(column) and data.groupBy take far less than data.rows(); build no huge arrays or texts.',
  stack: 'Too deep: a function that calls itself without end, or values nested in one another.',
  crashed: 'Stopped: the code brought the interpreter down.',
  unsettled:
    'Stopped: the code waits for a promise that never settles. There are no timers and no network here; the data is there already, nothing needs to be awaited.',
  cut: `[output cut after ${OUTPUT_CHARS_MAX} characters]`,
  no_such: (name: string) =>
    `${name} is not available here: no network, timers, files or packages. There are data, d3, stats, chart, saveResult, readResults, print.`,
  afresh: (name: string) =>
    `Each call starts afresh, so ${name} of an earlier call is gone: define it in this code, or save it with saveResult(name, value) and read it with readResults().`,
  no_import: 'Nothing can be imported; data, d3, stats, chart, saveResult, readResults and print are there already.',
  no_types:
    'This is plain JavaScript, not TypeScript: write no types (const x = 1, not const x: number = 1), no interface, type, enum or as.',
  line: (number: number, source: string) => `  at line ${number}: ${source}`,
  too_many_charts: `at most ${CHARTS_MAX} charts in one run`,
  too_many_marks: `the charts of this run have more than ${MARKS_MAX} points, bars and boxes together; draw fewer, or the rest in another run`,
  bad_chart: (why: string) => `the chart cannot be drawn: ${why}`,
  chart_too_large: 'A chart was not kept: its picture is too large. Draw fewer points or series.',
  results_too_large: `results are at most ${RESULT_MEMBERS_MAX} members and ${RESULTS_CHARS_MAX} characters as JSON, of all runs together; save totals, not rows`,
  bad_name: `the name of a result has 1 to ${RESULT_NAME_CHARS_MAX} characters`,
  words_too_long: (column: string) => `column "${column}" holds too much text to be used here; choose another`,
  many_rows: (rows: number) =>
    `The table has ${rows} rows: work on data.sample(200000), evenly spread rows with the same functions, and say that sums and counts are of a sample.`,
}
export type RunWords = typeof EN

const ZH: RunWords = {
  too_long: `代码过长：最多 ${CODE_CHARS_MAX} 个字符。`,
  fuel: '已停止：代码运行过久（约两秒计算量）。是否有死循环？行数多时请用 data.groupBy、data.byPeriod 和 data.numbers。',
  memory:
    '已停止：内存不足（40 MB）。data.numbers(列名) 和 data.groupBy 比 data.rows() 省得多；不要构造巨大的数组或文本。',
  stack: '层数过深：函数无限递归，或数据嵌套过深。',
  crashed: '已停止：代码使解释器崩溃。',
  unsettled: '已停止：代码在等待一个永远不会完成的 Promise。这里没有计时器和网络；数据已经就绪，无需等待。',
  cut: `[输出超过 ${OUTPUT_CHARS_MAX} 个字符，已截断]`,
  no_such: (name) =>
    `这里没有 ${name}：没有网络、计时器、文件和第三方包。可用的有 data、d3、stats、chart、saveResult、readResults、print。`,
  afresh: (name) =>
    `每次调用都从头开始，之前调用中的 ${name} 已不存在：请在本段代码中定义，或用 saveResult(名称, 值) 保存、用 readResults() 读取。`,
  no_import: '不能 import；data、d3、stats、chart、saveResult、readResults 和 print 已经可用。',
  no_types:
    '这里运行的是普通 JavaScript，不是 TypeScript：不要写类型（写 const x = 1，而不是 const x: number = 1），也不要用 interface、type、enum 或 as。',
  line: (number, source) => `  第 ${number} 行：${source}`,
  too_many_charts: `一次运行最多 ${CHARTS_MAX} 张图`,
  too_many_marks: `本次运行的图表合计超过 ${MARKS_MAX} 个点、柱和箱；请减少，或在另一次运行中绘制其余部分`,
  bad_chart: (why) => `无法绘图：${why}`,
  chart_too_large: '有一张图未保存：图片过大。请减少点数或系列数。',
  results_too_large: `结果（所有运行合计）最多 ${RESULT_MEMBERS_MAX} 个成员、JSON 共 ${RESULTS_CHARS_MAX} 个字符；请保存汇总，而不是逐行数据`,
  bad_name: `结果名称应为 1 到 ${RESULT_NAME_CHARS_MAX} 个字符`,
  words_too_long: (column) => `列“${column}”的文本过多，无法在此使用；请换一列`,
  many_rows: (rows) =>
    `表共 ${rows} 行：请改用 data.sample(200000)（均匀抽样的行，函数相同），并说明总和与计数只是样本的。`,
}

export const RUN_WORDS: Record<Locale, RunWords> = { en: EN, zh: ZH }
