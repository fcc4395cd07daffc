/** The requests of clients: each with its key, and the promise of its answer. */
import type { RequestKey } from '../../src/core/protocol/advance.ts'
import type { SentReport } from '../../src/core/terms/delegation.ts'
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import { ok, type Result } from '../../src/core/terms/refusal.ts'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { ToolSource } from '../../src/core/terms/tools/client-tools.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import type { Service } from '../../src/shell/service.ts'
import { serviceCaller, type TaskAnswer, type Bounds, type Caller } from '../../src/shell/caller.ts'
import type { Ports } from '../../src/shell/ports.ts'
import { sendReport, tend } from '../support/reports.ts'
import { contentOf } from './file-readers.ts'
import type { Random } from './random.ts'
import { TENANT } from './world.ts'
import { MANUAL } from '../support/scripted.ts'
import { shapeFor } from './typed-results.ts'

export interface Request {
  name: string
  /** null for a create, because its id is unknown before the answer. */
  id: string | null
  key: RequestKey | null
  /** A text or an amount that is unique in the run, by which the event is found in the journal. */
  mark: string | null
  bounds: Bounds
  /** Whether all its calls are made at once: nothing else happens between them. */
  at_once?: boolean
  run: (service: Service, caller: Caller, ports: Ports) => Promise<Result<TaskAnswer | null>>
}

const NOTHING = () => {}
/** `left`: the caller reads along until then. */
export const callerOf = (key: RequestKey | null, gone: () => boolean, left: AbortController | null = null): Caller => ({
  ...serviceCaller(TENANT),
  key,
  gone,
  ...(left === null ? {} : { reader: { left: left.signal, onEvents: NOTHING, onWords: NOTHING } }),
})

type Make = { name: string; id: string; key: RequestKey | null; bounds: Bounds }

export const stepRequest = (make: Make): Request => ({
  ...make,
  mark: null,
  run: (service, caller) => service.stepTask(caller, make.id, make.bounds),
})
export const inputRequest = (make: Make, text: string, request_id: string | null, mark: string | null): Request => ({
  ...make,
  mark,
  run: (service, caller) => service.inputTask(caller, make.id, text, request_id, make.bounds),
})
export const cancelRequest = (make: Make): Request => ({
  ...make,
  mark: null,
  run: (service, caller) => service.tellTask(caller, make.id, { kind: 'cancel' }),
})
export const pauseRequest = (make: Make): Request => ({
  ...make,
  mark: null,
  run: (service, caller) => service.tellTask(caller, make.id, { kind: 'pause' }),
})
export const resumeRequest = (make: Make): Request => ({
  ...make,
  mark: null,
  run: (service, caller) => service.tellTask(caller, make.id, { kind: 'resume' }),
})
/** A task of the simulation stays driven by its requests. */
export const changeRequest = (make: Make, title: string): Request => ({
  ...make,
  mark: null,
  run: (service, caller) => service.changeTask(caller, make.id, { title, metadata: { title } }, null),
})
export const deleteRequest = (make: Make): Request => ({
  ...make,
  mark: null,
  key: null,
  run: (service, caller) => service.deleteTask(caller, make.id),
})
export const readRequest = (make: Make): Request => ({
  ...make,
  mark: null,
  key: null,
  run: (service, caller) => service.getTask(caller, make.id),
})
/** The amount of tokens is the mark. */
export const topUpRequest = (
  make: Make,
  add: { steps?: number; attempts?: number; tokens: number; cost?: number; working_ms?: number },
): Request => ({
  ...make,
  mark: String(add.tokens),
  run: (service, caller) => service.tellTask(caller, make.id, { kind: 'top_up', add }),
})

/** A changed list, whose last title is the mark. */
export const editRequest = (make: Make, titles: string[], mark: string): Request => ({
  ...make,
  mark,
  run: (service, caller) =>
    service.editPlan(
      caller,
      make.id,
      [...titles, mark].map((title) => ({ title })),
      null,
    ),
})

/** The report of the command that row `seq` dispatched; its text is the mark. */
export const reportRequest = (make: Make, seq: number, sent: SentReport): Request => ({
  ...make,
  mark: sent.report.text,
  run: async (service, caller) => {
    const taken = await sendReport(service, caller, make.id, seq, sent)
    return taken.ok ? ok(null) : taken
  },
})

/** A worker claims the command of row `seq`, or renews its claim. Whoever has it already keeps it. */
export const claimRequest = (make: Make, seq: number, lease_ms: number): Request => ({
  ...make,
  name: 'claim',
  mark: null,
  key: null,
  run: async (service, caller) => {
    await service.claimDelegation(caller, delegationId(make.id, seq), { worker: 'w', lease_ms })
    return ok(null)
  },
})

/** The alarm of a task, whose answer goes to no client. */
export const alarmRequest = (make: Make): Request => ({
  ...make,
  name: 'alarm',
  mark: null,
  key: null,
  run: async (_service, caller, ports) => {
    await tend(ports, caller, make.id)
    return ok(null)
  },
})

/** A file that a client puts. The same file put twice changes nothing, so it needs no key. */
export const putRequest = (make: Make, name: string, at_once = false): Request => ({
  ...make,
  at_once,
  name: `put ${name}`,
  mark: null,
  key: null,
  run: async (service, caller) => {
    const upload = { name, body: bodyStream(contentOf(name)), length: null, bytes_max: 1_000 }
    const put = await service.putFile(caller, make.id, upload)
    return put.ok ? ok(null) : put
  },
})

export function createRequest(
  key: RequestKey | null,
  settings: Settings,
  bounds: Bounds,
  {
    goal = 'make something of sales.csv, notes.md and photo.png',
    mode = 'plan_execute',
    fallbacks = {},
    sources = [],
    hold = false,
    shape = shapeFor(settings),
  }: {
    goal?: string
    mode?: ModeName
    fallbacks?: Record<string, string[]>
    sources?: ToolSource[]
    hold?: boolean
    shape?: object
  } = {},
): Request {
  const task = {
    goal,
    mode,
    settings,
    locale: 'en' as const,
    timezone: 'UTC',
    metadata: {},
    ...MANUAL,
    fallbacks,
    ...(sources.length === 0 ? {} : { sources }),
    ...shape,
  }
  const run: Request['run'] = (service, caller) => service.createTask(caller, task, { ...bounds, hold })
  return { name: 'create', id: null, key, mark: null, bounds, run }
}

/** Fallback lists of half of the tasks. */
export const listsIn = (random: Random): Record<string, string[]> =>
  random.pick<Record<string, string[]>>([
    {},
    {},
    { default: ['spare'] },
    { default: ['spare', 'last'], spare: ['last'] },
  ])

/** Limits that are low enough to be reached. */
export const tightSettings = (random: Random): Settings => Settings.parse(tightLimits(random))

/** They are drawn for each request, so that the draws behind them are the same whatever it is, and needed for a new task alone. */
export function tightLimits(random: Random) {
  const maybe = <T>(share: number, value: () => T) => (random.chance(share) ? value() : null)
  return {
    max_iterations: random.between(1, 10),
    auto_continue: random.chance(0.1),
    max_actions_per_step: random.between(1, 8),
    repeat_action_limit: random.between(1, 3),
    merged_calls: random.chance(0.2),
    calls: random.chance(0.1) ? 'few' : 'exact',
    report_timeout_s: random.pick([60, 600, 7_200]),
    question_ttl_s: random.pick([60, 3_600]),
    max_retries_per_step: random.pick([0, 1, 3, 3]),
    max_replans: random.between(0, 2),
    command_budget: maybe(0.4, () => shareIn(random)),
    dataset: random.pick([null, 'sales.csv']),
    agent_mode: random.pick(['autonomous', 'staged']),
    transcript_token_limit: 1_000,
    max_steps: random.chance(0.5) ? random.between(1, 6) : random.between(7, 20),
    max_tokens: maybe(0.2, () => random.between(4_000, 30_000)),
    max_cost_usd: maybe(0.2, () => `0.00${random.between(10, 60)}`),
    max_seconds: maybe(0.2, () => random.between(1, 90)),
    plan_retries: random.between(0, 2),
    failure_limit: random.between(1, 4),
    max_clarifications: random.between(0, 3),
    model_timeout_s: random.pick([10, 60]),
    max_output_tokens: random.pick([64, 500]),
    continue_grants: random.chance(0.8),
    observation_history_limit: random.pick([2, 100]),
    models: random.pick([{}, {}, {}, { thought: 'spare', step_decision: 'last' }, { plan: 'last', turn: 'spare' }]),
  }
}

function shareIn(random: Random): Settings['command_budget'] {
  return random.pick([
    { tokens: random.between(100, 4_000) },
    { tokens: random.between(100, 4_000), cost_usd: '0.002' },
    { cost_usd: '0.001', seconds: random.between(1, 60) },
    { tokens: 2_000, cost_usd: '0.001', seconds: 20 },
  ])
}
