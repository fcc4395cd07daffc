/** Computes the cost of each effect and of each item of the plan, from the rows of the journal and the events. */
import type { Envelope, JournalEntry, PlanItem } from '../../../api/wire.ts'
import { number, textOrNull } from '../payload.ts'
import { SECOND_MS } from '../../../../core/terms/plain/durations.ts'

export const MEASURES = ['tokens', 'cost', 'seconds'] as const
export type Measure = (typeof MEASURES)[number]

export interface Cost {
  seq: number
  label: string
  counted: boolean
  tokens: number
  /** Micro-dollars, because sums of whole numbers are exact. */
  cost: number
  seconds: number
}

const MICRO = 1_000_000
const MS = 1_000
export const microDollars = (usd: string | null) => (usd === null ? 0 : Math.round(Number(usd) * MICRO))

/** Returns a cost for each row that is an effect or has a charge, in the order of the rows. */
export function costsOf(rows: readonly JournalEntry[]): Cost[] {
  return rows.flatMap((row) => {
    if (row.finished_at === null || (row.duration_ms === null && row.charged_tokens === null)) return []
    return {
      seq: row.seq,
      label: row.phase ?? row.kind,
      counted: row.counted,
      tokens: row.charged_tokens ?? 0,
      cost: microDollars(row.cost_usd),
      seconds: (row.duration_ms ?? 0) / MS,
    }
  })
}

/** Returns the sum up to each cost, with that cost. */
export function runningSums(costs: readonly Cost[], measure: Measure): number[] {
  let sum = 0
  return costs.map((cost) => (sum += cost[measure]))
}

/** Returns the greatest amount. `Math.max` cannot take the amounts of a long journal as arguments. */
export const maximum = (amounts: readonly number[]): number =>
  amounts.reduce((one, other) => (other > one ? other : one), 0)

/** With more bars each would be narrower than a pixel on most screens. */
export const BARS_MAX = 200

export interface CostBar {
  first: number
  last: number
  label: string
  counted: boolean
  /** The amount of all effects of the bar. */
  amount: number
  /** The sum up to this bar, with this bar. */
  sum: number
}

/** Returns a bar for each effect. If there are too many, a bar stands for several effects in a row. */
export function barsOf(costs: readonly Cost[], measure: Measure): CostBar[] {
  const each = Math.max(1, Math.ceil(costs.length / BARS_MAX))
  const sums = runningSums(costs, measure)
  return Array.from({ length: Math.ceil(costs.length / each) }, (_, index) => {
    const [begin, end] = [index * each, Math.min((index + 1) * each, costs.length)]
    const part = costs.slice(begin, end)
    return {
      first: part[0]?.seq ?? 0,
      last: part.at(-1)?.seq ?? 0,
      label: each === 1 ? (part[0]?.label ?? '') : '',
      counted: part.some(({ counted }) => counted),
      amount: part.reduce((sum, cost) => sum + cost[measure], 0),
      sum: sums[end - 1] ?? 0,
    }
  })
}

interface ItemCost {
  /** null: the effects that belong to no item, such as planning. */
  id: string | null
  title: string
  counted: number
  tokens: number
  cost: number
  seconds: number
}

/** Returns the cost of each item, in the order in which items began. It is empty while no event names an item. */
export function itemCosts(costs: readonly Cost[], events: readonly Envelope[], items: readonly PlanItem[]): ItemCost[] {
  const itemAt = itemsOfRows(events)
  const titles = titlesOf(events, items)
  const sums = new Map<string | null, ItemCost>()
  for (const cost of costs) {
    const id = itemAt(cost.seq)
    const title = id === null ? '' : (titles.get(id) ?? id)
    const sum = sums.get(id) ?? { id, title, counted: 0, tokens: 0, cost: 0, seconds: 0 }
    sum.counted += cost.counted ? 1 : 0
    for (const measure of MEASURES) sum[measure] += cost[measure]
    sums.set(id, sum)
  }
  const named = [...sums.values()].filter(({ id }) => id !== null)
  const rest = sums.get(null)
  return named.length === 0 || rest === undefined ? named : [...named, rest]
}

const rowOf = ({ payload }: Envelope): number => number(payload, 'journal_seq') ?? 0

/**
 * Finds the item that a row worked on. That is the item which the events of the row name, or else the item that was running before. An
 * item that only began with a row belongs to the next row.
 */
export function itemsOfRows(events: readonly Envelope[]): (seq: number) => string | null {
  const named = new Map<number, string>()
  const changes: { row: number; item: string | null }[] = []
  const started = new Set<string>()
  for (const event of events) {
    const [row, item] = [rowOf(event), textOrNull(event.payload, 'item_id')]
    if (item === null) continue
    if (event.type === 'item_started') {
      started.add(`${row} ${item}`)
      changes.push({ row, item })
      continue
    }
    if (!named.has(row) && !started.has(`${row} ${item}`)) named.set(row, item)
    if (event.type === 'item_completed' || event.type === 'item_failed') changes.push({ row, item: null })
  }
  return (seq) => named.get(seq) ?? changes[countBefore(changes, seq) - 1]?.item ?? null
}

/** Counts the changes of rows before `seq`. The changes are in the order of their rows. */
function countBefore(changes: readonly { row: number }[], seq: number): number {
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((changes[middle]?.row ?? 0) < seq) low = middle + 1
    else high = middle
  }
  return low
}

/** Items leave the plan with a new plan. Their titles are still in the events that began them. */
function titlesOf(events: readonly Envelope[], items: readonly PlanItem[]): Map<string, string> {
  const titles = new Map<string, string>()
  for (const { payload } of events) {
    const [id, title] = [textOrNull(payload, 'item_id'), textOrNull(payload, 'title')]
    if (id !== null && title !== null) titles.set(id, title)
  }
  for (const { id, title } of items) titles.set(id, title)
  return titles
}

/** Returns the tool of each row that ran one, from the event of its end. */
export function toolsOf(events: readonly Envelope[]): Map<number, string> {
  const tools = new Map<number, string>()
  for (const event of events) {
    const tool = event.type === 'action_finished' ? textOrNull(event.payload, 'tool') : null
    if (tool !== null) tools.set(rowOf(event), tool)
  }
  return tools
}

export function durationText(ms: number): string {
  return ms < SECOND_MS ? `${ms} ms` : `${(ms / SECOND_MS).toFixed(ms < 10 * SECOND_MS ? 2 : 1)} s`
}

/** Writes an amount of a measure for people. */
export function amountText(measure: Measure, amount: number): string {
  if (measure === 'cost') return `$${(amount / MICRO).toFixed(6)}`
  return measure === 'seconds' ? `${amount.toFixed(amount < 10 ? 2 : 1)} s` : String(Math.round(amount))
}
