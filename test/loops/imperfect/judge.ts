/** Judges what becomes of an imperfect reply: the task is played with it and without it, and the two are compared. */
import type { ModeName } from '../../../src/core/terms/mode-names.ts'
import type { Settings } from '../../../src/core/terms/settings.ts'
import type { Model, ModelRequest } from '../../../src/shell/ports.ts'
import type { Tool } from '../../../src/shell/tool-ports.ts'
import { createService } from '../../../src/shell/create-service.ts'
import { CALLER, createTask, eventOf, NONE, realBench, type Bench, type Line } from '../../support/scripted.ts'
import { alternationErrors } from '../../support/alternation.ts'
import { drive } from '../drive.ts'
import { textOf } from '../request.ts'
import { PROGRAM } from '../../../src/core/mode/correction.ts'
import { isRecord } from '../../../src/core/terms/plain/is-record.ts'
import { parseWellFormedJson } from '../../../src/core/mode/json-text.ts'

/** A task whose replies are known, and the one among them that is told imperfectly. */
export interface Slot {
  name: string
  mode: ModeName
  settings: Partial<Settings>
  goal: string
  /** The replies in the order of the calls. */
  replies: readonly Line[]
  /** The index of the reply. */
  at: number
  /** How many replies before it belong to its round, and come again behind a call that has failed. */
  round?: number
}

/** What a caller sees of a task in the end, and what was done in it. */
interface Deeds {
  status: string
  stop_reason: string | null
  result: unknown
  items: [title: string, status: string, result: string | null][]
  finished: unknown[]
  /** The tools that did something, with their results. */
  tools: string[]
  questions: string[]
}
/** Why a reply, or a call that it chose, was refused. */
interface Refusal {
  of: 'reply' | 'call'
  reason: string
}
interface Run {
  deeds: Deeds
  requests: ModelRequest[]
  refusals: Refusal[]
  /** Why the task could not be played to its end. */
  stuck: string | null
}

export type Verdict =
  /** It has the effect of the perfect reply, at the same cost. */
  | 'understood'
  /** It is refused, the next request says why, and a good reply goes on as if nothing had been. */
  | 'told'
  /** The reason, or the reply, is missing in the next request. */
  | 'not told'
  /** No good reply goes on behind it. */
  | 'dead end'
  /** It has another effect than the perfect reply. */
  | 'wrong deed'

export interface Judged {
  verdict: Verdict
  /** Why it was refused, or what differs. */
  detail: string
}

const perfectRuns = new Map<string, Promise<Run>>()
const perfectRun = (slot: Slot): Promise<Run> => {
  const known = perfectRuns.get(slot.name) ?? run(slot, slot.replies)
  perfectRuns.set(slot.name, known)
  return known
}

/** The slot itself has to be played well, or nothing can be compared with it. */
export async function expectPlayable(slot: Slot): Promise<void> {
  const { stuck, refusals, deeds } = await perfectRun(slot)
  if (stuck !== null || refusals.length > 0 || deeds.status !== 'completed')
    throw new Error(`${slot.name} cannot be played: ${JSON.stringify({ stuck, refusals, deeds })}`)
}

export async function judge(slot: Slot, imperfect: Line): Promise<Judged> {
  const perfect = await perfectRun(slot)
  const { replies, at } = slot
  const alone = await run(slot, replies.with(at, imperfect))
  if (alone.stuck === null && alone.refusals.length === 0 && isSame(alone, perfect) && costsSame(alone, perfect))
    return { verdict: 'understood', detail: '' }
  const rounds = [...new Set([0, slot.round ?? 0])]
  const repairs = await Promise.all(
    rounds.map((round) => run(slot, replies.toSpliced(at, 0, imperfect, ...replies.slice(at - round, at)))),
  )
  const judgements = repairs.map((repaired) => judgeRepaired(repaired, perfect, slot, imperfect))
  return judgements.find(({ verdict }) => verdict === 'told') ?? judgements[0] ?? { verdict: 'dead end', detail: '' }
}

function judgeRepaired(repaired: Run, perfect: Run, { at }: Slot, imperfect: Line): Judged {
  const next = repaired.requests[at + 1]
  const refused = repaired.refusals[0] ?? programWords(next)
  const difference = differenceOf(repaired, perfect)
  if (refused === null) return { verdict: 'wrong deed', detail: difference }
  if (repaired.stuck !== null) return { verdict: 'dead end', detail: `${repaired.stuck} (${refused.reason})` }
  if (!isSame(repaired, perfect)) return { verdict: 'wrong deed', detail: difference }
  const missing = next === undefined ? 'a next request' : missingIn(next, refused, imperfect)
  const { reason } = refused
  return missing === null
    ? { verdict: 'told', detail: reason }
    : { verdict: 'not told', detail: `${missing} (${reason})` }
}

/** What the program has said last in a conversation. Not every reply that it cannot use has broken a contract. */
function programWords(request: ModelRequest | undefined): Refusal | null {
  const { role, content } = request?.messages.at(-1) ?? { role: 'system', content: '' }
  return role === 'user' && content.startsWith(PROGRAM.en) ? { of: 'reply', reason: content } : null
}

const isSame = (one: Run, other: Run): boolean => JSON.stringify(one.deeds) === JSON.stringify(other.deeds)
const costsSame = (one: Run, other: Run): boolean => one.requests.length === other.requests.length

function differenceOf(one: Run, other: Run): string {
  const parts = Object.entries(one.deeds).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(new Map(Object.entries(other.deeds)).get(name)),
  )
  return `${one.stuck ?? ''} ${JSON.stringify(Object.fromEntries(parts))}`
}

const COMPARED_CHARS = 40
/** Letters and digits alone, so that neither escapes nor cuts count. */
const lettersOf = (text: string): string => text.replaceAll(/\\[nrt"]|[^\p{L}\p{N}]/gu, '')

/** What the next request lacks: the reason, or the reply. null: it has both. */
function missingIn(next: ModelRequest, { of, reason }: Refusal, imperfect: Line): string | null {
  const text = lettersOf(textOf(next))
  const reply = eventOf(typeof imperfect === 'function' ? '' : imperfect, next)
  const said =
    reply.kind === 'model_replied' ? `${reply.text}${(reply.tool_calls ?? []).map(({ name }) => name).join('')}` : ''
  if (!text.includes(lettersOf(reason).slice(0, COMPARED_CHARS))) return 'the reason is missing'
  // A call that has failed is shown as an action.
  if (of === 'call') return null
  return text.includes(lettersOf(said).slice(0, COMPARED_CHARS)) ? null : 'the reply is missing'
}

async function run(slot: Slot, replies: readonly Line[]): Promise<Run> {
  const requests: ModelRequest[] = []
  const base = realBench({})
  const deeds: Deeds['tools'] = []
  const questions: string[] = []
  const refusals: Refusal[] = []
  const ports = {
    ...base.ports,
    model: modelOf(replies, requests),
    tools: new Map([...base.ports.tools].map(([name, tool]) => [name, recorded(tool, deeds)])),
  }
  const bench: Bench = { ...base, ports, service: createService(ports), requests }
  const created = await createTask(bench, { max_steps: 50, ...slot.settings }, NONE, {
    mode: slot.mode,
    goal: slot.goal,
  }).catch(String)
  const end =
    typeof created === 'string'
      ? created
      : await drive(bench, created, {
          answer: (question) => {
            questions.push(question)
            return 'blue'
          },
          work: ({ task }) => `It was done: ${task.split('\n', 1)[0]}`,
        }).catch(String)
  const view = typeof end === 'string' ? null : end
  if (view !== null) refusals.unshift(...(await failuresOf(bench, view.id)))
  const unread = replies.length - requests.length
  const ended = typeof end === 'string' ? end : unread > 0 ? `it ended ${unread} replies early` : null
  const stuck = ended ?? unevenIn(slot, requests)
  return {
    requests,
    refusals,
    stuck,
    deeds: {
      status: view?.status ?? 'none',
      stop_reason: view?.stop_reason ?? null,
      result: view?.result === null || view === null ? null : { text: view.result.text, outcome: view.result.outcome },
      items: view?.plan.items.map(({ title, status, result }) => [title, status, result]) ?? [],
      finished: view?.plan.finished.map(({ title, status, result }) => [title, status, result]) ?? [],
      tools: deeds,
      questions,
    },
  }
}

/** What is wrong with the order of messages in a conversation. null: nothing is. */
function unevenIn({ mode }: Slot, requests: readonly ModelRequest[]): string | null {
  if (mode !== 'session' && mode !== 'autonomous') return null
  return requests.flatMap(({ messages }) => alternationErrors(messages))[0] ?? null
}

/** What a caller sees of a task in which all its replies were given. */
export async function endOf(slot: Slot): Promise<Pick<Run, 'deeds' | 'stuck'>> {
  return run(slot, slot.replies)
}

async function failuresOf(bench: Bench, id: string): Promise<Refusal[]> {
  const page = await bench.service.listEvents(CALLER, id, { after: 0, limit: 500 })
  if (!page.ok) throw new Error('no events')
  return page.value.data.flatMap(({ type, payload }): Refusal[] => {
    if (type === 'contract_failed') return [{ of: 'reply', reason: String(payload.reason) }]
    return type === 'action_finished' && payload.ok === false ? [{ of: 'call', reason: String(payload.text) }] : []
  })
}

export function modelOf(replies: readonly Line[], requests: ModelRequest[]): Model {
  return {
    complete(request) {
      const line = replies[requests.length]
      requests.push(request)
      if (line === undefined) throw new Error(`there is no reply ${requests.length}`)
      return Promise.resolve(eventOf(typeof line === 'function' ? line(request) : line, request))
    },
  }
}

/** Tools that compute are played. */
const PLAYED = new Set(['run_code', 'read_dataset'])

function recorded(tool: Tool, deeds: string[]): Tool {
  return {
    name: tool.name,
    async run(input, call) {
      const result = PLAYED.has(tool.name)
        ? { ok: true, code: 'played', text: `${tool.name} got ${codeIn(input)}` }
        : await tool.run(input, call)
      if (result.ok) deeds.push(`${tool.name}: ${tool.name === 'delegate' ? input : result.text}`)
      return result
    },
  }
}

/** The code of a run, in whatever form its arguments came. */
function codeIn(input: string): string {
  const value = parseWellFormedJson(input)
  return isRecord(value) && typeof value.code === 'string' ? value.code : input
}
