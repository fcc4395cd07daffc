/** The reference runner as a separate process on a free port with its own data; it ends after the test. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'

/** Of the machine; what the service needs is Node alone. */
export const PYTHON = process.env['RUNNER_PYTHON'] ?? 'python3'
const version = spawnSync(PYTHON, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'])
export const NO_PYTHON = version.status !== 0
export const SERVER = join(import.meta.dirname, '../../runner/server.py')

/** For tests that run as root: another user, with the Python of the machine. */
export const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '/usr/bin/python3']
export const CAN_BE_NOBODY =
  process.getuid?.() === 0 &&
  spawnSync('setpriv', [...NOBODY.slice(1), '-c', `open(${JSON.stringify(SERVER)})`]).status === 0

export interface Runner {
  url: string
  data_dir: string
  /** Its output on stderr. */
  log(): string
  stop(): Promise<void>
}

/** A runner ends all processes of its user, so runners that are tested at the same time have different users. */
const uids = () => 20_000 + 2 * Math.floor(Math.random() * 20_000)

/** Rejects with its output when it does not start. */
export async function startRunner(env: Record<string, string> = {}, as: string[] = [PYTHON]): Promise<Runner> {
  const data_dir = mkdtempSync(join(tmpdir(), 'loop-agent-runner-test-'))
  if (as === NOBODY) chownSync(data_dir, 65_534, 65_534)
  const [command = PYTHON, ...args] = [...as, SERVER]
  const child = spawn(command, args, {
    env: {
      PATH: process.env['PATH'],
      RUNNER_PORT: '0',
      RUNNER_DATA_DIR: data_dir,
      RUNNER_PARALLEL: '2',
      RUNNER_UID: String(uids()),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => (log += String(chunk)))
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(data_dir, { recursive: true, force: true })
  }
  const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text))
  const ready = await Promise.race([line, ended.then(() => null)])
  if (ready === null) {
    await stop()
    throw new Error(log)
  }
  return { url: z.object({ ready: z.string() }).parse(JSON.parse(ready)).ready, data_dir, log: () => log, stop }
}

export const Ran = z.object({
  status: z.enum(['success', 'error']),
  exit_code: z.number().nullable(),
  timed_out: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  results: z.string().nullable(),
  charts: z.array(z.object({ name: z.string(), content_type: z.string(), base64: z.string() })),
  duration_ms: z.number(),
})

const Health = z.object({
  version: z.literal(1),
  language: z.literal('python'),
  python: z.string(),
  packages: z.record(z.string(), z.string().nullable()),
  network: z.enum(['isolated', 'open']),
  files: z.enum(['isolated', 'open']),
  processes: z.enum(['isolated', 'open']),
  system_calls: z.enum(['filtered', 'open']),
})
export type Health = z.infer<typeof Health>
export const healthOf = async ({ url }: Pick<Runner, 'url'>) =>
  Health.parse(await (await fetch(`${url}/health`)).json())

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${url}/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  })
}
export const asked = (code: string, more: object = {}) => ({
  version: 1,
  language: 'python',
  code,
  key: 'task_1:1',
  timeout_s: 30,
  dataset: null,
  sheet: null,
  results: null,
  ...more,
})
/** One run that is answered. */
export async function ran(runner: Pick<Runner, 'url'>, code: string, more: object = {}) {
  const response = await post(runner.url, asked(code, more))
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return Ran.parse(await response.json())
}
