/** What each row of a page has used (USE-01): the difference between the budgets of its head and of the head before it. */
import { modelFor } from '../../engine/model-choice.ts'
import { NO_TOKENS } from '../../terms/values/usage.ts'
import { dayOf } from '../../workspace/daily-totals.ts'
import type { RowUsage } from '../../terms/values/usage-sums.ts'
import type { ExportedTask, ExportPage, ExportRow, UsedBudget } from './export-page.ts'

export const NOTHING_USED: UsedBudget = { steps: 0, tokens: 0, kinds: NO_TOKENS, cost: 0, ms: 0 }

/** The rows behind `after`. A row that a fork has copied was used by its parent. */
export function usageOfRows(page: Pick<ExportPage, 'rows'>, task: ExportedTask, after: number): RowUsage[] {
  return page.rows.flatMap((row, index) => {
    const { seq } = row
    if (seq <= after || seq <= (task.forked?.at ?? 0)) return []
    const before = page.rows[index - 1]
    // Without the row before it, nobody knows what this one has used.
    if (before === undefined && seq > 1) return []
    return usageOfRow(row, before?.used ?? NOTHING_USED, task)
  })
}

function usageOfRow(row: ExportRow, before: UsedBudget, task: ExportedTask): RowUsage {
  const used = usedBetween(before, row.used)
  const { kinds } = used
  const { effect } = row
  return {
    seq: row.seq,
    day: dayOf(row.closed_at),
    model: modelOfRow(row, task) ?? '',
    tasks: row.seq === firstRow(task) ? 1 : 0,
    model_calls: effect?.kind === 'call_model' ? 1 : 0,
    tool_calls: effect?.kind === 'run_tool' ? 1 : 0,
    steps: used.steps,
    tokens: used.tokens,
    input_tokens: kinds.input + kinds.cache_read + kinds.cache_write + kinds.image,
    output_tokens: kinds.output + kinds.reasoning,
    cached_tokens: kinds.cache_read,
    cost: used.cost,
    ms: used.ms,
  }
}

/** The first row that a task has not copied. */
export const firstRow = ({ forked }: Pick<ExportedTask, 'forked'>): number => (forked?.at ?? 0) + 1

/** What was used from one head to a later one. What is used never becomes less. */
export function usedBetween(before: UsedBudget, after: UsedBudget): UsedBudget {
  const more = (from: number, to: number) => Math.max(0, to - from)
  const [one, other] = [before.kinds, after.kinds]
  return {
    steps: more(before.steps, after.steps),
    tokens: more(before.tokens, after.tokens),
    kinds: {
      input: more(one.input, other.input),
      cache_read: more(one.cache_read, other.cache_read),
      cache_write: more(one.cache_write, other.cache_write),
      image: more(one.image, other.image),
      output: more(one.output, other.output),
      reasoning: more(one.reasoning, other.reasoning),
    },
    cost: more(before.cost, after.cost),
    ms: more(before.ms, after.ms),
  }
}

/** The model that answered, or else the name that was asked. null: it was the default, or no model was called. */
function modelOfRow({ effect, event }: ExportRow, { settings }: ExportedTask): string | null {
  if (event?.kind === 'model_replied') return event.model
  return effect?.kind === 'call_model' ? requestedName(effect, event, settings) : null
}

/** The name of the endpoint or model that a call was made for. null: the default. */
export function requestedName(
  effect: { phase: string; endpoint?: string | undefined },
  event: ExportRow['event'],
  settings: ExportedTask['settings'],
): string | null {
  const answered = event?.kind === 'model_replied' || event?.kind === 'model_failed' ? event.endpoint : undefined
  return answered ?? effect.endpoint ?? modelFor(settings, effect.phase)
}
