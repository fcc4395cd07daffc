/** The laws between journal and world: what was on the wire is in the ledger, once; what a tool did is in the workspace, once. */
import type { JournalEntry } from '../../src/core/view.ts'
import type { Model, ModelCall } from './model.ts'
import { queryOf, todoOf } from './script.ts'
import type { Story } from './story.ts'
import type { Tally } from './tally.ts'

/** USD per million tokens, as configured. */
export const PRICE = { input: 0.15, output: 0.6 }
const HTTP_FAULTS = new Set(['http 500', 'http 429'])

export function checkEffects(tally: Tally, { id, rows }: Story, model: Model, todos: Map<string, number>): void {
  const demand = (holds: boolean, law: string, detail: () => string) => tally.demand(holds, law, detail, id)
  for (const row of rows) {
    if (row.kind === 'call_model') checkCall(tally, id, row, model.calls.get(`${id}:${row.seq}`) ?? [])
    if (row.kind === 'run_tool') checkTool(demand, id, row, rows, model, todos)
  }
}

/** Protocol 6: the same seq is never called twice; what came back over the wire is what the row says. */
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
    const text = fault === 'garbled' ? `no JSON at row ${row.seq}` : said.text
    demand(JSON.stringify(row.reply).includes(JSON.stringify(text)), 'a row keeps its reply', () => text)
    return
  }
  if (row.outcome === 'model_error' && sent && fault !== null && HTTP_FAULTS.has(fault))
    return demand(charged === 0, 'an HTTP error is free', paid)
  demand(charged > output_cap, 'what nobody knows is charged with its reservation', paid)
}

type Demand = (holds: boolean, law: string, detail: () => string) => void

/** A tool that says ok has acted once; one that died or was abandoned has acted at most once. */
function checkTool(
  demand: Demand,
  id: string,
  row: JournalEntry,
  rows: JournalEntry[],
  model: Model,
  todos: Map<string, number>,
): void {
  const by = rows.findLast((one) => one.seq < row.seq && one.phase === 'thought')?.seq ?? 0
  const request = JSON.stringify(row.request)
  const [todo, query] = [todoOf(id, by), queryOf(id, by)]
  const isTodo = request.includes(JSON.stringify(`/todo add ${todo}`))
  demand(isTodo || request.includes(JSON.stringify(query)), 'a tool does what its thought chose', () => request)
  const acted = isTodo ? (todos.get(todo) ?? 0) : (model.searches.get(query) ?? 0)
  const most = isTodo ? 1 : (row.attempt ?? 1)
  const shown = () => `row ${row.seq} ${row.outcome}: ${acted} times, attempt ${row.attempt}`
  demand(acted <= most, 'a tool acts once', shown)
  demand(row.outcome !== 'ok' || acted >= 1, 'what a tool did is there', shown)
}

/** Nothing happened that no row tells of. */
export function checkNothingElse(tally: Tally, stories: Map<string, Story>, model: Model, todos: Map<string, number>) {
  for (const call of [...model.calls.values()].flat()) {
    const row = stories.get(call.task)?.rows[call.seq - 1]
    const law = 'every call on the wire has its row'
    tally.demand(row?.kind === 'call_model', law, () => `${call.task}:${call.seq} ${call.phase}`, call.task)
  }
  const rowOf = (text: string, pattern: RegExp) => {
    const [, task = '', seq = '0'] = pattern.exec(text) ?? []
    const rows = stories.get(task)?.rows ?? []
    return { task, row: rows.find((one) => one.kind === 'run_tool' && one.seq > Number(seq)) }
  }
  for (const todo of todos.keys()) {
    if (todo.startsWith('by hand ')) continue
    const { task, row } = rowOf(todo, /^chaos (task_\w+) row (\d+)$/)
    const told = row !== undefined && JSON.stringify(row.request).includes(todo)
    tally.demand(told, 'what a tool did has its row', () => todo, task)
  }
  for (const query of model.searches.keys()) {
    const { task, row } = rowOf(query, /^(task_\w+) row (\d+)$/)
    const told = row !== undefined && JSON.stringify(row.request).includes(query)
    tally.demand(told, 'what a tool did has its row', () => query, task)
  }
}
