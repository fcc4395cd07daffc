/** What the dataset tools say when they have no dataset to work with, in the language of the task. */
import type { Locale } from '../core/terms/locale.ts'
import { cut } from '../core/terms/text.ts'
import { quoteNames } from '../datasets/quote-names.ts'

const upload = (task: string, name = 'sales.csv') => `curl -T ${name} …/tasks/${task}/files/${name}`
const shortName = (name: string) => cut(name, 128)

const EN = {
  usage:
    'Usage: read_dataset takes {"name":"sales.csv","preview_rows":5,"sheet_name":"Sheet1"}, each of them optional: a name is a file name without folders, preview_rows a number from 0 to 20.',
  none: (task: string) =>
    `This task has no dataset. Ask for one to be uploaded (.csv, .tsv, .json, .xlsx, .xls): ${upload(task)}`,
  several: (datasets: readonly string[]) => `Say which dataset by its name: ${quoteNames(datasets)}.`,
  notFound: (name: string, datasets: readonly string[], task: string) =>
    datasets.length === 0
      ? `There is no file "${shortName(name)}", and no other dataset. Ask for it to be uploaded: ${upload(task, name)}`
      : `There is no file "${shortName(name)}". Datasets: ${quoteNames(datasets)}.`,
  notADataset: (name: string) =>
    `"${shortName(name)}" is no dataset: those are .csv, .tsv, .json, .xlsx and .xls files.`,
  busy: 'Other datasets and code were computed all the time, and nothing was done. Busy: try again.',
}
type DatasetWords = typeof EN

const ZH: DatasetWords = {
  usage:
    '用法: read_dataset 接受 {"name":"sales.csv","preview_rows":5,"sheet_name":"Sheet1"}，各项均可省略：name 为不含目录的文件名，preview_rows 为 0 到 20 的数字。',
  none: (task) => `本任务没有数据集。请让用户上传（.csv、.tsv、.json、.xlsx、.xls）：${upload(task)}`,
  several: (datasets) => `请用名称指明数据集：${quoteNames(datasets)}。`,
  notFound: (name, datasets, task) =>
    datasets.length === 0
      ? `没有文件“${shortName(name)}”，也没有其他数据集。请让用户上传：${upload(task, name)}`
      : `没有文件“${shortName(name)}”。已有数据集：${quoteNames(datasets)}。`,
  notADataset: (name) => `“${shortName(name)}”不是数据集：数据集是 .csv、.tsv、.json、.xlsx 或 .xls 文件。`,
  busy: '其他数据集和代码一直占用计算资源，本次未执行任何操作。系统繁忙，请重试。',
}

export const DATASET_WORDS: Record<Locale, DatasetWords> = { en: EN, zh: ZH }
