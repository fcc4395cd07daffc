/** What `run_code` says besides the output of the code, in the language of the task. */
import type { Locale } from '../../core/terms/locale.ts'

const EN = {
  input_errors: {
    no_code: 'Usage: run_code takes {"code":"…","description":"…"}: the code to run is missing.',
    no_json:
      'The input is no valid JSON: line breaks and quotes in "code" have to be escaped. The bare code without JSON is taken as well.',
    language: 'Usage: the language of run_code is "javascript" or "python".',
    dataset: 'Usage: "dataset" is the name of a file of this task, without folders.',
    sheet: 'Usage: "sheet_name" is the name of a sheet, or its number from 0 on.',
  },
  no_python:
    'Python cannot be run here: no Python runner is configured. Write it in JavaScript with the data kit: data.groupBy, data.byPeriod, chart.line, saveResult, print (see the description of run_code).',
  not_kept: (name: string, why: string) => `${name} was not kept: ${why}`,
  runner_failed: 'The code could not be run: the runner failed. Whether it acted is not known; it may be tried again.',
}
type CodeWords = typeof EN

const ZH: CodeWords = {
  input_errors: {
    no_code: '用法: run_code 接受 {"code":"…","description":"…"}：缺少要运行的代码。',
    no_json: '输入不是有效的 JSON：“code”中的换行和引号须转义。也可以不用 JSON，直接给出代码。',
    language: '用法: run_code 的 language 为 "javascript" 或 "python"。',
    dataset: '用法: “dataset”为本任务的文件名，不含目录。',
    sheet: '用法: “sheet_name”为工作表名称，或从 0 开始的序号。',
  },
  no_python:
    '这里不能运行 Python：未配置 Python 运行器。请用 JavaScript 和数据工具编写：data.groupBy、data.byPeriod、chart.line、saveResult、print（见 run_code 的说明）。',
  not_kept: (name, why) => `${name} 未保存：${why}`,
  runner_failed: '代码未能运行：运行器出错。可以再试一次。',
}

export const CODE_WORDS: Record<Locale, CodeWords> = { en: EN, zh: ZH }
