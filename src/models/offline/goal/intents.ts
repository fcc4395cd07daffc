/**
 * The intents, and how each is written as the title of a plan item. A title says everything about its intent and is read back from its text
 * alone, so a relative date is settled once, when the plan is made.
 */
import type { Locale } from '../../../core/terms/locale.ts'
import { REFUSALS, refusalOf, targetOf, targetParts, type Aim, type EntryChange, type RefusalReason } from './aims.ts'
import { NO_DETAILS, type Details } from './details.ts'
import { callOf, callText, type NamedCall } from './tool-calls.ts'

export type Intent =
  /**
   * `nudge`: the user wants a reminder, so a due time is required. `offered`: the user wants a deed for which there is no tool, so a question asks
   * whether to note it. A question asks for a null subject.
   */
  | { kind: 'todo'; nudge: boolean; offered: boolean; subject: string | null; details: Details }
  /** `booked`: an appointment with someone; a question asks for its length. */
  | { kind: 'event'; booked: boolean; subject: string | null; details: Details }
  /** `unused`: the filters of the request that the command has not, as they were written. */
  | { kind: 'list'; view: string | null; tag: string | null; unused: string | null }
  | { kind: 'find'; subject: string }
  | PointedIntent
  | EntryChange
  | { kind: 'agenda'; span: 'day' | 'week' | 'month' | 'list'; anchor: string | null; unused: string | null }
  | { kind: 'lookup'; subject: string | null }
  /** A request that is understood and not done; the answer says why. */
  | { kind: 'refuse'; subject: string; why: RefusalReason }
  /** A part of a goal that fits no rule; one question asks about it. */
  | { kind: 'unclear'; subject: string }
  /** A tool that the goal names, with its arguments. */
  | ({ kind: 'use' } & NamedCall)
  /** A goal that only greets, thanks or asks for help. */
  | { kind: 'greet'; subject: string }
  /** A goal of which no rule understands anything. */
  | { kind: 'unable'; subject: string }

/** An entry to finish or delete; `discard` deletes either a todo or an event. */
export type PointedIntent = Aim & { kind: 'finish' | 'remove' | 'unschedule' | 'discard' }

const LABELS = {
  todo: { en: 'Todo', zh: '待办' },
  nudge: { en: 'Remind', zh: '提醒' },
  offer: { en: 'Offer to note', zh: '是否记下' },
  event: { en: 'Calendar', zh: '日程' },
  booked: { en: 'Book', zh: '预约' },
  list: { en: 'List todos', zh: '列出待办' },
  find: { en: 'Find todos', zh: '查找待办' },
  finish: { en: 'Finish todo', zh: '完成待办' },
  remove: { en: 'Delete todo', zh: '删除待办' },
  unschedule: { en: 'Delete event', zh: '删除日程' },
  discard: { en: 'Delete', zh: '删除' },
  'change event': { en: 'Change event', zh: '修改日程' },
  'change todo': { en: 'Change todo', zh: '修改待办' },
  'change any': { en: 'Change', zh: '修改' },
  agenda: { en: 'Show calendar', zh: '查看日程' },
  lookup: { en: 'Look up', zh: '查询' },
  use: { en: 'Call the tool', zh: '调用工具' },
  refuse: { en: 'Leave alone', zh: '不处理' },
  unclear: { en: 'Ask about', zh: '询问' },
} satisfies Record<string, Record<Locale, string>>
type Label = keyof typeof LABELS
const CHANGE_LABELS = { 'change event': 'event', 'change todo': 'todo', 'change any': 'any' } as const
const NOTHING = '?'
/** The longest subject that is kept, so that a title stays below the limit of a plan item. */
const SUBJECT_MAX = 300

/** A subject is one line without brackets, because brackets hold the details of a title. */
export const subjectOf = (text: string) =>
  [...text.replace(/\[/gu, '(').replace(/\]/gu, ')').replace(/\s+/gu, ' ').trim()].slice(0, SUBJECT_MAX).join('').trim()

/** The title of an intent; `intentOf` reads it back. */
export function intentTitle(intent: Intent, locale: Locale): string {
  if (intent.kind === 'unable' || intent.kind === 'greet') return intent.subject
  const label = LABELS[labelOf(intent)][locale]
  const colon = locale === 'zh' ? '：' : ': '
  const parts = partsOf(intent, locale)
  const subject = bodyOf(intent)
  return `${label}${colon}${subject}${parts.length > 0 ? ` [${parts.join('; ')}]` : ''}`
}

function labelOf(intent: Exclude<Intent, { kind: 'unable' | 'greet' }>): Label {
  if (intent.kind === 'todo') return intent.offered ? 'offer' : intent.nudge ? 'nudge' : 'todo'
  if (intent.kind === 'event') return intent.booked ? 'booked' : 'event'
  if (intent.kind === 'change') return `change ${intent.what}`
  return intent.kind
}

function bodyOf(intent: Intent): string {
  switch (intent.kind) {
    case 'list':
      return intent.view ?? 'all'
    case 'agenda':
      return intent.anchor === null ? intent.span : `${intent.span} ${intent.anchor}`
    case 'finish':
    case 'remove':
    case 'unschedule':
    case 'discard':
    case 'change':
      return intent.id !== null ? `#${intent.id}` : (intent.subject ?? NOTHING)
    case 'use':
      return callText(intent)
    default:
      return intent.subject ?? NOTHING
  }
}

function every(minutes: number, locale: Locale): string {
  const [count, unit, zhUnit] = minutes % 1440 === 0 ? [minutes / 1440, 'days', '天'] : [minutes, 'min', '分钟']
  if (minutes === 1440) return locale === 'zh' ? '每天' : 'every day'
  return locale === 'zh' ? `每 ${count} ${zhUnit}` : `every ${count} ${unit}`
}

const stampIn = ({ date, time }: { date: string | null; time: string | null }) =>
  [date, time].filter((part) => part !== null).join(' ')

function partsOf(intent: Intent, locale: Locale): string[] {
  if (intent.kind === 'list' || intent.kind === 'agenda') {
    const tag = intent.kind === 'list' ? intent.tag : null
    const unused = intent.unused === null ? [] : [`${locale === 'zh' ? '未按' : 'not by'} ${intent.unused}`]
    return [...(tag === null ? [] : [`#${tag}`]), ...unused]
  }
  if (intent.kind === 'refuse') return [REFUSALS[intent.why][locale]]
  if ('id' in intent)
    return [stampIn(intent), ...(intent.kind === 'change' ? targetParts(intent.to, locale) : [])].filter(
      (part) => part !== '',
    )
  if (intent.kind !== 'todo' && intent.kind !== 'event') return []
  const { date, time, duration, interval, odd, times, until, before, remind, tag, priority } = intent.details
  const { unlikely_length, unlikely_time } = intent.details
  const pick = (en: string, zh: string) => (locale === 'zh' ? zh : en)
  const parts = [
    stampIn({ date, time }),
    duration === null ? '' : pick(`${duration} min`, `${duration} 分钟`),
    unlikely_length === null ? '' : pick(`length ${unlikely_length}?`, `时长 ${unlikely_length}？`),
    unlikely_time === null ? '' : pick(`time ${unlikely_time}?`, `时间 ${unlikely_time}？`),
    interval === null ? '' : every(interval, locale),
    odd === null ? '' : pick(`every ${odd}`, { month: '每月', year: '每年', workday: '每个工作日' }[odd]),
    until === null ? '' : pick(`until ${until}`, `直到 ${until}`),
    times === null ? '' : pick(`${times} times`, `${times} 次`),
    before === null ? '' : pick(`remind ${before} min before`, `提前 ${before} 分钟提醒`),
    remind === null ? '' : pick(`remind ${remind}`, `${remind} 提醒`),
    tag === null ? '' : `#${tag}`,
    priority === null ? '' : pick(`priority ${priority}`, `优先级 ${priority}`),
  ]
  return parts.filter((part) => part !== '')
}

const PART_RULES: [RegExp, (words: string[]) => Partial<Details>][] = [
  [/^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?$/u, ([date, time]) => ({ date: date ?? null, time: time ?? null })],
  [/^(\d\d:\d\d)$/u, ([time]) => ({ time: time ?? null })],
  [/^(\d+) (?:min|分钟)$/u, ([minutes]) => ({ duration: Number(minutes) })],
  [/^(?:length|时长) (.+)[?？]$/u, ([unlikely_length]) => ({ unlikely_length: unlikely_length ?? null })],
  [/^(?:time|时间) (.+)[?？]$/u, ([unlikely_time]) => ({ unlikely_time: unlikely_time ?? null })],
  [/^(?:every|每) (\d+) (?:days|天)$/u, ([days]) => ({ interval: Number(days) * 1440 })],
  [/^(?:every|每) (\d+) (?:min|分钟)$/u, ([minutes]) => ({ interval: Number(minutes) })],
  [/^(?:every day|每天)$/u, () => ({ interval: 1440 })],
  [/^(?:every month|每月)$/u, () => ({ odd: 'month' })],
  [/^(?:every year|每年)$/u, () => ({ odd: 'year' })],
  [/^(?:every workday|每个工作日)$/u, () => ({ odd: 'workday' })],
  [/^(\d+) (?:times|次)$/u, ([times]) => ({ times: Number(times) })],
  [/^(?:until|直到) ((?:\d{4}-\d\d-\d\d)?(?: ?\d\d:\d\d)?)$/u, ([until]) => ({ until: until ?? null })],
  [/^(?:remind|提前) (\d+) (?:min before|分钟提醒)$/u, ([minutes]) => ({ before: Number(minutes) })],
  [/^(?:remind )?((?:\d{4}-\d\d-\d\d )?\d\d:\d\d)(?: 提醒)?$/u, ([remind]) => ({ remind: remind ?? null })],
  [/^#(.+)$/u, ([tag]) => ({ tag: tag ?? null })],
  [/^(?:priority|优先级) (\d+)$/u, ([priority]) => ({ priority: Number(priority) })],
]

function detailsOf(inside: string): Details {
  return inside.split('; ').reduce((details, part) => {
    for (const [pattern, read] of PART_RULES) {
      const match = pattern.exec(part)
      if (match) return { ...details, ...read(match.slice(1)) }
    }
    return details
  }, NO_DETAILS)
}

/** Reads a title; null when it is not written by these rules, as in a plan that was edited by hand. */
export function intentOf(title: string): Intent | null {
  const match = /^([A-Z][a-z ]+|[^\p{ASCII}]{2,4})(?:: |：)(.*?)(?: \[([^\]]*)\])?$/u.exec(title.trim())
  const word = match?.[1]
  const label = (Object.keys(LABELS) as Label[]).find((name) => Object.values(LABELS[name]).includes(word ?? '')) // keys of a literal
  if (!match || !label) return null
  return build(label, match[2] ?? '', match[3] ?? '')
}

const UNUSED = /(?:^|; )(?:not by|未按) (.+)$/u

function build(label: Label, body: string, inside: string): Intent | null {
  const subject = body === NOTHING ? null : body
  const details = detailsOf(inside)
  const unused = UNUSED.exec(inside)?.[1] ?? null
  const id = /^#(\d+)$/u.exec(body)
  const aim: Aim = {
    id: id ? Number(id[1]) : null,
    subject: id ? null : subject,
    date: details.date,
    time: details.time,
  }
  switch (label) {
    case 'todo':
    case 'nudge':
    case 'offer':
      return { kind: 'todo', nudge: label === 'nudge', offered: label === 'offer', subject, details }
    case 'event':
    case 'booked':
      return { kind: 'event', booked: label === 'booked', subject, details }
    case 'list':
      return { kind: 'list', view: body === 'all' ? null : body, tag: details.tag, unused }
    case 'finish':
    case 'remove':
    case 'unschedule':
    case 'discard':
      return { kind: label, ...aim }
    case 'change event':
    case 'change todo':
    case 'change any':
      return { kind: 'change', what: CHANGE_LABELS[label], ...aim, to: targetOf(inside) }
    case 'refuse':
      return subject === null ? null : { kind: label, subject, why: refusalOf(inside) }
    case 'agenda': {
      const [span = '', anchor = null] = body.split(' ')
      return span === 'day' || span === 'week' || span === 'month'
        ? { kind: 'agenda', span, anchor, unused }
        : { kind: 'agenda', span: 'list', anchor: null, unused }
    }
    case 'lookup':
      return { kind: 'lookup', subject }
    case 'use': {
      const call = callOf(body)
      return call && { kind: 'use', ...call }
    }
    default:
      return subject === null ? null : { kind: label, subject }
  }
}

/** A key that is equal for equal wishes, however their dates are written. It separates new requests from planned ones. */
export function wishKeyOf(intent: Intent): string {
  return `${intent.kind} ${bodyOf(intent).toLowerCase()}`
}
