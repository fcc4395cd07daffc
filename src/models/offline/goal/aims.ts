/** The terms of a change: which entry a request means, what shall change, why a request is refused, and how a title says so. */
import type { Locale } from '../../../core/terms/locale.ts'

/** A reference to an existing entry: by its id, or by words of its text and its time. */
export interface Aim {
  id: number | null
  subject: string | null
  /** The date and the time that the entry has now (`YYYY-MM-DD`, `HH:MM`), as far as the request names them. */
  date: string | null
  time: string | null
}

/** The new values of an entry; null keeps the old value. */
export interface Target {
  date: string | null
  time: string | null
  /** The request names a part of the day and no hour, so a question asks for it. */
  open: boolean
  /** Minutes. */
  duration: number | null
  /** The number of minutes later than now; negative means earlier. */
  by: number | null
  priority: number | null
  name: string | null
}
export const NO_TARGET: Target = {
  date: null,
  time: null,
  open: false,
  duration: null,
  by: null,
  priority: null,
  name: null,
}
export type EntryChange = Aim & { kind: 'change'; what: 'event' | 'todo' | 'any'; to: Target }

/**
 * `change`: a change that the commands cannot make; `negated`: a request not to do something; `command`: a slash command; `all`: all entries at
 * once.
 */
export type RefusalReason = 'change' | 'negated' | 'command' | 'all'
export const REFUSALS: Record<RefusalReason, Record<Locale, string>> = {
  change: { en: 'a change', zh: '一项修改' },
  negated: { en: 'a negation', zh: '否定' },
  command: { en: 'a command', zh: '命令' },
  all: { en: 'all at once', zh: '全部' },
}
export const refusalOf = (inside: string): RefusalReason =>
  (Object.keys(REFUSALS) as RefusalReason[]).find((why) => Object.values(REFUSALS[why]).includes(inside)) ?? 'change' // keys of a literal

/** The new name comes last, because it may hold the separator of the other parts. */
export function targetParts({ date, time, open, duration, by, priority, name }: Target, locale: Locale): string[] {
  const pick = (en: string, zh: string) => (locale === 'zh' ? zh : en)
  const start = [date, time].filter((part) => part !== null).join(' ')
  return [
    start === '' ? '' : pick(`to ${start}`, `改到 ${start}`),
    open ? pick('hour open', '时间待定') : '',
    duration === null ? '' : pick(`for ${duration} min`, `时长 ${duration} 分钟`),
    by === null ? '' : pick(`by ${by} min`, `顺延 ${by} 分钟`),
    priority === null ? '' : pick(`priority ${priority}`, `优先级 ${priority}`),
    name === null ? '' : pick(`named ${name}`, `改名为 ${name}`),
  ].filter((part) => part !== '')
}

const TARGET_RULES: [RegExp, (words: string[]) => Partial<Target>][] = [
  [
    /(?:^|; )(?:to|改到) (\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?(?=;|$)/u,
    ([date, time]) => ({ date: date ?? null, time: time ?? null }),
  ],
  [/(?:^|; )(?:to|改到) (\d\d:\d\d)(?=;|$)/u, ([time]) => ({ time: time ?? null })],
  [/(?:^|; )(?:hour open|时间待定)(?=;|$)/u, () => ({ open: true })],
  [/(?:^|; )(?:for|时长) (\d+) (?:min|分钟)(?=;|$)/u, ([minutes]) => ({ duration: Number(minutes) })],
  [/(?:^|; )(?:by|顺延) (-?\d+) (?:min|分钟)(?=;|$)/u, ([minutes]) => ({ by: Number(minutes) })],
  [/(?:^|; )(?:priority|优先级) (\d+)(?=;|$)/u, ([priority]) => ({ priority: Number(priority) })],
]
const NAMED = /(?:^|; )(?:named|改名为) (.*)$/u

export function targetOf(inside: string): Target {
  const named = NAMED.exec(inside)
  const rest = named ? inside.slice(0, named.index) : inside
  return TARGET_RULES.reduce(
    (target, [pattern, read]) => {
      const match = pattern.exec(rest)
      return match ? { ...target, ...read(match.slice(1)) } : target
    },
    { ...NO_TARGET, name: named?.[1] ?? null },
  )
}

/** Whether a text names an image. */
export const namesImage = (text: string): boolean => /\.(?:png|jpe?g|webp|gif)(?!\w)/iu.test(text)
