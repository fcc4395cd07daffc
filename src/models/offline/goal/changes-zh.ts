/** The Chinese rules for changes of existing entries. */
import { changeOf, fieldOf, moveOf, shiftOf, whenIn, type ChangeField } from './changes.ts'
import type { Moment } from '../time/clock.ts'
import { ZH_SPAN, chineseSpan } from '../time/numbers.ts'
import { bySubject, refusal, type IntentDraft, type Rule } from './requests.ts'

const rule = (source: string, read: Rule[1]): Rule => [new RegExp(source, 'u'), read]
const FIELD =
  '(截止(?:日期|时间)?|到期(?:日期?|时间)|开始时间|时间|日期|优先级|时长|名称|名字|标题|内容|提醒(?:时间)?|标签|重复)'
const INTO =
  '(改到|改成|改为|改至|改在|改期到|改期至|挪到|挪至|移到|移至|调到|调整到|调整为|调整至|推迟到|推迟至|推到|延到|延后到|延期到|延期至|延至|顺延到|提前到|提前至|换到|变更为|变更到|更改为|更改到|修改为|修改到|设为|设成|设置为)'
const LATER = '推迟|延后|延迟|延期|顺延|往后推|向后推|后移'
const RENAME = '(?:改名为|改名成|改名叫|重命名为|重命名成|更名为|改叫)'
/** Requests of another kind that hold such words later in their text. */
const OTHER = /^(?:提醒|记得|别忘|添加|新建|新增|创建|安排|预约|搜索|查|记)/u

function fieldNamed(word: string): ChangeField {
  if (/^(?:截止|到期)/u.test(word)) return 'due'
  if (word === '优先级') return 'priority'
  if (word === '时长') return 'length'
  if (/^(?:名|标题|内容)/u.test(word)) return 'name'
  return /^(?:提醒|标签|重复)/u.test(word) ? 'other' : 'when'
}

/** `明天把会议改到四点`: a date before the change belongs to the new time. */
function withDate(drafts: IntentDraft[] | null, lead: string, now: Moment): IntentDraft[] | null {
  const when = lead.trim() === '' ? null : whenIn(lead, now, false)
  if (lead.trim() !== '' && (when === null || typeof when === 'string')) return null
  for (const { intent } of drafts ?? [])
    if (intent.kind === 'change' && when !== null && typeof when !== 'string') intent.to.date ??= when.date ?? null
  return drafts
}

function into(match: string[], text: string, now: Moment): IntentDraft[] | null {
  const [, lead = '', with_ = '', subject = '', field = '', verb = '', to = ''] = match
  if (OTHER.test(text) || (with_ === '' && (lead !== '' || verb.startsWith('设')))) return null
  if (field !== '') return withDate(fieldOf(fieldNamed(field), subject, to, now, text), lead, now)
  if (/^已?(?:完成|做完)/u.test(to)) return bySubject('finish', subject, now)
  const moved = moveOf(subject, to, now)
  if (moved) return withDate(moved, lead, now)
  const reworded = with_ !== '' && /^(?:改成|改为|修改为|更改为|变更为)$/u.test(verb)
  return reworded ? changeOf(subject, { name: to }, now) : null
}

export const CHANGES_ZH: Rule[] = [
  rule(`^(?:把|将)?(.+?)${RENAME}(.+)$`, ([, subject = '', name = ''], all, now) =>
    OTHER.test(all) ? null : changeOf(subject, { name }, now),
  ),
  rule('^重命名(.+?)为(.+)$', ([, subject = '', name = ''], _, now) => changeOf(subject, { name }, now)),
  rule(`^(?:把|将)?([^改设]+?)(${LATER}|提前|往前提)(?:了)?${ZH_SPAN}$`, (match, all, now) =>
    OTHER.test(all) ? null : shiftOf(match[1] ?? '', chineseSpan(match, 3), /前/u.test(match[2] ?? ''), now),
  ),
  rule(`^(${LATER}|提前)(.+?)${ZH_SPAN}$`, (match, _, now) =>
    shiftOf(match[2] ?? '', chineseSpan(match, 3), match[1] === '提前', now),
  ),
  rule(`^(.{0,12}?)(把|将)(.+?)(?:的?${FIELD})?${INTO}(.+)$`, into),
  rule(`^()()(.+?)(?:的?${FIELD})?${INTO}(.+)$`, into),
  rule(`^(?:${LATER}|提前|改期|改约|调整|重新安排)(?:一下)?(.+?)(?:到|至)(.+)$`, ([, subject = '', to = ''], _, now) =>
    moveOf(subject, to, now),
  ),
  rule(
    `^(?:修改|更改|变更|调整)(?:一下)?(.+?)的?${FIELD}(?:(?:为|到|成|至)(.+))?$`,
    ([, subject = '', field = '', to = ''], all, now) => {
      if (to !== '') return fieldOf(fieldNamed(field), subject, to, now, all)
      const when = ['when', 'due'].includes(fieldNamed(field))
      return (when ? changeOf(subject, {}, now) : null) ?? refusal(all, 'change')
    },
  ),
  rule(`^(?:${LATER}|改期|改约)(?:一下)?(.+)$`, ([, subject = ''], _, now) => changeOf(subject, {}, now)),
  rule(`^(?:把|将)?(.+?)(?:${LATER}|改期|改约)(?:一下)?$`, ([, subject = ''], all, now) =>
    OTHER.test(all) ? null : changeOf(subject, {}, now),
  ),
  // A change that no other rule reads does not create a new entry.
  rule(`^(?:把|将).+?(?:${INTO}|${LATER}|改期)|^[^,]{1,20}(?:改到|改期|推迟|延期)`, (_, text) =>
    OTHER.test(text) ? null : refusal(text, 'change'),
  ),
]
