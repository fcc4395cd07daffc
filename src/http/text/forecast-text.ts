/** A dry run as short lines: its plan, and what the task would cost. */
import { stripControls, oneLine } from '../../core/shown/line-text.ts'
import type { Locale } from '../../core/terms/locale.ts'
import type { DryRun, Forecast } from '../../core/terms/view.ts'

type Expected = NonNullable<Forecast['expected']>
interface Words {
  planned(items: number): string
  failed: string
  atMost(worst: Forecast['worst_case']): string
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
    atMost: ({ steps, tokens, cost_usd, seconds }) =>
      `At most: ${steps} steps, ${tokens} tokens, ${cost_usd ?? 'unknown'} USD, ${seconds} s of work`,
    probably: ({ steps, tokens, cost_usd, seconds, tasks, past_error }) =>
      `Expected: ${span(steps)} steps, ${span(tokens)} tokens, ${span(cost_usd)} USD, ${span(seconds)} s ` +
      `(by ${tasks} finished tasks; off by ${percent(past_error)} on these)`,
    unknown: 'Expected: unknown, there are fewer than ten finished tasks',
  },
  zh: {
    planned: (items) => `试运行，不保存任何内容。规划：共 ${items} 步`,
    failed: '试运行，不保存任何内容。没有得到规划',
    atMost: ({ steps, tokens, cost_usd, seconds }) =>
      `最多：${steps} 步，${tokens} token，${cost_usd ?? '未知'} 美元，工作 ${seconds} 秒`,
    probably: ({ steps, tokens, cost_usd, seconds, tasks, past_error }) =>
      `预计：${span(steps)} 步，${span(tokens)} token，${span(cost_usd)} 美元，${span(seconds)} 秒` +
      `（依据 ${tasks} 个已完成任务，对其平均误差 ${percent(past_error)}）`,
    unknown: '预计：未知，已完成的任务少于十个',
  },
}

export function forecastText({ plan, error, locale, forecast }: DryRun): string[] {
  const words = WORDS[locale]
  const { worst_case, expected } = forecast
  const items = plan.items.map(({ title }, index) => `  [ ] ${index + 1}. ${oneLine(title)}`)
  return [
    items.length === 0 && error !== null ? words.failed : words.planned(items.length),
    ...items,
    ...(error === null ? [] : [stripControls(error.detail)]),
    words.atMost(worst_case),
    expected === null ? words.unknown : words.probably(expected),
  ]
}
