/**
 * The servers of clients: they list tools, and a call of one answers, asks a person, or works on outside. A ledger keeps what each call
 * really did, so that a call that comes twice, goes on from nothing, or is given up twice is seen at once.
 */
import type { EventOf } from '../../src/core/terms/effect.ts'
import type { ClientTool, ToolSource } from '../../src/core/terms/tools/client-tools.ts'
import type { ClientTools, HeldCall, ToolResult } from '../../src/shell/tool-ports.ts'
import { placeOf } from './effects.ts'
import type { Random } from './random.ts'
import { same } from './same.ts'
import type { Actor } from './scheduler.ts'
import { demand, noting } from './violation.ts'
import type { World } from './world.ts'

type Listing = Awaited<ReturnType<ClientTools['list']>>
type Answer = ToolResult | HeldCall

/** What a server does next. `broken`: the adapter of the service throws, after the server has acted. */
export interface OutsidePlay {
  list(): 'good' | 'longer' | 'passing' | 'lasting' | 'late' | 'broken'
  call(): 'done' | 'failed' | 'changed' | 'asks' | 'waits' | 'late' | 'broken'
}
/** Servers at their best. */
export const CALM_PLAY: OutsidePlay = { list: () => 'good', call: () => 'done' }

export const outsideIn = (random: Random): OutsidePlay => {
  // Some servers are never there, and some tools never come to an end.
  const away = random.chance(0.1)
  const endless = random.chance(0.1)
  return {
    list: () =>
      away && random.chance(0.9)
        ? random.pick(['passing', 'passing', 'lasting', 'late', 'broken'])
        : random.pick(['good', 'good', 'good', 'good', 'longer', 'longer', 'passing', 'lasting', 'late', 'broken']),
    call: () =>
      endless && random.chance(0.8)
        ? random.pick(['waits', 'waits', 'asks'])
        : random.pick([
            'done',
            'done',
            'done',
            'done',
            'failed',
            'changed',
            'asks',
            'asks',
            'waits',
            'waits',
            'waits',
            'late',
            'broken',
          ]),
  }
}

interface MadeCall {
  task: string
  life: number
  tool: string
  input: string
  answer: Answer
}
/** A call that a server still keeps open. */
interface OpenCall {
  task: string
  life: number
  tool: string
  kind: HeldCall['kind']
  isAbandoned: boolean
}
export interface Outside {
  play: OutsidePlay
  /** By life and effect key. */
  calls: Map<string, MadeCall>
  /** By the state that it gave. */
  open: Map<string, OpenCall>
  /** The keys under which an action was begun. */
  begun: Map<string, Set<string>>
  serial: number
}
export const newOutside = (): Outside => ({
  play: CALM_PLAY,
  calls: new Map(),
  open: new Map(),
  begun: new Map(),
  serial: 0,
})

// --- What is listed ---

const NAMES = ['tickets', 'stock'] as const

/** One or two sources. One in four is described by an OpenAPI document, whose calls are never held. */
export function sourcesIn(random: Random): ToolSource[] {
  const from = (name: string): ToolSource => {
    const base = { name, headers: {}, optional: random.chance(0.4) }
    if (random.chance(0.25)) {
      const chosen = { operations: null, tags: null, methods: null, server: null, security: {} }
      return { kind: 'openapi', ...base, document: { url: `https://${name}.example.com/openapi.json` }, ...chosen }
    }
    const on_lost = random.pick(['ask', 'skip'] as const)
    return { kind: 'mcp', ...base, url: `https://${name}.example.com/mcp`, auth: null, tools: null, on_lost }
  }
  return NAMES.slice(0, random.pick([1, 1, 2])).map(from)
}

const HINTS: Record<string, Pick<ClientTool, 'idempotent' | 'read_only' | 'destructive'>> = {
  make: { idempotent: false },
  read: { idempotent: true, read_only: true },
  drop: { idempotent: false, destructive: true },
  more: { idempotent: true },
}
const REQUEST = { path: [], query: [], headers: [], cookies: [], body: null, answer: null, selects: false }

function toolsOf({ name: source, kind }: ToolSource, position: number, names: readonly string[]): ClientTool[] {
  return names.map((name) => ({
    name: `${source}.${name}`,
    description: `what ${name} does`,
    parameters: { type: 'object', properties: { mark: { type: 'string' } } },
    url: `https://${source}.example.com/${name}`,
    idempotent: false,
    ...HINTS[name],
    call:
      kind === 'mcp'
        ? { kind: 'mcp' as const, source: position, tool: name, output_schema: null }
        : { kind: 'http' as const, method: 'POST' as const, ...REQUEST },
  }))
}

/** The tool of a source that a reply calls, among those that its request offers; null: it offers none. */
export function offeredOutside(
  { tools, messages }: { tools: readonly { name: string }[]; messages: readonly { content: string }[] },
  random: Random,
): string | null {
  const native = tools.flatMap(({ name }) => (isOutside(name) ? [name] : []))
  if (native.length > 0) return random.pick(native)
  const source = NAMES.filter((name) => messages[0]?.content.includes(`${name}.make`) === true)
  return source.length === 0 ? null : `${random.pick(source)}.${random.pick(['make', 'make', 'read', 'drop', 'more'])}`
}
const isOutside = (tool: string): boolean => NAMES.some((name) => tool.startsWith(`${name}.`))

function listing({ play }: Outside, source: ToolSource, position: number): Listing {
  const turn = play.list()
  const failed = (reason: string, passing: boolean): Listing => ({
    kind: 'tools_unlisted',
    reason,
    passing,
    retry_after_ms: null,
  })
  switch (turn) {
    case 'broken':
    case 'late':
      return failed(turn, true)
    case 'passing':
      return failed('HTTP 503', true)
    case 'lasting':
      return failed('HTTP 404', false)
    case 'good':
    case 'longer': {
      const names = turn === 'good' ? ['make', 'read', 'drop'] : ['make', 'read', 'drop', 'more']
      return { kind: 'tools_listed', tools: toolsOf(source, position, names), digest: names.join(), notes: [] }
    }
  }
}

// --- What is called ---

/** The schemas of what tools ask. A text for `note` is as unique as the words of the clients. */
const ENUM = {
  type: 'object',
  properties: { queue: { type: 'string', enum: ['bugs', 'ideas'] } },
  required: ['queue'],
}
const NOTE = { type: 'object', properties: { note: { type: 'string' } }, required: ['note'] }

function answerOf(outside: Outside, tool: ClientTool, key: string): Answer {
  const turn = outside.play.call()
  outside.serial += 1
  const state = `state ${outside.serial} of ${key}`
  const isHolding = tool.call?.kind === 'mcp'
  const text = `${tool.name} ${outside.serial} under ${key}`
  switch (turn) {
    case 'asks': {
      const schema = [null, ENUM, NOTE][outside.serial % 3] ?? null
      return isHolding
        ? { kind: 'tool_asked', question: { text: 'Which?', schema }, state }
        : { ok: true, code: OUTSIDE, text }
    }
    case 'waits': {
      const poll_ms = [0, 50, 3_000, 31_536_000_000][outside.serial % 4] ?? 0
      return isHolding
        ? { kind: 'tool_waits', state, poll_ms, message: outside.serial % 2 === 0 ? null : 'half done' }
        : { ok: true, code: OUTSIDE, text }
    }
    case 'changed':
      return { ok: true, code: OUTSIDE, text, list_changed: true }
    case 'failed':
      return { ok: false, code: OUTSIDE, text }
    case 'late':
    case 'broken':
    case 'done':
      return { ok: true, code: turn === 'done' ? OUTSIDE : turn, text }
  }
}
/** The code of a result that reached the service. */
export const OUTSIDE = 'outside'

/** The action of the row under a key, while it is under way. null: the caller is late, or of another life. */
function actionOf({ tasks }: World, task: string, seq: number) {
  const rows = tasks.get(task)?.rows
  const pending = rows?.pending() ?? null
  if (rows === undefined || pending?.seq !== seq || pending.effect.kind !== 'run_tool') return null
  const { by, call } = pending.effect
  const facts = Array.from({ length: seq - 1 }, (_, index) => rows.recall(index + 1))
  const repeats = facts.filter(({ event }) => {
    if (event.kind !== 'tool_answered' || event.action !== 'accept') return false
    const asked = rows.recall(event.request)
    const { effect } = asked
    return (
      asked.event.kind === 'outcome_unknown' && effect?.kind === 'run_tool' && effect.by === by && effect.call === call
    )
  })
  const answered = (state: string): EventOf<'tool_answered'> | null => {
    const row = facts.findIndex(({ event }) => event.kind === 'tool_asked' && event.state === state) + 1
    const found = facts.find(({ event }) => event.kind === 'tool_answered' && event.request === row)?.event
    return found?.kind === 'tool_answered' ? found : null
  }
  return { name: `${task} ${by} ${call}`, begins_max: 1 + repeats.length, answered }
}

type RunCall = Parameters<ClientTools['run']>

/** The call that an action begins with. */
function begin(world: World, tool: ClientTool, key: string, life: number): void {
  const { task, seq } = placeOf(key)
  const action = actionOf(world, task, seq)
  if (action === null) return
  const name = `${life} ${action.name}`
  const keys = world.outside.begun.get(name) ?? new Set()
  world.outside.begun.set(name, keys.add(key))
  demand(
    keys.size <= action.begins_max,
    'an action outside is begun once, and again only if a person wants it',
    () => `${tool.name} under ${[...keys].join()}`,
  )
}

/** A held call goes on: from its own state, with what a person has answered, and never after it was given up. */
function goOn(world: World, tool: ClientTool, key: string, held: NonNullable<RunCall[3]['held']>): void {
  const { task, seq } = placeOf(key)
  const open = world.outside.open.get(held.state)
  const isOwn = open !== undefined && open.task === task && open.tool === tool.name
  demand(isOwn, 'a held call goes on from its own state', () => `${tool.name} under ${key} from ${held.state}`)
  const action = actionOf(world, task, seq)
  if (open === undefined || action === null) return
  demand(!open.isAbandoned, 'a call that was given up does not go on', () => `${key} from ${held.state}`)
  const answered = action.answered(held.state)
  const expected = answered === null ? null : { action: answered.action, content: answered.content }
  const fits = same(held.answer, expected) && (open.kind === 'tool_waits' || expected !== null)
  demand(fits, 'a tool that asked gets the answer', () => `${key}: ${JSON.stringify(held.answer)}`)
}

function makeCall(world: World, [tool, _sources, input, { key, held, timeout_ms }]: RunCall, life: number): Answer {
  const { outside, clock, seen } = world
  const { calls, open } = outside
  const { task } = placeOf(key)
  const known = calls.get(`${life} ${key}`)
  const isLook = held !== undefined && open.get(held.state)?.kind === 'tool_waits'
  if (held === undefined) begin(world, tool, key, life)
  else goOn(world, tool, key, held)
  if (known !== undefined) {
    const shown = () => `${key}: ${known.tool} "${known.input}", then ${tool.name} "${input}"`
    demand(known.tool === tool.name && known.input === input, 'one effect per key', shown)
    demand(tool.idempotent || isLook, 'a call outside is made once per key unless it may be repeated', shown)
    seen('call outside repeated')
  }
  // A tool that may be repeated answers as before. A look tells what is there now.
  const answer = known === undefined || isLook ? answerOf(outside, tool, key) : known.answer
  calls.set(`${life} ${key}`, { task, life, tool: tool.name, input, answer })
  if ('kind' in answer) open.set(answer.state, { task, life, tool: tool.name, kind: answer.kind, isAbandoned: false })
  clock.now += world.play.tool_ms()
  if ('kind' in answer || answer.code !== 'late') return answer
  clock.now += timeout_ms
  return { ok: false, code: 'timed_out', text: 'the tool timed out' }
}

/** Only a call that nobody waits for is given up, and only once. */
function giveUp({ outside, tasks, seen }: World, state: string, task: string): void {
  const open = outside.open.get(state)
  const isOwn = open !== undefined && open.task === task
  demand(isOwn, 'a call that is given up was held', () => `${task}: ${state}`)
  if (open === undefined) return
  demand(!open.isAbandoned, 'a dropped call is given up once', () => `${task}: ${state}`)
  open.isAbandoned = true
  const rows = tasks.get(task)?.rows
  const held = rows?.last()?.head.held ?? null
  const event = rows === undefined || held === null ? null : rows.recall(held.row).event
  const isHeld = event !== null && 'state' in event && event.state === state
  demand(!isHeld, 'a call that is held is not given up', () => `${task}: ${state}`)
  seen('dropped call given up')
}

/** The adapter of the service breaks, and the shell has to live with it. */
function unlessBroken<T>(answer: T, told: string | undefined): T {
  if (told === 'broken') throw new Error('the adapter broke')
  return answer
}

/** The port of one worker, with a gate before each call. */
export function outsideGates(world: World, actor: Actor): ClientTools {
  const gate = <T>(label: string, shown: string, work: () => T) => {
    const deliver = () => noting(world, work)
    return world.scheduler.gate({ actor, label: `tool.${label}`, repeatable: false, shown: () => shown, deliver })
  }
  return {
    async run(...call) {
      const [tool, , , { key, held }] = call
      // This is the incarnation of the task now: the call may happen when another one has the same id.
      const life = world.lives.get(placeOf(key).task) ?? 1
      const label = held === undefined ? 'outside' : held.answer === null ? 'look' : 'answer'
      const answer = await gate(label, `${tool.name} under ${key}`, () => makeCall(world, call, life))
      return unlessBroken(answer, 'kind' in answer ? undefined : answer.code)
    },
    async list({ source, position }, { key, timeout_ms }) {
      const answer = await gate('list', `${source.name} under ${key}`, () => {
        const listed = listing(world.outside, source, position)
        world.clock.now += listed.kind === 'tools_unlisted' && listed.reason === 'late' ? timeout_ms : 20
        return listed
      })
      return unlessBroken(answer, answer.kind === 'tools_unlisted' ? answer.reason : undefined)
    },
    abandon: ({ state }, { task }) => gate('abandon', state, () => giveUp(world, state, task)),
  }
}
