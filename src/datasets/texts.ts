/** The texts about a dataset: why it cannot be read and what to do about it, and what was noticed while it was read. */
import type { Locale } from '../core/terms/locale.ts'
import { cut } from '../core/terms/text.ts'
import { callByKind, type ByKind } from '../core/terms/values/by-kind.ts'
import { NAME_CHARS_MAX, quoteNames } from './quote-names.ts'
import type { DatasetError, DatasetNote, ColumnReading } from './table.ts'

const MIB = 1_048_576
const ERRORS_EN: ByKind<DatasetError, [], string> = {
  not_a_dataset: () => 'It is no dataset: those are .csv, .tsv, .json, .xlsx and .xls files.',
  empty: () => 'The file is empty. Upload it again.',
  binary: () =>
    'The file is no text: it holds NUL or control characters. An Excel file has to be called .xlsx or .xls, a text be saved as UTF-8.',
  unclosed_quote: ({ row }) =>
    `A quote that opens in row ${row} is never closed, so that everything behind it would be one cell. Close it, or double it if it belongs to the text.`,
  row_too_long: ({ row, chars_max }) =>
    `Row ${row} has more than ${chars_max} characters: a quote that is never closed, or no line ends.`,
  too_many_columns: ({ max }) => `The table has more than ${max} columns. Turn it, or leave some out.`,
  bad_json: ({ row }) => `The file is no valid JSON: it breaks off or goes wrong in row ${row}.`,
  json_too_deep: ({ max }) => `The JSON is nested more than ${max} levels deep.`,
  json_no_rows: () =>
    'The JSON holds no rows. It has to be an array of objects, an array of arrays (the first one names the columns), {"key": […]} around one, or an object on each line.',
  json_two_arrays: ({ keys }) => `The JSON holds more than one table: ${quoteNames(keys)}. Upload one array by itself.`,
  unknown_sheet: ({ sheet, sheets }) =>
    `There is no sheet "${cut(sheet, NAME_CHARS_MAX)}". Sheets: ${quoteNames(sheets)}.`,
  empty_sheet: ({ sheet, sheets }) =>
    `The sheet "${cut(sheet, NAME_CHARS_MAX)}" is empty. Sheets: ${quoteNames(sheets)}.`,
  no_workbook: () =>
    'The file is no readable Excel workbook: it is damaged, protected by a password, or another kind of file. A text has to be called .csv.',
  workbook_too_large: ({ bytes_max }) => `A workbook may have ${bytes_max / MIB} MB. Save the sheet as .csv.`,
  unfolds_too_far: ({ bytes_max, with_compute_worker }) =>
    bytes_max === with_compute_worker
      ? `The workbook unfolds to more than ${bytes_max / MIB} MB. Save the sheet as .csv.`
      : `The workbook unfolds to more than ${bytes_max / MIB} MB, the most that this service takes without a compute Worker (with one: ${with_compute_worker / MIB} MB). Save the sheet as .csv.`,
  too_many_entries: ({ max }) =>
    `The workbook holds more than ${max} files, which no ordinary one does. Save the sheet as .csv.`,
  too_many_sheets: ({ max }) => `The workbook lists more than ${max} sheets. Save the sheet as .csv.`,
  too_many_cells: ({ max, with_compute_worker }) =>
    max === with_compute_worker
      ? `The workbook holds more than ${max} cells, empty ones counted. Save the sheet as .csv.`
      : `The workbook holds more than ${max} cells, empty ones counted, the most that this service takes without a compute Worker (with one: ${with_compute_worker}). Save the sheet as .csv.`,
  xls_too_large: ({ bytes_max }) => `An .xls workbook may have ${bytes_max / MIB} MB. Save it as .xlsx or .csv.`,
  columns_too_large: ({ columns, bytes_max, rows }) =>
    `The table is too large to compute with: its ${columns} columns take more than ${bytes_max / MIB} MB of memory after ${rows} rows. Upload fewer columns or rows, or name fewer columns in the code; texts that differ in each row take the most.`,
}

const ERRORS_ZH: ByKind<DatasetError, [], string> = {
  not_a_dataset: () => '它不是数据集：数据集是 .csv、.tsv、.json、.xlsx 或 .xls 文件。',
  empty: () => '文件是空的，请重新上传。',
  binary: () => '文件不是文本：其中有 NUL 或控制字符。Excel 文件须以 .xlsx 或 .xls 命名，文本须存为 UTF-8。',
  unclosed_quote: ({ row }) =>
    `第 ${row} 行的引号没有闭合，其后内容将全部成为一个单元格。请闭合该引号；若它属于文本，请写成两个引号。`,
  row_too_long: ({ row, chars_max }) => `第 ${row} 行超过 ${chars_max} 个字符：引号未闭合，或没有换行。`,
  too_many_columns: ({ max }) => `表格超过 ${max} 列。请转置，或去掉一些列。`,
  bad_json: ({ row }) => `文件不是有效的 JSON：在第 ${row} 行中断或出错。`,
  json_too_deep: ({ max }) => `JSON 的嵌套超过 ${max} 层。`,
  json_no_rows: () =>
    'JSON 中没有数据行。它须为对象数组、数组的数组（第一个为列名）、包着其中一个的 {"key": […]}，或每行一个对象。',
  json_two_arrays: ({ keys }) => `JSON 中有多个表格：${quoteNames(keys)}。请只上传其中一个数组。`,
  unknown_sheet: ({ sheet, sheets }) =>
    `没有工作表“${cut(sheet, NAME_CHARS_MAX)}”。已有工作表：${quoteNames(sheets)}。`,
  empty_sheet: ({ sheet, sheets }) =>
    `工作表“${cut(sheet, NAME_CHARS_MAX)}”是空的。已有工作表：${quoteNames(sheets)}。`,
  no_workbook: () => '文件不是可读的 Excel 工作簿：它已损坏、有密码保护，或是其他类型的文件。文本须以 .csv 命名。',
  workbook_too_large: ({ bytes_max }) => `工作簿最大 ${bytes_max / MIB} MB。请将工作表存为 .csv。`,
  unfolds_too_far: ({ bytes_max, with_compute_worker }) =>
    bytes_max === with_compute_worker
      ? `工作簿解压后超过 ${bytes_max / MIB} MB。请将工作表存为 .csv。`
      : `工作簿解压后超过 ${bytes_max / MIB} MB，这是此服务在没有计算 Worker 时的上限（有则为 ${with_compute_worker / MIB} MB）。请将工作表存为 .csv。`,
  too_many_entries: ({ max }) => `该工作簿内含的文件超过 ${max} 个，普通工作簿不会如此。请将工作表存为 .csv。`,
  too_many_sheets: ({ max }) => `该工作簿列出的工作表超过 ${max} 个。请将工作表存为 .csv。`,
  too_many_cells: ({ max, with_compute_worker }) =>
    max === with_compute_worker
      ? `工作簿的单元格（含空单元格）超过 ${max} 个。请将工作表存为 .csv。`
      : `工作簿的单元格（含空单元格）超过 ${max} 个，这是此服务在没有计算 Worker 时的上限（有则为 ${with_compute_worker} 个）。请将工作表存为 .csv。`,
  xls_too_large: ({ bytes_max }) => `.xls 工作簿最大 ${bytes_max / MIB} MB。请存为 .xlsx 或 .csv。`,
  columns_too_large: ({ rows, columns, bytes_max }) =>
    `表格过大，无法计算：读到第 ${rows} 行时，其 ${columns} 列已占用超过 ${bytes_max / MIB} MB 内存。请减少列或行，或在代码中少写几个列名；每行都不同的文本占用最多。`,
}

export const datasetErrorText = (error: DatasetError, locale: Locale): string =>
  callByKind(locale === 'zh' ? ERRORS_ZH : ERRORS_EN, error)

type CountedNoteKind = Extract<DatasetNote, { count: number }>['kind']
const COUNT_TEXTS: Record<CountedNoteKind, Record<Locale, (count: number) => string>> = {
  not_utf8: {
    en: (count) => `Characters that could not be read as UTF-8 and stand as �: ${count}.`,
    zh: (count) => `有 ${count} 个字符无法按 UTF-8 读取，以 � 代替。`,
  },
  renamed_columns: {
    en: (count) => `Column names that were empty, not distinct or too long, and were changed: ${count}.`,
    zh: (count) => `有 ${count} 个列名为空、重复或过长，已改名。`,
  },
  extra_cells: {
    en: (count) => `Rows with more cells than the header, what is beyond it left out: ${count}.`,
    zh: (count) => `有 ${count} 行的单元格多于表头，多出的已略去。`,
  },
  short_rows: {
    en: (count) => `Rows with fewer cells than the header, the rest missing: ${count}.`,
    zh: (count) => `有 ${count} 行的单元格少于表头，其余视为缺失值。`,
  },
  blank_rows: { en: (count) => `Blank lines left out: ${count}.`, zh: (count) => `略去了 ${count} 个空行。` },
  bad_quotes: {
    en: (count) => `Quotes that are not closed where their cell ends (check the cells around them): ${count}.`,
    zh: (count) => `有 ${count} 处引号未在单元格末尾闭合，请检查附近的单元格。`,
  },
  not_rows: {
    en: (count) => `Elements left out that are no rows like the first one: ${count}.`,
    zh: (count) => `有 ${count} 个元素不是与第一个同类的行，已略去。`,
  },
  error_cells: {
    en: (count) => `Cells with errors such as #DIV/0!, taken for missing: ${count}.`,
    zh: (count) => `有 ${count} 个单元格为 #DIV/0! 之类的错误，视为缺失值。`,
  },
}

const READINGS: Record<ColumnReading, Record<Locale, string>> = {
  thousands_commas: { en: 'commas are thousands separators', zh: '逗号为千位分隔符' },
  decimal_commas: { en: 'commas are decimal points', zh: '逗号为小数点' },
  money: { en: 'the currency sign was left out', zh: '已去掉货币符号' },
  percent: { en: 'the % sign was left out: 12.5 is 12.5 %', zh: '已去掉百分号：12.5 即 12.5%' },
  day_first: { en: 'dates are day/month/year', zh: '日期为 日/月/年' },
  month_first: { en: 'dates are month/day/year', zh: '日期为 月/日/年' },
  months: { en: 'months stand as their first day', zh: '月份以其第一天表示' },
  utc: { en: 'times are in UTC', zh: '时间为 UTC' },
  ambiguous_dates: {
    en: 'these may be dates, but day and month cannot be told apart, so they are text',
    zh: '可能是日期，但无法区分日与月，故作为文本',
  },
}

export function noteText(note: DatasetNote, locale: Locale): string {
  const en = locale === 'en'
  if ('columns' in note) return `${quoteNames(note.columns)}: ${READINGS[note.kind][locale]}`
  if ('count' in note) return COUNT_TEXTS[note.kind][locale](note.count)
  switch (note.kind) {
    case 'encoding':
      return en
        ? `The file is no UTF-8; it was read as ${note.encoding}.`
        : `文件不是 UTF-8，已按 ${note.encoding} 读取。`
    case 'delimiter': {
      const shown = note.delimiter === '\t' ? 'TAB' : note.delimiter
      return en ? `Cells are separated by "${shown}".` : `单元格以“${shown}”分隔。`
    }
    case 'array':
      return en ? `The rows are those of ${quoteNames([note.key])}.` : `数据行取自 ${quoteNames([note.key])}。`
    case 'no_rows':
      return en ? 'There are column names, but no rows.' : '只有列名，没有数据行。'
  }
}
