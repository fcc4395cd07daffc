/** A dry run as short lines: its plan, and what the task would cost. */
import { stripControls, oneLine } from '../../core/shown/line-text.ts'
import type { Locale } from '../../core/terms/locale.ts'
import type { DryRun, Forecast } from '../../core/terms/view.ts'

type Expected = NonNullable<Forecast['expected']>
interface Words {
  planned(items: number): string
  failed: string
  /** `bounds` are the bounds of axes that the settings have. */
  atMost(worst: Forecast['worst_case'], bounds: string[]): string
  /** Said where the settings bound neither tokens nor money. */
  unbounded: string
  tokens: string
  probably(expected: Expected): string
  unknown: string
}

const span = ({ low, high }: { low: number | string; high: number | string }) =>
  low === high ? String(low) : `${low}–${high}`
const percent = (share: number) => `${Math.round(share * 100)} %`

const WORDS: Record<Locale, Words> = {
  en: {
    planned: (items) => `Dry run, nothing is kept. Plan: ${items} ${items === 1 ? 'step' : 'steps'}`,
    failed: 'Dry run, nothing is kept. There is no plan',
    atMost: ({ steps, seconds }, bounds) => [`At most: ${steps} steps`, ...bounds, `${seconds} s of work`].join(', '),
    tokens: 'tokens',
    unbounded: 'Tokens and money have no bound of their own: set max_tokens or max_cost_usd',
    probably: ({ steps, tokens, cost_usd, seconds, tasks, past_error }) =>
      `Expected: ${span(steps)} steps, ${span(tokens)} tokens, ${span(cost_usd)} USD, ${span(seconds)} s ` +
      `(by ${tasks} finished tasks; off by ${percent(past_error)} on these)`,
    unknown: 'Expected: unknown, there are fewer than ten finished tasks',
  },
  zh: {
    planned: (items) => `试运行，不保存任何内容。规划：共 ${items} 步`,
    failed: '试运行，不保存任何内容。没有得到规划',
    atMost: ({ steps, seconds }, bounds) => [`最多：${steps} 步`, ...bounds, `工作 ${seconds} 秒`].join('，'),
    tokens: 'token',
    unbounded: 'token 与费用没有各自的上限：请设置 max_tokens 或 max_cost_usd',
    probably: ({ steps, tokens, cost_usd, seconds, tasks, past_error }) =>
      `预计：${span(steps)} 步，${span(tokens)} token，${span(cost_usd)} 美元，${span(seconds)} 秒` +
      `（依据 ${tasks} 个已完成任务，对其平均误差 ${percent(past_error)}）`,
    unknown: '预计：未知，已完成的任务少于十个',
  },
}

/** A bound that nobody has set is the product of the longest prompts, and tells nothing. */
function boundsOf(
  words: Words,
  { settings, forecast: { worst_case } }: Pick<DryRun, 'settings' | 'forecast'>,
): string[] {
  const { max_tokens, max_cost_usd } = settings
  const money = max_cost_usd === null ? [] : [`$${worst_case.cost_usd ?? max_cost_usd} (max_cost_usd)`]
  return [...money, ...(max_tokens === null ? [] : [`${worst_case.tokens} ${words.tokens} (max_tokens)`])]
}

export function forecastText({ plan, error, locale, forecast, settings }: DryRun): string[] {
  const words = WORDS[locale]
  const { worst_case, expected } = forecast
  const bounds = boundsOf(words, { settings, forecast })
  const items = plan.items.map(({ title }, index) => `  [ ] ${index + 1}. ${oneLine(title)}`)
  return [
    items.length === 0 && error !== null ? words.failed : words.planned(items.length),
    ...items,
    ...(error === null ? [] : [stripControls(error.detail)]),
    words.atMost(worst_case, bounds),
    ...(bounds.length === 0 ? [words.unbounded] : []),
    expected === null ? words.unknown : words.probably(expected),
  ]
}
