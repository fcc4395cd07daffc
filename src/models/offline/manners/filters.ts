/** Finds the filters of a list request that the commands do not have, so that the answer names them (U63). */
import type { Locale } from '../../../core/terms/locale.ts'

const DAY =
  '(?:tomorrow|yesterday|tonight|the day after tomorrow|(?:next|last|this|coming) (?:week|month|year|weekend|quarter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} \\d{1,2}(?:st|nd|rd|th)?|\\d{4}-\\d\\d-\\d\\d|(?:the )?\\d{1,2}(?:st|nd|rd|th))'
const ZH_DAY =
  '(?:明天|后天|昨天|前天|下下?个?(?:周|星期|月)[一二三四五六日天末]?|上个?(?:周|星期|月)|(?:这|本)?周[一二三四五六日天末]|(?:这|本)个?月|明年|今年|\\d{1,2}月\\d{1,2}[日号])'

/** What a todo list can be asked for beyond its views and one tag. */
const OF_TODOS: RegExp[] = [
  /\b(?:with (?:a )?)?(?:very )?(?:high(?:est)?|top|urgent|medium|normal|low(?:est)?)[\s-]priority\b|\bpriority (?:of |is |above |below |over |under |[<>=]{1,2} ?)?(?:\d{1,4}|high|medium|low)\b|\b(?:most )?(?:urgent|important)\b/giu,
  new RegExp(`\\b(?:(?:that are )?due )?(?:on |by |before |after |until |for |in |from )?${DAY}\\b`, 'giu'),
  /\b(?:un(?:finished|done)|not (?:yet )?(?:done|finished)|open|pending|incomplete|completed?|finished|done|closed)\b/giu,
  /\b(?:sorted|ordered|grouped) by \w{1,20}|\b(?:first|last|top|latest|newest|oldest|next) \d{1,3}\b|\b(?:oldest|newest|latest)\b/giu,
  /\b(?:created|added|assigned to|from|shared with) (?:by |on |in )?(?!my\b|the\b|me\b|all\b)\w{1,30}/giu,
  /(?:最?高|中|低|紧急)优先级|优先级(?:为|是|[<>=大小于]{1,2})?\s?(?:\d{1,4}|[高中低])的?|(?:最)?(?:紧急|重要)的/gu,
  new RegExp(`${ZH_DAY}(?:之?[前后]|以[前后])?(?:到期|截止)?`, 'gu'),
  /(?:已|未|没有?)(?:完成|做完|做)的?|按.{1,8}(?:排序|排列|分组)|前\s?[\d一二两三四五六七八九十]{1,3}\s?[个条项]/gu,
]
const TAGS =
  /#[\p{L}\p{N}_-]{1,40}|\btagged (?:with )?#?[\p{L}\p{N}_-]{1,40}(?: (?:and|or) #?[\p{L}\p{N}_-]{1,40})?|标签(?:为|是)?\s*#?[\p{L}\p{N}_-]{1,40}?(?=的|和|\s|$)/giu

/** What the calendar can be asked for beyond a day, a week or a month. */
const OF_CALENDAR: RegExp[] = [
  /\b(?:with|about|at|in|named|called|tagged|longer than|shorter than) (?!my\b|the (?:week|month|morning|afternoon|evening)\b|this\b|next\b|all\b|\d)(?:the )?[\p{L}\p{N}'-]{1,30}(?: (?!(?:on|in|at|for|and|or|from|to|by|next|this|tomorrow|today|tonight)\b)[\p{L}'-]{1,30})?/giu,
  /\b(?:sorted|grouped) by \w{1,20}|\b(?:first|last|next) \d{1,3}\b/giu,
  /(?:和|与|跟|同)[^的,，\s]{1,8}?的|关于.{1,10}?的|标签(?:为|是)?\s*#?[\p{L}\p{N}_-]{1,20}/gu,
]

const FILTERS_MAX = 6
const FILTER_CHARS = 60
/** A longer request is searched only at its beginning. */
const CHARS_MAX = 300

const cleaned = (words: string) =>
  words
    .replace(/[[\];]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .replace(/的$/u, '')
    .trim()
    .slice(0, FILTER_CHARS)

function found(text: string, patterns: RegExp[]): string[] {
  const start = text.slice(0, CHARS_MAX)
  return patterns.flatMap((pattern) => [...start.matchAll(pattern)].map(([words]) => cleaned(words)))
}
const listed = (filters: string[]): string | null =>
  filters.length === 0 ? null : [...new Set(filters)].slice(0, FILTERS_MAX).join(', ')

/** No command leaves entries out. What is to be left out must not be read as what is to be listed. */
const EXCEPTION =
  /[ ,]*\b(?:without(?! (?:a |any )?(?:due )?(?:date|time)s?\b)|except(?: for)?|excluding|other than|but not|not (?:tagged|with))\b.{0,200}|[，,]?(?:除了?|不含|不带|不包括)[^，,。]{1,30}/iu
export function splitException(text: string): { kept: string; exception: string | null } {
  const found = EXCEPTION.exec(text)
  return found === null
    ? { kept: text, exception: null }
    : { kept: text.replace(found[0], ' '), exception: found[0].replace(/^[ ,，]+/u, '') }
}

/** The filters of a request for todos that are not used; `view` and `tag` are used. null: all of them are. */
export function unusedOfTodos(
  text: string,
  { view, tag }: { view: string | null; tag: string | null },
  exception: string | null = null,
): string | null {
  const used = (words: string) =>
    (view === 'upcoming' && /^(?:due )?(?:in |for )?(?:this week|coming|本周|这周)/iu.test(words)) ||
    (tag !== null && words.toLowerCase().endsWith(tag))
  const tags = found(text, [TAGS]).filter((words) => !used(words))
  // The tag itself may be such a word: `tagged urgent`.
  const exceptions = exception === null ? [] : [cleaned(exception)]
  const others = found(text.replace(TAGS, ' '), OF_TODOS)
  return listed([...[...others, ...tags].filter((words) => words !== '' && !used(words)), ...exceptions])
}

/** The filters of a request for the calendar that are not used; null: there is none. */
export const unusedOfCalendar = (text: string): string | null =>
  listed(found(text, OF_CALENDAR).filter((words) => words !== ''))

type Shown =
  | { kind: 'list'; view: string | null; tag: string | null; unused: string | null }
  | { kind: 'agenda'; span: string; anchor: string | null; unused: string | null }

const VIEWS: Record<string, Record<Locale, string>> = {
  overdue: { en: 'overdue', zh: '逾期的' },
  today: { en: 'of today', zh: '今天的' },
  upcoming: { en: 'that are coming up', zh: '近期的' },
  inbox: { en: 'without a due time', zh: '没有日期的' },
}

/** The table, and behind it what was listed and by what it was not filtered. */
export function withUnused(table: string, shown: Shown, locale: Locale): string {
  const { unused } = shown
  if (unused === null) return table
  const zh = locale === 'zh'
  const line = zh
    ? `我列出了${whatZh(shown)}；没有按以下条件筛选：${unused}。`
    : `I listed ${whatEn(shown)}; I did not filter by: ${unused}.`
  return `${table}\n${line}`
}

function whatEn(shown: Shown): string {
  if (shown.kind === 'agenda')
    return shown.anchor === null ? 'all coming events' : `all events of the ${shown.span} of ${shown.anchor}`
  const view = shown.view === null ? [] : [VIEWS[shown.view]?.en ?? shown.view]
  const tag = shown.tag === null ? [] : [`with the tag ${shown.tag}`]
  return ['all todos', ...view, ...tag].join(' ')
}

function whatZh(shown: Shown): string {
  if (shown.kind === 'agenda') return shown.anchor === null ? '所有近期日程' : `${shown.anchor} 的全部日程`
  const view = shown.view === null ? '' : (VIEWS[shown.view]?.zh ?? shown.view)
  return `${view}${shown.tag === null ? '' : `带标签 ${shown.tag} 的`}全部待办`
}
