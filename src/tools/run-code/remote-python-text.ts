/** The texts about a runner that gave no result, and about how a run ended, in the language of the task. The model reads them. */
import type { Locale } from '../../core/terms/locale.ts'

export type RunnerFailure =
  | { kind: 'timed_out' | 'connection_failed' | 'connection_lost' }
  | { kind: 'too_large' | 'redirect' | 'busy' | 'refused_size' | 'no_answer' }
  | { kind: 'http'; status: number }

type Words = Record<Exclude<RunnerFailure['kind'], 'http'>, string>

const EN: Words = {
  timed_out: 'the Python runner did not answer in time',
  connection_failed: 'the Python runner could not be reached: it is not the fault of the code',
  connection_lost: 'the connection to the Python runner broke off: it is not the fault of the code',
  too_large: 'the answer of the Python runner was too large: keep charts and results smaller',
  redirect: 'the Python runner answered with a redirect, which is not followed: its address must be mended',
  busy: 'the Python runner is busy: the code did not run, try again',
  refused_size: 'the Python runner did not take the code or the data: they are too large',
  no_answer: 'the answer of the Python runner could not be read: it is not the fault of the code',
}
const ZH: Words = {
  timed_out: 'Python 运行器未在时限内返回',
  connection_failed: '无法连接到 Python 运行器：这不是代码的问题',
  connection_lost: '与 Python 运行器的连接中断：这不是代码的问题',
  too_large: 'Python 运行器的返回过大：请减小图表和结果',
  redirect: 'Python 运行器返回了重定向，不予跟随：其地址需要更正',
  busy: 'Python 运行器繁忙：代码没有运行，请重试',
  refused_size: 'Python 运行器拒绝了代码或数据：过大',
  no_answer: '无法读取 Python 运行器的返回：这不是代码的问题',
}

export const RUNNER_WORDS: Record<Locale, (failure: RunnerFailure) => string> = {
  en: (failure) => (failure.kind === 'http' ? `the Python runner answered HTTP ${failure.status}` : EN[failure.kind]),
  zh: (failure) => (failure.kind === 'http' ? `Python 运行器返回 HTTP ${failure.status}` : ZH[failure.kind]),
}

/** How a run ended; the text is needed where the code itself does not say it. */
interface RunEnd {
  timed_out: boolean
  exit_code: number | null
}
export const RUN_END_WORDS: Record<Locale, (end: RunEnd) => string | null> = {
  en: ({ timed_out, exit_code }) => {
    if (timed_out) return 'the code was stopped at its time limit'
    return exit_code === 0 || exit_code === null ? null : `exit code ${exit_code}`
  },
  zh: ({ timed_out, exit_code }) => {
    if (timed_out) return '代码已达到时间上限，被终止'
    return exit_code === 0 || exit_code === null ? null : `退出码 ${exit_code}`
  },
}
