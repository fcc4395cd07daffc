/** The built bundle as a process of its own: started on a free port, spoken to over HTTP, gone after the test. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import * as z from 'zod'
import { NODE } from '../../scripts/lib/node.mjs'
import { makeDataDir, removeDataDir, startService, type Service } from '../../scripts/lib/service.mjs'
import { TaskView } from '../../src/core/terms/view.ts'

/** A configuration of its own, whatever the machine has set: no account, no network, the offline model. */
export const ENV = {
  ENVIRONMENT: 'development',
  API_KEYS: undefined,
  MODEL_PROVIDER: 'offline',
  OPENAI_API_KEY: undefined,
  OPENAI_BASE_URL: undefined,
  OPENAI_MODEL: undefined,
  SEARCH_PROVIDER: 'wikipedia',
  SEARCH_BASE_URL: 'http://127.0.0.1:9',
  TIMEZONE: 'UTC',
  TEST_CLOCK: undefined,
  MAX_STEPS: undefined,
  // A hundred certificates for no request that leaves this machine: each start would encode and parse them.
  NODE_EXTRA_CA_CERTS: undefined,
}

export interface Place {
  dataDir: string
  start(env?: Record<string, string | undefined>): Promise<Service>
  /** Stops all that was started here and removes the data. */
  leave(): Promise<void>
}

/** A data directory, and the services that were started on it. */
export function newPlace(): Place {
  const dataDir = makeDataDir()
  const services: Service[] = []
  return {
    dataDir,
    start: async (env = {}) => {
      const service = await startService({ dataDir, env: { ...ENV, ...env } })
      services.push(service)
      return service
    },
    leave: async () => {
      for (const service of services) await service.stop()
      removeDataDir(dataDir)
    },
  }
}

/** One service for those tests of a file that neither kill it nor need it empty. It is started by the first of them. */
export function sharedService(): () => Promise<Service> {
  const place = newPlace()
  let started: Promise<Service> | null = null
  afterAll(() => place.leave())
  return () => (started ??= place.start())
}

export async function call(
  service: Pick<Service, 'url'>,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const headers = { authorization: 'Bearer dev-key', 'content-type': 'application/json' }
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  const answered: unknown = response.status === 204 ? null : await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answered)}`)
  return answered
}

export async function callTask(
  service: Pick<Service, 'url'>,
  method: string,
  path: string,
  body?: object,
): Promise<TaskView> {
  return TaskView.parse(await call(service, method, path, body))
}

const PATIENCE_MS = 60_000

/** The looks come less and less often: each costs the service as much as a request of somebody who has something to do. */
const PAUSE_MS = 30
const PAUSE_MS_MAX = 250
const SLOWER = 1.25

/** Looks until it is as wanted; what a client without a callback does. */
export async function until(service: Service, id: string, wanted: (task: TaskView) => boolean): Promise<TaskView> {
  let seen: TaskView | null = null
  const look = async () => (wanted((seen = await callTask(service, 'GET', `/tasks/${id}`))) ? seen : null)
  const told = () => `task as wanted: ${seen?.status} (${seen?.stop_reason}), ${seen?.step_count} steps`
  return await untilFound(told, look)
}

/** Looks until there is something. */
export async function untilFound<T>(
  what: string | (() => string),
  look: () => Promise<T | null> | T | null,
): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (let pause_ms = PAUSE_MS; ; pause_ms = Math.min(PAUSE_MS_MAX, pause_ms * SLOWER)) {
    const found = await look()
    if (found !== null) return found
    if (Date.now() > end) throw new Error(`still no ${typeof what === 'string' ? what : what()}`)
    await new Promise((resolve) => setTimeout(resolve, pause_ms))
  }
}

/** Runs a script of the project to its end, with a configuration laid over ours. */
export function runScript(
  script: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<{ code: number; printed: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env } }
    const child = execFile(NODE, [`scripts/${script}.mjs`, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, printed: stdout + stderr }),
    )
  })
}

const Rows = z.object({ data: z.array(z.record(z.string(), z.unknown())) })
export async function journalOf(service: Service, id: string): Promise<Record<string, unknown>[]> {
  return Rows.parse(await call(service, 'GET', `/tasks/${id}/journal?limit=100`)).data
}

/** Command lines of the processes whose environment or arguments name this text (Linux). */
export async function processesWith(text: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['axeww', '-o', 'args='], { maxBuffer: 64 << 20 })
  return stdout.split('\n').filter((line) => line.includes(text) && !line.startsWith('ps '))
}
