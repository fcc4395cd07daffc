/** Usage as lines for a terminal and as a table for spreadsheets, and the receiver of spans as lines. */
import type { TraceReceiver } from '../../core/shown/receiver-view.ts'
import type { Usage } from '../../core/shown/usage-view.ts'
import { USAGE_GROUPS } from '../../core/terms/values/usage-sums.ts'
import { writeCsv } from './ledger.ts'

const AMOUNTS = [
  'tasks',
  'model_calls',
  'tool_calls',
  'steps',
  'tokens',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cost_usd',
  'seconds',
] as const

/** A line for each sum, and the total last. */
export function usageText(usage: Usage): string[] {
  const amounts = (sum: Usage['total']) =>
    `${sum.tasks} tasks  ${sum.model_calls} calls  ${sum.steps} steps  ${sum.tokens} tokens  ${sum.cost_usd} USD  ${sum.seconds} s`
  const lines = usage.data.map((sum) => {
    const names = USAGE_GROUPS.flatMap((group) => (sum[group] === undefined ? [] : [sum[group] ?? '-']))
    return [...names, amounts(sum)].join('  ')
  })
  const more = usage.truncated === true ? ['(more: ask for fewer days, or group by less)'] : []
  return [...lines, ...more, `total  ${amounts(usage.total)}`]
}

/** One line for each sum. The total is left out, because a spreadsheet would sum it too. */
export function usageCsv({ data }: Usage): string {
  const shown = USAGE_GROUPS.filter((group) => data[0]?.[group] !== undefined)
  return writeCsv(
    [...shown, ...AMOUNTS],
    data.map((sum) => [...shown.map((group) => sum[group] ?? null), ...AMOUNTS.map((name) => sum[name])]),
  )
}

export function receiverText({ endpoint, protocol, capture_content, last_failure }: TraceReceiver): string[] {
  const content = capture_content ? ['prompts and results are sent'] : []
  const failure = last_failure === null ? [] : [`last failure ${last_failure.at}: ${last_failure.detail}`]
  return [`${endpoint}  ${protocol}`, ...content, ...failure]
}
