/**
 * Tasks that have dispatched commands, behind the HTTP face. What a task says of its commands is played here; the task itself, its rows and
 * its keys are real: a report is heard by it as the word that lets a paused one go on.
 */
import type { Ticket } from '../../src/core/advance.ts'
import type { CommandMethods, Reported, SentReport } from '../../src/core/delegation-methods.ts'
import type { Amounts, CommandType, Delegation } from '../../src/core/delegation.ts'
import { commandId, delegationId } from '../../src/core/delegation-id.ts'
import { ok, refuse, type Refusal, type Result } from '../../src/core/refusal.ts'
import { Settings } from '../../src/core/settings.ts'
import type { Remote } from '../../src/shell/ports.ts'
import { cutDelegation } from '../../src/store/cut-delegation.ts'
import { linkBench, ORIGIN, type LinkBench } from './link-bench.ts'
import { CALLER, MANUAL, NONE, planned, taken } from './scripted.ts'

export const TENANTS = ['acme', 'other', 'third', 'fourth', 'fifth'] as const
export type Tenant = (typeof TENANTS)[number]
export const keyOf = (tenant: Tenant) => ({ authorization: `Bearer ${tenant}-key` })
export const HAND = { authorization: 'Bearer hand-key' }
const API_KEYS = [...TENANTS.map((tenant) => `${tenant}:${tenant}-key`), 'acme:hand-key:worker'].join(',')

export const UNSAID = { session_id: null, results: null, pitfalls: null, next_steps: null }
export const sentReport = (text = 'done', more: Partial<SentReport> = {}): SentReport => ({
  command_id: null,
  report: { status: 'SUCCESS', ...UNSAID, text },
  spent: null,
  ...more,
})

interface Dispatched {
  tenant?: Tenant
  task?: string
  type?: CommandType
  share?: Amounts
  /** False: whoever dispatched it has died before the workspace heard of it. */
  entered?: boolean
}
export interface DelegationBench extends LinkBench {
  /** What tasks have heard: reports, in order. */
  heard: SentReport[]
  /** A command of a new task, or of the one that is named. */
  dispatch(more?: Dispatched): Promise<Delegation>
  /** What the task says became of it; the workspace is not told. */
  became(delegation: Delegation, change: Partial<Delegation>): void
  /** The task answers with this instead. */
  fails(delegation: Delegation, refusal: Refusal): void
  /** How the workspace has it. */
  indexed(tenant?: Tenant): Promise<string[]>
}

const MINUTE_MS = 60_000

export function delegationBench(env: Record<string, unknown> = {}): DelegationBench {
  const plan = Array.from({ length: 40 }, () => planned('A'))
  const bench = linkBench({ plan }, { API_KEYS, ...env })
  const { of } = bench.store
  const tasks = new Map<string, Played>()
  const heard: SentReport[] = []
  const nameOf = (tenant: string, task: string) => JSON.stringify([tenant, task])
  const playedOf = (tenant: string, task: string): Played => {
    const name = nameOf(tenant, task)
    const played = tasks.get(name) ?? { commands: new Map(), keys: new Map(), refusals: new Map() }
    tasks.set(name, played)
    return played
  }
  bench.store.of = (tenant, id) => {
    const task = of(tenant, id)
    return { ...task, ...commandsOf(task, playedOf(tenant, id), heard, () => bench.clock.now) }
  }
  // The workspace is the real one; what it is asked here is part of its methods.
  const create = async (tenant: string) => {
    const about = {
      goal: 'a goal',
      mode: 'plan_execute' as const,
      timezone: 'UTC',
      metadata: {},
      locale: 'en' as const,
    }
    const task = { ...about, settings: Settings.parse({}), ...MANUAL, origin: ORIGIN }
    return taken(await bench.service.createTask({ ...CALLER, tenant }, task, NONE)).id
  }
  const tenants = new Map<string, string>()
  return {
    ...bench,
    heard,
    async dispatch({ tenant = 'acme', task, type = 'new', share, entered = true } = {}) {
      const id = task ?? (await create(tenant))
      const { commands } = playedOf(tenant, id)
      const delegation = commandOf(id, 3 + commands.size, type, share ?? null, bench.clock.now)
      commands.set(delegation.seq, delegation)
      tenants.set(delegation.id, tenant)
      const entry = { id: delegation.id, task: id, type, at: delegation.created, deadline: delegation.deadline }
      if (entered) await bench.store.workspace(tenant).enterDelegation(entry)
      bench.clock.now += 1
      return delegation
    },
    became({ id, task, seq }, change) {
      const { commands } = playedOf(tenants.get(id) ?? '', task)
      const known = commands.get(seq)
      if (known !== undefined) commands.set(seq, { ...known, ...change })
    },
    fails: ({ id, task, seq }, refusal) => void playedOf(tenants.get(id) ?? '', task).refusals.set(seq, refusal),
    async indexed(tenant = 'acme') {
      const { entries } = await bench.store.workspace(tenant).listDelegations(null, 0, 100)
      return entries.map(({ status }) => status)
    },
  }
}

function commandOf(task: string, seq: number, type: CommandType, share: Amounts | null, now: number): Delegation {
  const said = { task: 'Build the page', constraints: 'No scripts', expected_output: 'A page' }
  const item_id = type === 'end' ? null : 'step_1'
  return {
    id: delegationId(task, seq),
    task,
    seq,
    command_id: commandId(task, seq),
    command: { type, session_id: 'auto', item_id, ...said },
    status: 'pending',
    created: now,
    deadline: now + 10 * MINUTE_MS,
    report: null,
    origin: ORIGIN,
    share,
  }
}

/** What a task knows of its commands, and of the requests that reported them. */
interface Played {
  commands: Map<number, Delegation>
  keys: Map<string, string>
  refusals: Map<number, Refusal>
}
type Real = ReturnType<LinkBench['store']['of']>

function commandsOf(task: Real, played: Played, heard: SentReport[], now: () => number): Remote<CommandMethods> {
  const find = async (seq: number, chars = Infinity): Promise<Result<Delegation>> => {
    const there = await task.read()
    if (!there.ok) return there
    const refusal = played.refusals.get(seq)
    if (refusal !== undefined) return refuse(refusal)
    const known = played.commands.get(seq)
    if (known === undefined) return refuse({ code: 'delegation_not_found' })
    const status = known.status === 'pending' && now() >= known.deadline ? 'expired' : known.status
    return ok(structuredClone(cutDelegation({ ...known, status }, chars)))
  }
  return {
    delegation: find,
    async report(seq, sent, ticket): Promise<Result<Reported>> {
      const found = await find(seq)
      if (!found.ok) return found
      // From here on nobody comes in between, as in an object.
      const known = played.commands.get(seq) ?? found.value
      const name = ticket.key === null ? null : `${ticket.key.scope} ${ticket.key.key}`
      const before = name === null ? undefined : played.keys.get(name)
      if (before !== undefined && before !== ticket.key?.digest) return refuse({ code: 'idempotency_key_reused' })
      const refusal = before === undefined ? refusalOf(known, sent) : null
      if (refusal !== null) return refuse(refusal)
      if (before === undefined && known.report !== null)
        return ok({ delegation: structuredClone(known), advanced: null })
      if (before === undefined) heard.push(sent)
      const delegation = { ...known, status: 'reported' as const, report: known.report ?? sent.report }
      played.commands.set(seq, delegation)
      if (ticket.key !== null) played.keys.set(name ?? '', ticket.key.digest)
      return remarked(task, delegation, ticket)
    },
  }
}

function refusalOf({ command_id, status, report }: Delegation, sent: SentReport): Refusal | null {
  if (sent.command_id !== null && sent.command_id !== command_id)
    return { code: 'wrong_command', wanted: command_id, given: sent.command_id }
  if (status === 'expired' || status === 'canceled') return { code: `delegation_${status}` }
  const same = JSON.stringify(report) === JSON.stringify(sent.report)
  return report === null || same ? null : { code: 'already_reported' }
}

async function remarked(task: Real, delegation: Delegation, ticket: Ticket): Promise<Result<Reported>> {
  const told = await task.input('continue', null, ticket)
  if (!told.ok) return told
  if (typeof told.value === 'string') throw new Error(`a remark was heard as ${told.value}`)
  return ok({ delegation: structuredClone(delegation), advanced: told.value })
}

/** The path of the link by which it can be reported. */
export async function linkOf(bench: DelegationBench, { id }: Delegation, tenant: Tenant = 'acme'): Promise<string> {
  const found = await bench.service.getDelegation({ ...CALLER, tenant }, id)
  const url = found.ok ? found.value.delegation.report_url : null
  if (url === null || !url.startsWith(`${ORIGIN}/reports/`)) throw new Error('no link')
  return url.slice(ORIGIN.length)
}
