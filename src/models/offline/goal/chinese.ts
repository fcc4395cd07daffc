/** The Chinese rules, in the order in which they are tried. */
import { CHANGES_ZH } from './changes-zh.ts'
import type { Moment } from '../time/clock.ts'
import { readDetails } from './details.ts'
import {
  asAgenda,
  asEvent,
  asFind,
  asIds,
  asList,
  asLookup,
  asSubject,
  asTodo,
  bySubject,
  errandOf,
  eventOf,
  firstOf,
  lookupOf,
  todoOf,
  type IntentDraft,
  type Rule,
} from './requests.ts'
import { deedOf } from '../manners/deeds.ts'
import { isErrandZh, isMeetingZh, namesEventZh } from './verbs-zh.ts'

const TODO = '(?:待办(?:事项)?|任务|清单|代办(?:事项)?)'
const CALENDAR = '(?:日程表?|日历|行程)'
const EVENT = '(?:日程|会议|活动|行程|预约|安排)'
const IDS = '(?:#|编号|序号|第)?\\s*(\\d{1,9}(?:\\s*(?:,|、|和|及)\\s*#?\\d{1,9})*)\\s*(?:号|条|个|项)?'
const SHOW = '(?:列出|列一下|查看|显示|看看|看一下|看下|打开|给我看|展示|查一?下|有哪些|有什么|告诉我)'
const ADD = '(?:添加|新增|增加|新建|创建|加入|加|记录|写|建)'
const rule = (source: string, read: Rule[1]): Rule => [new RegExp(source, 'u'), read]
const ON_TODOS: Rule[] = [
  rule(`^(?:在)?(?:我的)?${TODO}(?:列表)?(?:里|中)?(?:搜索|查找|搜|找)(?:一下|包含|关于|含有)*(.+?)$`, asFind),
  rule(
    `^(?:搜索|查找|搜一下|找一下|找找?|查一下|查询|查看|列出)(?:我的)?(?:包含|关于|含有|带有|有关|提到)?(.+?)的(?:所有)?${TODO}$`,
    (match, text, now) => (isViewWord(match[1] ?? '') ? null : asFind(match, text, now)),
  ),
  rule(`^(?:搜索|查找|搜一下|找一下|找)(?:我的)?${TODO}(?:里|中)?(?:的|关于|包含|:|,)*\\s*(.+)$`, asFind),
  rule(
    `^(?:${SHOW}|还?有).*${TODO}|^(?:我|今天|今日|现在|目前|还).{0,8}(?:有哪些|有什么|有多少|还有)(?:没做的|未完成的)?.*${TODO}|^(?:我的|所有|全部|今天的?|今日的?|逾期的?|过期的?|未完成的?|(?:未来|接下来|近|最近|这)?几天的?|本周的?|这周的?|即将到期的?|近期的?)*${TODO}(?:列表)?(?:有哪些|有什么|是什么)?\\??$`,
    asList,
  ),
  rule('^(?:今天|我今天|我)(?:要|该|需要)做(?:什么|哪些)', asList),
  rule(
    `^把?(?:完成|勾掉|结束)?(?:了)?${TODO}?\\s*${IDS}(?:的?${TODO})?\\s*(?:标记?为|设为|改为|标成|标记成)(?:已)?(?:完成|做完)(?:了|的|状态)?$`,
    asIds('finish'),
  ),
  rule(`^(?:完成|勾掉|做完)(?:了)?(?:我的)?${TODO}?\\s*${IDS}${TODO}?$`, asIds('finish')),
  rule(`^(?:第|编号)?(\\d{1,9})(?:号|条|个)?${TODO}(?:已经?)?(?:完成|做完)了?$`, asIds('finish')),
  rule(
    `^把(?:${TODO}(?:里的?|中的?)?)?(.+?)(?:这[个条项])?(?:${TODO})?(?:标记?为|设为|标成|标记成)(?:已)?(?:完成|做完)(?:了|的|状态)?$`,
    asSubject('finish'),
  ),
  rule(`^(?:完成|勾掉)(?:了)?${TODO}[:\\s]*(.+)$`, asSubject('finish')),
  rule(`^(?:完成|勾掉)(?:了)?(.+?)(?:这[个条项]|的)${TODO}$`, asSubject('finish')),
  rule('^(?:我)?(?:已经?)(?:完成|做完|办完)了?(.+?)了?$', asSubject('finish')),
  rule(`^(?:删除|删掉|移除|去掉|取消)(?:我的)?(?:第)?${TODO}\\s*${IDS}$`, asIds('remove')),
  rule(`^(?:删除|删掉|移除|去掉)第?(\\d{1,9})(?:号|条|个|项)?${TODO}$`, asIds('remove')),
  rule(`^(?:把)?(.+?)(?:从${TODO}(?:里|中)?)(?:删除|删掉|移除|去掉)$`, asSubject('remove')),
  rule(`^(?:删除|删掉|移除|去掉)(?:我的)?${TODO}(?:里的?|中的?|:)?\\s*(.+)$`, asSubject('remove')),
  rule(`^(?:删除|删掉|移除|去掉|取消)(.+?)(?:这[个条项]|的)${TODO}$`, asSubject('remove')),
]
const isViewWord = (text: string) =>
  /^(?:今天|今日|逾期|过期|所有|全部|即将到期|未来|未完成|本周|这周|我|没有日期|标签.*)$/u.test(text)

const ON_CALENDAR: Rule[] = [
  rule(`^(?:删除|删掉|移除|取消)(?:我的)?(?:第)?${EVENT}\\s*${IDS}$`, asIds('unschedule')),
  rule(`^(?:删除|删掉|移除|取消)第?(\\d{1,9})(?:号|条|个|项)?${EVENT}$`, asIds('unschedule')),
  rule(`^(?:把)?(.+?)从${CALENDAR}(?:里|中|上)?(?:删除|删掉|移除|去掉)$`, asSubject('unschedule')),
  rule(`^(?:删除|删掉|移除)(?:我的)?((?:.+?)(?:这个|的)?${EVENT})$`, asSubject('unschedule')),
  rule('^取消(?:掉)?(?:我的)?(.+)$', ([, subject = ''], all, now) =>
    bySubject(namesEventZh(all) || /日程|预约|行程|安排/u.test(all) ? 'unschedule' : 'discard', subject, now),
  ),
  rule('^(?:删除|删掉|移除|去掉)(?:我的)?(.+)$', asSubject('discard')),
  rule('^(?:把|将)(.+?)(?:删除|删掉|删了|取消|移除|去掉)(?:了|掉)?$', asSubject('discard')),
  rule('^(?:我)?.{1,12}(?:有空|有时间|空闲|忙不忙)(?:没有?|不)?$', asAgenda),
  rule(
    `^${SHOW}.*(?:${CALENDAR}|安排|会议|活动)|(?:有什么|有哪些|有没有|有啥)(?:${EVENT}|事|计划|空)|^(?:我的|今天|明天|后天|本周|这周|下周|本月|下个?月|周末|周[一二三四五六日天]|的)*(?:${CALENDAR}|安排)(?:列表)?(?:是什么|有哪些|有什么)?\\??$`,
    asAgenda,
  ),
]

const WHEN = '((?:(?!提醒|把|添加|搜索|预约|安排).){0,24}?)'
const ADDING: Rule[] = [
  rule(`^${WHEN}(?:提醒我?|叫我)(?:一下)?(?:要|去|记得)?(.*)$`, ([, when = '', text = ''], all, now) =>
    when === '' || (!when.endsWith('提前') && isWhen(when, now))
      ? todoOf(`${when} ${text}`, now, true)
      : reminderIn(all, now),
  ),
  rule(
    `^${WHEN}(?:${ADD})(?:一下)?(?:[一1]?[个条项])?(?:新的?)?${TODO}(?:里|中|列表)?(?:是|为|:|,|，)?\\s*(.*)$`,
    asTodo,
  ),
  rule(`^(?:把|将)(.+?)(?:${ADD}|放|记|排)(?:进|到|入|在|至)*(?:我的)?(?:${CALENDAR})(?:里|中|上)?(.*)$`, asEvent),
  rule(
    `^(?:把|将)(.+?)(?:${ADD}|放|记|列)(?:进|到|入|在|至)*(?:我的)?(?:${TODO}(?:列表|清单)?|购物清单)(?:里|中|上)?(.*)$`,
    asTodo,
  ),
  rule(`^(?:在)?(?:我的)?${TODO}(?:列表)?(?:里|中|上)?(?:${ADD}|记)(?:上|一下|下|[一1]?[个条])*[:,]?\\s*(.*)$`, asTodo),
  rule(`^(?:新)?${TODO}\\s*[:,]\\s*(.+)$`, asTodo),
  rule(`^${WHEN}(?:记得|别忘了?|不要忘记?|记一下|记下|记住)(?:要|去|:)?(.*)$`, asTodo),
  rule(
    `^${WHEN}(?:${ADD})(?:一下)?(?:[一1]?[个条项])?(?:新的?)?${CALENDAR}(?:里|中|上)?(?:是|为|:|,)?\\s*(.*)$`,
    asEvent,
  ),
  rule(
    `^(?:在)?(?:我的)?${CALENDAR}(?:里|中|上)?(?:${ADD}|记|安排)(?:上|一下|下|[一1]?[个条])*[:,]?\\s*(.*)$`,
    asEvent,
  ),
  rule(`^${CALENDAR}\\s*[:,]\\s*(.+)$`, asEvent),
  rule(`^(.*?)(?:预约|预订|预定|约(?!会))(?:一下|好)?(?:一?[个次场位])?(.*)$`, ([, when = '', text = ''], _, now) =>
    when === '' || isWhen(when, now) ? eventOf(`${when} ${text}`, now, true) : null,
  ),
  rule('^订(?!阅|单|书)(.+)$', ([, text = ''], all, now) =>
    readDetails(text, now, true).details.time === null ? todoOf(all, now) : eventOf(text, now, true),
  ),
  rule(`^(.*?)(?:安排|计划|定)(?:一下|好)?(?:一?[个次场])?(.*)$`, ([, when = '', text = ''], _, now) =>
    when === '' || isWhen(when, now) ? eventOf(`${when} ${text}`, now) : null,
  ),
  rule(`^(?:${ADD})(?:一下|[一1]?[个条项])?(.*)$`, ([, text = ''], all, now) =>
    /^写(?!信|邮件|报告|作业|周报|日报|总结|检讨|论文|日记)/u.test(all)
      ? null
      : all.startsWith('写')
        ? todoOf(all, now)
        : additionIn(text, now),
  ),
]
/** `…提醒我…` in the middle of a text; a reminder before an event is a detail of that event. */
function reminderIn(text: string, now: Moment): IntentDraft[] | null {
  const ahead = readDetails(text, now, true).details.before !== null
  return ahead || isErrandZh(text) || isMeetingZh(text) ? null : todoOf(text.replace(/提醒我?/u, ''), now, true)
}
const isWhen = (text: string, now: Moment) => readDetails(text, now, true).rest.replace(/[,\s在的请我要]/gu, '') === ''
function additionIn(text: string, now: Moment): IntentDraft[] {
  const { details } = readDetails(text, now, true)
  return details.time !== null && !isErrandZh(text) ? eventOf(text, now) : todoOf(text, now)
}

const LOOKING: Rule[] = [
  rule(
    '^(?:上网|在网上|去网上|用谷歌|用百度)?(?:搜索|搜一?下|搜搜|搜|查一?下|查查|查询|查找|查一查|查|百度一?下|谷歌一?下|上网查一?下|找一下|了解一下)(.*)$',
    asLookup,
  ),
  rule('^(?:告诉我|我想知道|想知道)(.+)$', asLookup),
  rule(
    '^.*(?:是谁|是什么|是多少|在哪里|在哪儿?|怎么样|怎么走|为什么|多少钱|什么时候|几点|哪一?[个年天位座]|谁设计|谁发明|谁写).*$|^(?:谁|什么是|为什么|怎么|如何|哪里).+$|^.+[?]$',
    (_, text) => (/^(?:你|今天天气真)/u.test(text) ? null : lookupOf(text)),
  ),
]

/** Errands and events without a verb that names their kind; the date may come first. */
function byNature(text: string, now: Moment): IntentDraft[] | null {
  const { details, rest } = readDetails(text, now, true)
  const timed = details.time !== null || details.interval !== null || details.odd !== null
  const deed = rest.replace(/^(?:我要|我得|我|要|得|该|需要|去(?=买|取|拿|接|交|寄|见|看|开|参))+/u, '')
  if (deed === '' && (timed || details.date !== null)) return eventOf(text, now)
  if (isMeetingZh(deed) && (timed || details.date !== null)) return eventOf(text, now)
  if (isErrandZh(deed) || deedOf(deed) === 'message') return errandOf(text, deed, now)
  if (timed && deed !== '') return eventOf(text, now)
  if (namesEventZh(deed)) return eventOf(text, now)
  return isMeetingZh(deed) ? todoOf(text, now) : null
}

/** Reads one part of a goal without its politeness; null when no rule fits. */
export function recogniseChinese(text: string, now: Moment): IntentDraft[] | null {
  if (text.startsWith('/')) return null
  return firstOf([...ON_TODOS, ...CHANGES_ZH, ...ON_CALENDAR, ...ADDING, ...LOOKING], text, now) ?? byNature(text, now)
}
