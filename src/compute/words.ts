/** The texts for a task when the compute Worker gave no answer, in the language of the task. */
import type { Locale } from '../core/terms/locale.ts'

const EN = {
  absent:
    'Datasets and pages cannot be read and code cannot be run here: this service was deployed without its compute Worker. Nothing was done; trying again does not help.',
  /** For a job that took longer than the allowed `seconds`. */
  stopped: (seconds: number) =>
    `Stopped: this was not done after ${seconds} s, which is as long as one computation may take here. Nothing of it was kept. Use fewer rows or columns, or split the work.`,
  restarted: 'The place where code runs was restarted in the middle of this. Nothing of it was kept. Try again.',
  busy: 'The place where code runs was busy all the time, and nothing was done. Try again.',
  failed: 'The place where code runs failed. Nothing of it was kept. Try again.',
}
type ComputeWords = typeof EN

const ZH: ComputeWords = {
  absent: '这里不能读取数据集与网页，也不能运行代码：部署此服务时没有计算 Worker。未执行任何操作，重试也无济于事。',
  stopped: (seconds) =>
    `已停止：${seconds} 秒后仍未完成，这是此处一次计算的最长时间。没有保留任何结果。请减少行或列，或拆分工作。`,
  restarted: '运行代码的地方在执行中途重新启动。没有保留任何结果，请重试。',
  busy: '运行代码的地方一直繁忙，未执行任何操作。请重试。',
  failed: '运行代码的地方出错。没有保留任何结果，请重试。',
}

export const COMPUTE_WORDS: Record<Locale, ComputeWords> = { en: EN, zh: ZH }
