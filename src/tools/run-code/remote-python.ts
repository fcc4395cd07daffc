/**
 * Runs code on a remote runner by the contract of docs/code-runner.md. A dataset is streamed only when the runner asks for it, and its body is
 * read at most once. An error of the runner is told in our own words: no body, address or secret is quoted.
 */
import type { Attempt } from '../../core/terms/attempt.ts'
import type { Locale } from '../../core/terms/locale.ts'
import { parseWellFormedJson } from '../../core/mode/json-text.ts'
import { sha256, toHex } from '../../shell/hex.ts'
import { boundedFetch, noAnswer, withDeadline, type HttpAnswer } from '../../shell/network/bounded-fetch.ts'
import type { CodeJob, CodeRun, CodeRunner, OpenFile } from '../../shell/ports.ts'
import { lacksDataset, readRunnerAnswer } from './remote-python-answer.ts'
import { RUNNER_WORDS, type RunnerFailure } from './remote-python-text.ts'

/** The longest answer that is read: texts, results, and charts in base64. */
const ANSWER_BYTES_MAX = 8_388_608

/** The time that a run may take beyond its own: its wait at the runner, the upload of a dataset, and the network. */
export const RUNNER_EXTRA_MS = 20_000

/** `url` has no slash at its end. */
export interface RunnerEndpoint {
  url: string
  secret: string | null
  fetch: typeof globalThis.fetch
}
type RunnerResult = Attempt<CodeRun, RunnerFailure>
type Dataset = { id: string; file: OpenFile }
const fail = (error: RunnerFailure): RunnerResult => ({ ok: false, error })

/** Takes up to `job.timeout_ms` plus RUNNER_EXTRA_MS. Never rejects. */
export function remotePythonRunner(at: RunnerEndpoint): CodeRunner {
  return {
    async run(job) {
      const late = fail({ kind: 'timed_out' })
      try {
        const sent = await withDeadline(job.timeout_ms + RUNNER_EXTRA_MS, late, (signal) => send(at, job, signal))
        return sent.ok ? sent.value : failedRun(sent.error, job.locale)
      } finally {
        // A body that the runner did not ask for still holds its source open.
        if (job.dataset?.body.locked === false) void job.dataset.body.cancel().catch(() => undefined)
      }
    },
  }
}

function failedRun(failure: RunnerFailure, locale: Locale): CodeRun {
  return { ok: false, stdout: '', stderr: RUNNER_WORDS[locale](failure), results: null, charts: [] }
}

async function send(at: RunnerEndpoint, job: CodeJob, signal: AbortSignal): Promise<RunnerResult> {
  const dataset = job.dataset === null ? null : { id: await idOf(job.key, job.dataset), file: job.dataset }
  const body = JSON.stringify({ version: 1, language: 'python', ...runRequest(job, dataset) })
  const first = await post(at, body, signal)
  if (dataset === null || !lacksDataset(first, dataset.id)) return runIn(first, job.locale)
  const put = await upload(at, dataset, signal)
  if (put.kind === 'unanswered' || put.status >= 300) return fail(failureOf(put))
  return runIn(await post(at, body, signal), job.locale)
}

/** Only well-formed texts can be sent. */
function runRequest(job: CodeJob, dataset: Dataset | null): object {
  return {
    code: job.code.toWellFormed(),
    key: job.key,
    timeout_s: job.timeout_ms / 1000,
    dataset: dataset === null ? null : { name: dataset.file.entry.name, id: dataset.id },
    sheet: typeof job.sheet === 'string' ? job.sheet.toWellFormed() : job.sheet,
    results: job.results?.toWellFormed() ?? null,
  }
}

/** The id of a dataset reveals nothing of the file, is equal only for equal bytes, and cannot be guessed without knowing the task. */
async function idOf(key: string, { entry }: OpenFile): Promise<string> {
  const task = key.slice(0, key.lastIndexOf(':'))
  const text = JSON.stringify([task, entry.name, entry.seq, entry.at, entry.bytes])
  return toHex(await sha256(text))
}

function post(at: RunnerEndpoint, body: string, signal: AbortSignal): Promise<HttpAnswer> {
  const headers = { ...headersOf(at), 'content-type': 'application/json', accept: 'application/json' }
  return boundedFetch(at.fetch, `${at.url}/run`, { method: 'POST', headers, body, signal }, CAP)
}
const CAP = { bytes_max: ANSWER_BYTES_MAX }

/** The body is streamed and never held in memory; Node needs `duplex` for that. */
async function upload(at: RunnerEndpoint, { id, file }: Dataset, signal: AbortSignal): Promise<HttpAnswer> {
  const headers = { ...headersOf(at), 'content-type': 'application/octet-stream' }
  const init = { method: 'PUT', headers, body: file.body, signal, duplex: 'half' }
  return signal.aborted ? noAnswer('timed out') : boundedFetch(at.fetch, `${at.url}/datasets/${id}`, init, 'ignored')
}

const headersOf = ({ secret }: RunnerEndpoint): Record<string, string> =>
  secret === null ? {} : { authorization: `Bearer ${secret}` }

function runIn(answer: HttpAnswer, locale: Locale): RunnerResult {
  if (answer.kind === 'unanswered' || answer.status !== 200) return fail(failureOf(answer))
  const run = readRunnerAnswer(parseWellFormedJson(new TextDecoder().decode(answer.body)), locale)
  return run === null ? fail({ kind: 'no_answer' }) : { ok: true, value: run }
}

/** The keys are the reasons that outbound.ts gives. */
const UNANSWERED: Partial<Record<string, RunnerFailure>> = {
  'timed out': { kind: 'timed_out' },
  'connection lost': { kind: 'connection_lost' },
  'reply too large': { kind: 'too_large' },
}

function failureOf(answer: HttpAnswer): RunnerFailure {
  if (answer.kind === 'unanswered') return UNANSWERED[answer.reason] ?? { kind: 'connection_failed' }
  const { status } = answer
  if (status >= 300 && status < 400) return { kind: 'redirect' }
  if (status === 503 || status === 429) return { kind: 'busy' }
  if (status === 413) return { kind: 'refused_size' }
  return { kind: 'http', status }
}
