/** Tasks of every mode that are made in one request, over a bench whose model says whatever its contracts allow. */
import { dueOf } from '../../src/core/protocol/alarm-times.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import type { Brief } from '../../src/core/terms/effect.ts'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { Job } from '../../src/core/protocol/alarm-times.ts'
import type { Beginning, NewTask } from '../../src/shell/caller.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'
import { randomOf } from '../sim/random.ts'
import { storedRows } from './forks.ts'
import { randomReply } from './random-reply.ts'
import { ALL, benchOf, CALLER, FREE, MANUAL, taken, UNBOUNDED, type Bench } from './scripted.ts'

export const HOOK = 'https://example.com/hook'

export const briefOf = (mode: ModeName, more: Partial<Brief> = {}): NewTask => ({
  goal: 'a goal',
  mode,
  settings: Settings.parse(modeOf(mode).presets),
  locale: 'en',
  timezone: 'UTC',
  metadata: {},
  ...MANUAL,
  ...more,
})

export function benchOfMode(seed = 1): { bench: Bench; requests: ModelRequest[] } {
  const [random, requests]: [ReturnType<typeof randomOf>, ModelRequest[]] = [randomOf(seed), []]
  let serial = 0
  const model = {
    complete(request: ModelRequest) {
      requests.push(request)
      const usage = { input_tokens: 10, output_tokens: 5 }
      const said = randomReply(request, random, (serial += 1))
      return Promise.resolve({
        kind: 'model_replied' as const,
        ...said,
        usage,
        model: 'random',
        form: request.form,
      })
    },
  }
  return { bench: benchOf({ tools: Array.from({ length: 99 }, () => ({ ok: true })) }, { model }), requests }
}

export const make = async (bench: Bench, brief: NewTask, beginning: Partial<Beginning> = {}): Promise<TaskView> =>
  taken(await bench.service.createTask(CALLER, brief, { ...ALL, ...beginning }))

export function dueIn(bench: Bench, id: string) {
  const rows = storedRows(bench, id)
  return dueOf(rows, rows.deliveries(), { now_ms: bench.clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED })
}

/** Has the service drive the task once, as its alarm does. */
export async function driveOnce(bench: Bench, id: string): Promise<void> {
  const version = storedRows(bench, id).last()?.seq
  const job = { kind: 'drive', tenant: CALLER.tenant, task: id, version, asked_ms: bench.clock.now }
  await runJob(bench.ports, Job.parse(job))
}

export const seen = async (bench: Bench, id: string): Promise<TaskView> =>
  taken(await bench.service.getTask(CALLER, id))
