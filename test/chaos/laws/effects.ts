/** The laws between journal and world: each call on the wire is in the ledger once, and each act of a tool is in the world once. */
import * as z from 'zod'
import type { JournalEntry } from '../../../src/core/terms/view.ts'
import { isThere, type Acks } from '../known.ts'
import { garbled, type ModelCall } from '../outside/model.ts'
import type { World } from '../outside/world.ts'
import { RINGS } from '../script/acts.ts'
import { markIn } from '../script/rolls.ts'
import type { Story } from '../story.ts'
import type { Tally } from '../tally.ts'

/** USD per million tokens, as configured. */
export const PRICE = { input: 0.15, output: 0.6 }
const TimedOut = z.object({ reason: z.literal('timed out') })
const HTTP_FAULTS = new Set(['http 500', 'http 429'])

export function checkCalls(tally: Tally, { id, own }: Story, { model }: World): void {
  for (const row of own)
    if (row.kind === 'call_model') checkCall(tally, id, row, model.calls.get(`${id}:${row.seq}`) ?? [])
}

/** P6: the same seq is never called twice, and the row has the reply of the wire. */
function checkCall(tally: Tally, id: string, row: JournalEntry, calls: ModelCall[]): void {
  const demand = (holds: boolean, law: string, detail: () => string) =>
    tally.demand(holds, law, () => `row ${row.seq}: ${detail()}`, id)
  demand(calls.length <= 1, 'a model call is made once', () => `${calls.length} requests`)
  const [call] = calls
  if (call === undefined) {
    const silent = ['orphaned', 'abandoned', 'model_error'].includes(row.outcome ?? '')
    return demand(silent && row.tokens === null, 'a row is of a call that was made', () => `${row.outcome}`)
  }
  demand(call.phase === row.phase, 'a row is of its call', () => `${row.phase}, on the wire ${call.phase}`)
  const { fault, said, sent, output_cap } = call
  const charged = row.charged_tokens ?? -1
  const paid = () => `${row.outcome} after ${fault ?? 'a reply'}: charged ${charged} ${row.cost_usd}`
  if (row.outcome === 'ok' || row.outcome === 'contract_error') {
    const { input, output } = said.usage
    const whole = sent && (fault === null || fault === 'garbled') && charged === input + output
    const micro = Math.ceil(input * PRICE.input + output * PRICE.output - 1e-9)
    demand(whole && Math.round(Number(row.cost_usd) * 1e6) === micro, 'a row is charged what was used', paid)
    const text = fault === 'garbled' ? garbled(row.seq) : said.text
    demand(JSON.stringify(row.reply).includes(JSON.stringify(text)), 'a row keeps its reply', () => text)
    return
  }
  // On a slow machine the time of a call may end while its reply is under way.
  const in_time = !TimedOut.safeParse(row.reply).success
  if (row.outcome === 'model_error' && sent && in_time && fault !== null && HTTP_FAULTS.has(fault))
    return demand(charged === 0, 'an HTTP error is free', paid)
  demand(charged > output_cap, 'what nobody knows is charged with its reservation', paid)
}

const Request = z.object({ tool: z.string(), input: z.string().nullable() })

/** The rows of one mark: a fork may repeat an act that its parent had decided. */
interface Acted {
  task: string
  tool: string
  rows: JournalEntry[]
}

function actedIn(tally: Tally, stories: Map<string, Story>): Map<string, Acted> {
  const acted = new Map<string, Acted>()
  for (const { id, own, rows, known } of stories.values())
    for (const row of own) {
      if (row.kind !== 'run_tool') continue
      const { tool, input } = Request.parse(row.request)
      const found = markIn(input ?? '')
      if (found === null) continue
      const { mark, task, seq } = found
      const decided = rows[seq - 1]
      const by = decided?.kind === 'call_model' && seq < row.seq && JSON.stringify(decided.reply).includes(mark)
      const own_mark = task === id || known.from !== null
      tally.demand(by && own_mark, 'a tool does what its reply chose', () => `row ${row.seq}: ${input}`, id)
      const before = acted.get(mark)
      acted.set(mark, { task: id, tool, rows: [...(before?.rows ?? []), row] })
    }
  return acted
}

/** The number of times that an effect may be started (P7). */
const MOST_ATTEMPTS = 3

/** The number of deleted tasks among the task of a mark and its forks: each may have repeated the act that the task had decided. */
function actedUnseen({ tasks }: Acks): (mark: string) => number {
  const lost = new Map<string, number>()
  const add = (task: string) => lost.set(task, (lost.get(task) ?? 0) + 1)
  for (const known of tasks.values()) {
    if (isThere(known)) continue
    add(known.id)
    for (let from = known.from; from !== null; from = tasks.get(from.task)?.from ?? null) add(from.task)
  }
  return (mark) => lost.get(markIn(mark)?.task ?? '') ?? 0
}

/** A tool call that succeeded has acted once, and a lost or abandoned one at most once. Every act has a row. */
export function checkActs(
  tally: Tally,
  stories: Map<string, Story>,
  { model, tools }: World,
  todos: Map<string, number>,
  acks: Acks,
): void {
  const acted = actedIn(tally, stories)
  const lost = actedUnseen(acks)
  for (const [mark, { task, tool, rows }] of acted) {
    const attempts = rows.reduce((sum, { attempt }) => sum + (attempt ?? 1), 0)
    const ok = rows.filter(({ outcome }) => outcome === 'ok').length
    const rings = tools.rings.get(mark) ?? []
    const counts: Record<string, [done: number, most: number]> = {
      todo: [todos.get(mark) ?? 0, rows.length],
      internet_search: [tools.searches.get(mark) ?? 0, attempts],
      [RINGS.once]: [rings.length, rows.length],
      [RINGS.again]: [rings.length, attempts],
    }
    const [done, seen] = counts[tool] ?? [ok, ok]
    const most = seen + MOST_ATTEMPTS * lost(mark)
    const shown = () => `${mark} by ${tool}: ${done} times, ${ok} of ${rows.length} rows ok, attempts ${attempts}`
    tally.demand(done <= most, 'a tool acts once', shown, task)
    tally.demand(done >= ok, 'what a tool did is there', shown, task)
    const keys = new Set(rings.map(({ key }) => key)).size
    tally.demand(
      keys <= rows.length + lost(mark),
      'a call that is repeated has the same key',
      () => `${mark}: ${keys} keys`,
      task,
    )
    if (rings.length > rows.length) tally.seen('idempotent tool called again')
  }
  const isTold = (task: string) => !stories.has(task)
  // The rows of a fork that was deleted are gone, and what it did stays under the mark of the task that it was forked from.
  const told = (mark: string, tasks: string[], what: string) => {
    const known = acted.has(mark) || tasks.some(isTold) || lost(mark) > 0
    tally.demand(known, 'what a tool did has its row', () => `${what} ${mark}`, tasks[0] ?? null)
  }
  const ownerOf = (mark: string) => [markIn(mark)?.task ?? '']
  for (const todo of todos.keys()) if (!todo.startsWith('by hand ')) told(todo, ownerOf(todo), 'todo')
  for (const mark of tools.searches.keys()) told(mark, ownerOf(mark), 'search')
  for (const [mark, rings] of tools.rings)
    told(
      mark,
      rings.map(({ task }) => task),
      'ring',
    )
  for (const call of [...model.calls.values()].flat()) {
    const story = stories.get(call.task)
    if (story === undefined) continue
    const row = story.rows[call.seq - 1]
    const law = 'every call on the wire has its row'
    tally.demand(row?.kind === 'call_model', law, () => `${call.task}:${call.seq} ${call.phase}`, call.task)
  }
}
