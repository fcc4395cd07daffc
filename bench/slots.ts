/**
 * Run slots of the real service, in figures: how long a kill -9 holds up thirty background tasks, what a thousand waiting ones cost while
 * every slot is held by a task whose model is slow, and how soon a slot that was freed is used.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { makeDataDir, removeDataDir, startService, type Service } from '../scripts/lib/service.mjs'

const KEY = 'bench-key-of-twenty-chars'
const TASKS = 30
const WAITING = 1_000
const CPU_MS = 30_000
const HANDOVERS = 20

const REPLIES: Record<string, object> = {
  plan: { status: 'planned', plan: ['A'] },
  thought: { status: 'done', current_step: 'done', next_action: null, question: null, response: 'a' },
  replan: { status: 'done', plan: [], response: 'the answer' },
}
const Metadata = z.object({ phase: z.string(), task: z.string() })
const Task = z.object({ id: z.string(), status: z.string() })

interface SlowModel {
  base_url: string
  calls: { task: string; phase: string; asked: number; answered: number | null }[]
  close(): void
}

/** Answers each call after `ms`; Infinity: never. */
async function startSlowModel(ms: number): Promise<SlowModel> {
  const calls: SlowModel['calls'] = []
  const server = createServer((request, response) => {
    const { phase, task } = Metadata.parse(JSON.parse(String(request.headers['cf-aig-metadata'])))
    const call: SlowModel['calls'][number] = { task, phase, asked: performance.now(), answered: null }
    calls.push(call)
    request.resume()
    if (ms === Infinity) return
    setTimeout(() => {
      call.answered = performance.now()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(completionOf(JSON.stringify(REPLIES[phase])))
    }, ms)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the slow model has no port')
  return {
    base_url: `http://127.0.0.1:${address.port}/v1`,
    calls,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const completionOf = (content: string): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'bench',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  })

const envOf = ({ base_url }: SlowModel, slots: number) => ({
  ENVIRONMENT: 'development',
  API_KEYS: `bench:${KEY}`,
  SIGNING_SECRET: 'a secret of the bench',
  MODEL_PROVIDER: 'openai',
  OPENAI_API_KEY: 'sk-bench',
  OPENAI_BASE_URL: base_url,
  OPENAI_MODEL: 'bench',
  SEARCH_BASE_URL: 'http://127.0.0.1:9',
  RATE_LIMIT_PER_MINUTE: '9999999',
  MAX_OPEN_TASKS: '99999',
  MAX_DRIVEN_TASKS: String(slots),
})

async function call(service: Service, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const sent = body === undefined ? null : JSON.stringify(body)
  const response = await fetch(`${service.url}${path}`, { method, headers, body: sent })
  const answered: unknown = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answered)}`)
  return answered
}

const create = async (service: Service) =>
  Task.parse(await call(service, 'POST', '/tasks', { goal: 'a goal', mode: 'plan_execute', drive: 'background' })).id

async function createMany(service: Service, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let left = count; left > 0; left -= 10)
    ids.push(...(await Promise.all(Array.from({ length: Math.min(10, left) }, () => create(service)))))
  return ids
}

async function endedOf(service: Service, ids: readonly string[]): Promise<number> {
  const tasks = await Promise.all(ids.map(async (id) => Task.parse(await call(service, 'GET', `/tasks/${id}`))))
  return tasks.filter(({ status }) => status === 'completed').length
}

async function allEnded(service: Service, ids: readonly string[], patience_ms: number): Promise<number> {
  const begun = performance.now()
  while ((await endedOf(service, ids)) < ids.length) {
    if (performance.now() - begun > patience_ms) throw new Error('tasks that did not end')
    await sleep(250)
  }
  return performance.now() - begun
}

/** User and system time of every process of the service, in ms. */
function cpuOf(service: Service): number {
  const listed = execFileSync('ps', ['-eo', 'pid=,pgid='], { encoding: 'utf8' }).trim().split('\n')
  const own = listed.map((line) => line.trim().split(/\s+/)).filter(([, group]) => group === String(service.pid))
  const ticks = own.map(([pid]) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, one) => sum + one, 0) * 10
}

async function withService<T>(
  model_ms: number,
  slots: number,
  body: (service: Service, model: SlowModel, again: () => Promise<Service>) => Promise<T>,
): Promise<T> {
  const [dataDir, model] = [makeDataDir(), await startSlowModel(model_ms)]
  let service = await startService({ dataDir, env: envOf(model, slots) })
  const again = async () => (service = await startService({ dataDir, env: envOf(model, slots) }))
  try {
    return await body(service, model, again)
  } finally {
    await service.stop()
    model.close()
    removeDataDir(dataDir)
  }
}

/** From the moment of the kill to the end of the last task, with the start of the next process in it. */
const afterKill = () =>
  withService(400, 10, async (service, model, again) => {
    const ids = await createMany(service, TASKS)
    while (model.calls.length < 14) await sleep(20)
    const killed = performance.now()
    await service.kill()
    const next = await again()
    const started = performance.now()
    await allEnded(next, ids, 180_000)
    return { start_ms: started - killed, ended_ms: performance.now() - killed }
  })

const waiting = () =>
  withService(Infinity, 10, async (service, model) => {
    await createMany(service, WAITING)
    while (model.calls.length < 10) await sleep(20)
    // The last of them have asked for a slot, and objects without work have left the memory.
    await sleep(15_000)
    const [before, calls] = [cpuOf(service), model.calls.length]
    await sleep(CPU_MS)
    return { cpu_percent: ((cpuOf(service) - before) / CPU_MS) * 100, calls: model.calls.length - calls }
  })

/** From the last reply to a task to the first call of the next one, with one slot. */
const handovers = () =>
  withService(20, 1, async (service, model) => {
    const ids = await createMany(service, HANDOVERS + 1)
    await allEnded(service, ids, 180_000)
    const gaps = model.calls.flatMap((one, at) => {
      const before = model.calls[at - 1]
      return before === undefined || before.task === one.task ? [] : [one.asked - (before.answered ?? Infinity)]
    })
    const sorted = gaps.toSorted((a, b) => a - b)
    return { count: gaps.length, median_ms: sorted[sorted.length >> 1] ?? 0, worst_ms: sorted.at(-1) ?? 0 }
  })

export async function runSlotBench(): Promise<void> {
  const gap = await handovers()
  console.log(
    `a freed slot is used after ${gap.median_ms.toFixed(0)} ms (median of ${gap.count}; worst ${gap.worst_ms.toFixed(0)} ms)`,
  )
  const kill = await afterKill()
  console.log(
    `kill -9 with ${TASKS} background tasks in 10 slots: all have ended after ${(kill.ended_ms / 1000).toFixed(1)} s (the start took ${(kill.start_ms / 1000).toFixed(1)} s of it; aim: 40 s)`,
  )
  const cost = await waiting()
  console.log(
    `${WAITING} background tasks while 10 slots wait for a slow model: ${cost.cpu_percent.toFixed(2)} % of a core over ${CPU_MS / 1000} s (aim: 2 %; ${cost.calls} calls meanwhile)`,
  )
}
