/** One seeded case: clients, a model and tools of some temper, a stretch of faults, then calm, then the whole account. */
import type { RequestKey } from '../../src/core/protocol/advance.ts'
import { missingFile } from '../../src/core/engine/awaiting.ts'
import { worksOutside } from '../../src/core/engine/tools/held-calls.ts'
import { openToolQuestion } from '../../src/core/engine/tools/tool-questions.ts'
import { withListedTools } from '../../src/core/engine/tools/tool-lists.ts'
import { briefOf } from '../../src/core/mode/mode.ts'
import { expiresAt } from '../../src/core/protocol/alarm-times.ts'
import { checkWhole, drive } from './calm.ts'
import { meanwhile, NO_FAULTS, openGate, remakeOne, repeatOne, type Chaos, type Faults } from './chaos.ts'
import { attempt, newTicketed, type Clients } from './clients.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { ENDED_STATUSES } from '../../src/core/terms/status.ts'
import type { Rows } from '../../src/store/task/rows/rows.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES, type ModeName } from '../../src/core/terms/mode-names.ts'
import { awaitedIn, commandRows, isCommand } from './check-reports.ts'
import { checkWork } from './check-work.ts'
import { FILE_MODES, type Coverage } from './coverage.ts'
import { CALM_PLAY, outsideIn, sourcesIn } from './outside.ts'
import { finisherOf, playerOf, type Temper } from './player.ts'
import { randomOf, type Random } from './random.ts'
import {
  alarmRequest,
  cancelRequest,
  changeRequest,
  createRequest,
  deleteRequest,
  editRequest,
  inputRequest,
  listsIn,
  pauseRequest,
  putRequest,
  readRequest,
  resumeRequest,
  stepRequest,
  tightLimits,
  topUpRequest,
  type Request,
} from './requests.ts'
import { nextRequest, type Standing } from './next-request.ts'
import { workerRequest } from './worker.ts'
import { hereOf, worldOf, type World } from './world.ts'

export interface Outcome {
  crashes: number
  /** Of stores, models and tools. */
  calls: number
  error: Error | null
  trace: string[]
}

/** Faults of a case: some gentle, some hard, some with one kind only. */
function faultsOf(random: Random): Faults {
  const share = random.pick([0, 0.02, 0.05, 0.12])
  const some = (most: number) => (random.chance(0.5) ? random.pick([most / 4, most]) : 0)
  return {
    crash: share,
    crash_at_tool: random.chance(0.3) ? 0.8 : share,
    crash_outside: random.chance(0.7) ? 0.3 : share,
    reset: some(0.04),
    repeat: some(0.15),
    ghost: some(0.1),
    reboot: some(0.04),
    jump: some(0.06),
    hang_up: some(0.03),
  }
}

const maybe = (random: Random, low: number, high: number) => (random.chance(0.1) ? random.between(low, high) : null)

/** Cases of which one reads all pages as well. */
const PAGES_EVERY = 4

/** Moves of the adversary before it grows calm. */
const MOVES = [20, 40, 80]
/** What a case is about: work that is done outside takes several requests for each command, and so do files and tools that are waited for. */
type Focus = 'any' | 'workers' | 'files' | 'sources'
const FOCUSED: readonly Focus[] = [
  'workers',
  'workers',
  'workers',
  'workers',
  'files',
  'files',
  'sources',
  'sources',
  'sources',
]
const MOVES_FOCUSED = 120
/** Settings with which a task soon comes to wait for a file, and may wait again. */
const ROOMY = { approve: 'none', merged_calls: true, max_tokens: null, max_cost_usd: null, max_seconds: null } as const
const REQUESTS_AT_ONCE = 4
const ONWARD = { rounds: 2, max_ms: 25_000 }

export async function runCase(seed: number, seen: Coverage, traced = false): Promise<Outcome> {
  const random = randomOf(seed)
  const temper = random.pick<Temper>(['sound', 'sound', 'flawed', 'hostile'])
  const tool_ms = () => (random.chance(0.03) ? 45_000 : random.between(5, 800))
  const focus = random.pick<Focus>([...Array.from({ length: 16 }, () => 'any' as const), ...FOCUSED])
  const away = random.pick([null, null, null, null, 'default', 'spare'])
  const reading_share = focus === 'files' ? 0.7 : undefined
  const play = {
    model: playerOf(random, () => temper, away, reading_share),
    toolFails: () => random.chance(0.2),
    tool_ms,
  }
  const daily = { tokens: maybe(random, 20_000, 200_000), cost: maybe(random, 2_000, 30_000) }
  const world = worldOf(play, random.chance(0.4), seen, daily, registeredIn(randomOf(seed + REGISTERED)))
  world.outside.play = outsideIn(random)
  const clients: Clients = { world, known: [], all: [], failure: null }
  const trace: string[] = []
  const chaos: Chaos = {
    random,
    clients,
    faults: faultsOf(random),
    ghosts: [],
    crashes: 0,
    trace: traced ? trace : null,
  }
  let serial = 0
  const next = () => ++serial
  try {
    await begin(chaos, maker(world, random, randomOf(seed + ASIDE), next, focus), focus)
    await calmDown(chaos)
    await checkWork(world)
    if (temper !== 'hostile' || random.chance(0.5)) world.play.model = finisherOf(random)
    if (random.chance(0.7)) world.outside.play = CALM_PLAY
    for (const id of world.tasks.keys()) await drive(clients, id, () => 1_000 + next())
    await checkWhole(clients, seed % PAGES_EVERY === 0)
    return { crashes: chaos.crashes, calls: world.scheduler.calls, error: null, trace }
  } catch (error) {
    const { calls } = world.scheduler
    return { crashes: chaos.crashes, calls, error: error instanceof Error ? error : new Error(String(error)), trace }
  }
}

/** Seeds a stream of draws of its own, so that what is registered leaves the rest of a case as it was. */
const REGISTERED = 2_000_000_011

/** What the registry says: mostly nothing. */
function registeredIn(random: Random) {
  const bound = (low: number, high: number) => (random.chance(0.5) ? random.between(low, high) : null)
  const bounds = () => ({ tokens: bound(10_000, 100_000), cost: bound(1_000, 20_000) })
  return random.chance(0.9) ? {} : { monthly: bounds(), key: bounds() }
}

async function begin(chaos: Chaos, make: (id: string | null) => Request, focus: Focus): Promise<void> {
  const { random, clients } = chaos
  const { scheduler } = clients.world
  const most = focus === 'any' ? random.pick(MOVES) : MOVES_FOCUSED
  /** A file is most likely to come while a tool that has looked for it reports what it found. */
  const between = () =>
    focus === 'files' && scheduler.parked.some(({ shown }) => shown().includes('tool_returned')) ? 0.7 : 0.15
  for (let move = 0; move < most; move++) {
    await meanwhile(chaos)
    const { parked } = scheduler
    const idle = parked.length === 0
    if (idle || (parked.length < REQUESTS_AT_ONCE && random.chance(between()))) {
      const again = (await remakeOne(chaos)) || (random.chance(0.3) && (await repeatOne(chaos)))
      if (!again) await launch(chaos, make)
    } else {
      await openGate(chaos, random.pick(parked))
    }
    if (clients.failure !== null) throw clients.failure.error
  }
}

async function launch(chaos: Chaos, make: (id: string | null) => Request): Promise<void> {
  const { random, clients } = chaos
  const { known } = clients
  const creates = known.length === 0 ? 1 : known.length < 2 ? 0.05 : 0
  const request = make(random.chance(creates) ? null : random.pick(known))
  chaos.trace?.push(
    `client: ${request.name}${request.mark === null ? '' : ` "${request.mark}"`} ${request.key?.key ?? 'without key'}`,
  )
  await attempt(clients, newTicketed(clients, request), request.at_once)
}

/** Lets everything under way come to its end, without faults; what was delayed arrives now or never. */
async function calmDown(chaos: Chaos): Promise<void> {
  const { random, clients } = chaos
  chaos.faults = NO_FAULTS
  const { parked } = clients.world.scheduler
  while (parked.length > 0) {
    await openGate(chaos, random.pick(parked))
    if (clients.failure !== null) throw clients.failure.error
  }
}

/** The modes whose models choose among tools. */
const modesWithTools = () => MODE_NAMES.filter((name) => modeOf(name).takes_tools)

/** Half of all tasks are of the mode whose accounting is known best. */
function modeIn(random: Random, focus: Focus): ModeName {
  if (focus === 'workers') return 'orchestrator'
  if (focus === 'files') return random.pick(FILE_MODES)
  if (focus === 'sources') return random.pick(modesWithTools())
  return random.chance(0.3) ? 'plan_execute' : random.pick(MODE_NAMES)
}

type Make = Parameters<typeof stepRequest>[0]

/** Seeds a second stream of draws, so that a new kind of request leaves the rest of a case as it was. */
const ASIDE = 1_000_000_007

/** Makes requests of every kind; null is a create. */
function maker(world: World, random: Random, aside: Random, serial: () => number, focus: Focus) {
  /** How often a worker is the next to ask: seldom unless a command is out; now and then for a task that has none. */
  const worked = (id: string) => {
    const rows = world.tasks.get(id)?.rows
    if (rows === undefined) return 0
    const pending = rows.pending()
    const out = awaitedIn(rows.last()?.head) !== null || (pending !== null && isCommand(pending))
    return out ? 0.6 : commandRows(rows).length > 0 ? 0.1 : 0.01
  }
  const keyOf = (scope: string): RequestKey | null =>
    random.chance(0.6) ? { scope, key: `k${serial()}`, digest: 'body' } : null
  return (id: string | null): Request => {
    const bounds = { rounds: random.pick([0, 1, 1, 2, 4]), max_ms: random.pick([100, 25_000, 25_000]) }
    const approve = random.pick(['none', 'none', 'none', 'plan', 'actions'] as const)
    const roomy = focus === 'files' || focus === 'sources' ? ROOMY : {}
    const limits = tightLimits(random)
    const mode = modeIn(random, focus)
    if (id === null) {
      const settings: Settings = { ...Settings.parse(limits), approve, ...roomy }
      const hasSources = modeOf(mode).takes_tools && (focus === 'sources' || random.chance(0.08))
      const sources = hasSources ? sourcesIn(random) : []
      const asked =
        hasSources && random.chance(0.25) ? { ...settings, approve: { tools: patternsIn(random) } } : settings
      return createRequest(keyOf('POST /tasks'), asked, bounds, {
        mode,
        fallbacks: listsIn(random),
        sources,
        hold: aside.chance(0.05),
      })
    }
    const number = serial()
    const to = (name: string) => ({ name, id, key: keyOf(`POST /tasks/${id}/${name}`), bounds })
    const onTool = toolRequest(world, random, to('answer a tool'), number)
    if (onTool !== null) return onTool
    const stands = (focus === 'workers' || focus === 'sources') && random.chance(0.6) ? standing(world, id) : null
    if (stands !== null) return nextRequest(world, stands, (name) => ({ ...to(name), bounds: ONWARD }), number)
    if (random.chance(worked(id))) return workerRequest(world, random, to('report'), number)
    const file = fileRequest(world, random, to('put'))
    if (file !== null) return file
    if (aside.chance(0.03)) return changeRequest(to('change'), `title ${number}`)
    const roll = random.below(100)
    if (roll < 50) return stepRequest(to('step'))
    if (roll < 78) return said(random, to('input'), number)
    if (roll < 86) return topUpRequest(to('budget'), amounts(random, number))
    if (roll < 90) return cancelRequest(to('cancel'))
    if (roll < 95) return editRequest(to('plan'), random.pick([[], ['A'], ['B', 'A']]), `note ${number}`)
    if (roll < 97) return deleteRequest(to('delete'))
    if (roll < 99) return random.chance(0.7) ? pauseRequest(to('pause')) : resumeRequest(to('resume'))
    return readRequest(to('read'))
  }
}

const patternsIn = (random: Random) => random.pick([['tickets.*'], ['hint:acts'], ['tickets.make', 'stock.*']])

/** A person mostly answers a held call that asks, and time comes to one that works on outside. */
function toolRequest(world: World, random: Random, make: Make, number: number): Request | null {
  const rows = world.tasks.get(make.id)?.rows
  const head = rows?.last()?.head
  if (rows === undefined || head === undefined || head.held === null || rows.pending() !== null) return null
  if (!random.chance(0.6)) return null
  // What a person does meanwhile must not lose the call.
  const roll = random.below(20)
  if (roll < 3) return editRequest(make, ['A'], `note ${number}`)
  if (roll < 5) return pauseRequest(make)
  if (roll < 6) return inputRequest(make, `note ${number}`, null, `note ${number}`)
  if (worksOutside(head)) {
    // Now and then its time is over before it is looked at.
    const later = random.chance(0.2) ? 7_200_000 : 0
    world.clock.now = Math.max(world.clock.now, head.retry_at ?? 0) + later
    return stepRequest(make)
  }
  const question = openToolQuestion(head, withListedTools(head, rows.recall))
  const expires_at = expiresAt(head, briefOf(rows.recall))
  if (question === null) return null
  if (expires_at !== null && random.chance(0.25)) {
    world.clock.now = Math.max(world.clock.now, expires_at)
    return alarmRequest(make)
  }
  const { choices, request_id } = question
  const text = random.pick([
    'bugs',
    '{"queue":"ideas"}',
    'decline',
    'Decline',
    '拒绝',
    ...(choices ?? []),
    `note ${number}`,
  ])
  const mark = text.startsWith('note') ? text : null
  return inputRequest(make, text, random.chance(0.5) ? request_id : null, mark)
}

/** The tool that looks for a file at this moment. */
function lookingTool({ tasks }: World, id: string): string | null {
  const effect = tasks.get(id)?.rows.pending()?.effect
  return effect?.kind === 'run_tool' && READERS.has(effect.tool) ? effect.tool : null
}
const READERS = new Set(['read_dataset', 'read_file'])

/** The files that goals name. */
const NAMED_FILES = ['sales.csv', 'notes.md', 'photo.png']

/** The file that a call under way may find missing. */
function soughtFile(rows: Rows): string | undefined {
  const [head, effect] = [rows.last()?.head, rows.pending()?.effect]
  if (head === undefined || effect === undefined) return undefined
  const { recall } = rows
  return NAMED_FILES.find((name) => modeOf(head.mode).mayAwaitFile?.(head.state, name, { recall, effect }) === true)
}

/** A client puts files mostly where a task waits for one: that one, another one, or one after the end of the wait. */
function fileRequest(world: World, random: Random, make: Parameters<typeof putRequest>[0]): Request | null {
  const rows = world.tasks.get(make.id)?.rows
  const head = rows?.last()?.head
  if (rows === undefined || head === undefined || modeOf(head.mode).fileRequest === undefined) return null
  const request = missingFile(head, rows)
  const brief = briefOf(rows.recall)
  const looks = lookingTool(world, make.id) !== null
  if (!random.chance(looks ? 0.9 : request === null ? 0.05 : 0.6)) return null
  const roll = random.below(10)
  if (roll < 2) return putRequest(make, 'other.csv')
  const expires_at = expiresAt(head, brief)
  const name = request?.name ?? soughtFile(rows) ?? brief.settings.dataset ?? random.pick(NAMED_FILES)
  if (roll > 3 || expires_at === null) return putRequest(make, name, looks || random.chance(0.5))
  world.clock.now = Math.max(world.clock.now, expires_at)
  return alarmRequest(make)
}

/** A task that has not ended, as its client is shown it. */
function standing(world: World, id: string): Standing | null {
  const rows = world.tasks.get(id)?.rows
  const seen = rows === undefined ? null : taskMethods(rows, () => hereOf(world)).ask({ kind: 'view' })
  return seen?.ok === true && !ENDED_STATUSES.has(seen.value.status) ? seen.value : null
}

function said(random: Random, make: Parameters<typeof inputRequest>[0], number: number): Request {
  const note = `note ${number}`
  const roll = random.below(10)
  if (roll < 2 && random.chance(0.6)) return inputRequest(make, 'continue', null, null)
  if (roll < 2) return inputRequest(make, `continue, and ${note}`, null, `continue, and ${note}`)
  if (random.chance(0.3)) return inputRequest(make, random.pick(['yes', 'yes', 'no']), null, null)
  if (roll < 3) return inputRequest(make, `/todo add note ${number}`, null, null)
  if (roll < 4 && random.chance(0.3)) return inputRequest(make, '取消当前任务', null, null)
  const asked = random.chance(0.3) ? `question_${random.between(3, 9)}` : null
  return inputRequest(make, note, asked, note)
}

function amounts(random: Random, number: number) {
  const tokens = 10_000 + number
  return random.pick([
    { tokens },
    { tokens, steps: 2 },
    { tokens, attempts: 2 },
    { tokens, cost: 5_000 },
    { tokens, working_ms: 30_000, steps: 1 },
  ])
}
