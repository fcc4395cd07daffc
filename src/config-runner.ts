/**
 * CODE_RUNNER_URL and CODE_RUNNER_SECRET: where Python that a model wrote is run (docs/code-runner.md, U21). COMPUTE_SECONDS: how long the
 * compute Worker may take for one job (docs/contributing/decisions/012-where-code-runs.md).
 */
import * as z from 'zod'
import type { RunnerEndpoint } from './tools/run-code/remote-python.ts'

export type RunnerConfig = Pick<RunnerEndpoint, 'url' | 'secret'>

/** A call of `read_dataset` has 30 seconds, so that of those who wait some are still heard behind a job that used all of its time. */
export const ComputeSeconds = z
  .string()
  .regex(/^(?:[1-9]|1\d|2[0-5])$/, 'must be a whole number from 1 to 25')
  .transform(Number)
  .default(20)

/** `fetch` refuses a URL with a user; what stands behind the path would end up in the middle of an address. */
const URL_FORM = 'CODE_RUNNER_URL must be an http or https URL without user, query and fragment'
/** As the header of a request can carry it. */
const SECRET_FORM = 'CODE_RUNNER_SECRET must be 16 to 512 visible ASCII characters'

export function readRunner(
  url: string | undefined,
  secret: string | undefined,
): { code_runner: RunnerConfig | null; errors: string[] } {
  const read = url === undefined ? null : addressOf(url)
  const errors: string[] = []
  if (url !== undefined && read === null) errors.push(URL_FORM)
  if (secret !== undefined && !/^[\x21-\x7e]{16,512}$/.test(secret)) errors.push(SECRET_FORM)
  if (secret !== undefined && url === undefined) errors.push('CODE_RUNNER_SECRET is set, but no CODE_RUNNER_URL')
  const usable = read !== null && errors.length === 0
  return { code_runner: usable ? { url: read, secret: secret ?? null } : null, errors }
}

function addressOf(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const plain = url.username === '' && url.password === '' && !/[?#]/.test(text)
  return plain ? url.href.replace(/(?<!\/)\/+$/, '') : null
}
