/** The requests of a run. Every text and amount is another one, so that what was acknowledged is found again. */
import type { RequestKey } from '../../../src/core/protocol/advance.ts'
import { MODE_NAMES, type ModeName } from '../../../src/core/terms/mode-names.ts'
import { ok, type Result } from '../../../src/core/terms/refusal.ts'
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts'
import type { Random } from '../../sim/random.ts'
import {
  cancelRequest,
  createRequest,
  deleteRequest,
  inputRequest,
  readRequest,
  stepRequest,
  tightSettings,
  topUpRequest,
  type Request,
} from '../../sim/requests.ts'
import type { Ask } from './moves.ts'
import { MANUAL } from '../../support/scripted.ts'

/** A request, and the todo it adds to the workspace. */
export interface Asked {
  request: Request
  todo: string | null
}

const ROUNDS = [1, 2, 4]
const MAX_MS = 25_000
const CANCEL = '取消当前任务'
const EVERY = { status: null, mode: null, metadata: {}, q: null, outcome: null }
const PAGE = { limit: 100, after: 0 }

export function createAsk(random: Random, serial: number): Asked {
  const key = random.chance(0.8) ? { scope: 'POST /tasks', key: `k${serial}`, digest: 'body' } : null
  const bounds = { rounds: random.pick([0, 2]), max_ms: MAX_MS }
  const mode = random.pick<ModeName>(['plan_execute', 'plan_execute', 'orchestrator', random.pick(MODE_NAMES)])
  return { request: createRequest(key, tightSettings(random), bounds, { mode }), todo: null }
}

export function askOf(ask: Exclude<Ask, 'work'>, id: string, serial: number, n: number): Asked {
  const key: RequestKey | null =
    n % 3 === 0 ? null : { scope: `POST /tasks/${id}/${ask}`, key: `k${serial}`, digest: 'body' }
  const make = { name: ask, id, key, bounds: { rounds: ROUNDS[n % ROUNDS.length] ?? 1, max_ms: MAX_MS } }
  const note = `note ${serial}`
  switch (ask) {
    case 'step':
      return plain(stepRequest(make))
    case 'input':
      return plain(n % 4 === 0 ? inputRequest(make, 'continue', null, null) : inputRequest(make, note, null, note))
    case 'cancel phrase':
      return plain(inputRequest(make, CANCEL, null, null))
    case 'todo':
      return { request: inputRequest(make, `/todo add ${note}`, null, null), todo: note }
    case 'command':
      return { request: commandRequest(make, `/todo add ${note}`), todo: note }
    case 'topUp':
      return plain(topUpRequest(make, { tokens: 10_000 + serial, ...(n % 2 === 0 ? { steps: 2 } : {}) }))
    case 'cancel':
      return plain(cancelRequest(make))
    case 'delete':
      return plain(deleteRequest(make))
    case 'read':
      return plain(readRequest(make))
    case 'list':
    case 'events':
    case 'journal':
    case 'dry run':
      return plain(looking(ask, make))
  }
}

const plain = (request: Request): Asked => ({ request, todo: null })
type Make = Parameters<typeof stepRequest>[0]

/** Nothing of a task is in these answers. */
const bare = async (answer: Promise<Result<unknown>>): Promise<Result<null>> => {
  const given = await answer
  return given.ok ? ok(null) : given
}

const commandRequest = (make: Make, command: string): Request => ({
  ...make,
  mark: null,
  run: (service, caller) => bare(service.runCommand(caller, command, null, 'en')),
})

function looking(ask: 'list' | 'events' | 'journal' | 'dry run', make: Make): Request {
  const { id } = make
  const runs: Record<typeof ask, Request['run']> = {
    list: (service, caller) => bare(service.listTasks(caller, EVERY, PAGE)),
    events: (service, caller) => bare(service.listEvents(caller, id, PAGE)),
    journal: (service, caller) => bare(service.listJournal(caller, id, PAGE)),
    'dry run': (service, caller) => bare(service.dryRun(caller, DRY)),
  }
  return { ...make, key: ask === 'dry run' ? make.key : null, mark: null, run: runs[ask] }
}

const DRY = {
  goal: 'a dry goal',
  mode: 'plan_execute' as const,
  settings: DEFAULT_SETTINGS,
  locale: 'en' as const,
  timezone: 'UTC',
  metadata: {},
  ...MANUAL,
}
