/** The Chinese words of the slash commands. */
import type { ScheduleEvent, Todo } from '../book.ts'
import { VIEWS, type OptionName, type Problem, type Span, type TodoFilter } from '../command.ts'
import { dateError } from '../dates.ts'
import { cleanCell } from '../table.ts'
import { WEEKDAYS } from '../../zones.ts'
import { COMMAND_FORMS, syntaxOf } from '../forms.ts'
import type { CommandTexts } from './texts-en.ts'

const MOMENT = '需要真实存在的时间 YYYY-MM-DD HH:MM'
const OPTIONS: Record<OptionName, string> = {
  tag: '需要一个标签',
  view: `必须是 ${VIEWS.join('、')} 之一`,
  priority: '需要不小于 0 的整数',
  due: MOMENT,
  remind: MOMENT,
  interval: '需要不小于 1 的整数（分钟）',
  duration: '需要不小于 1 的整数（分钟）',
  times: '需要 -1（无限）或不小于 2 的整数（含首次）',
  'remind-start': MOMENT,
}

const DATE_ERRORS = {
  form: '',
  unreal: '日历中没有这个时刻。',
  range: '请只给出一个时刻，不要给出时间段。',
  time: '只有日期还不够。',
}
export function dateHint(given: string, needs_time: boolean): string {
  const error = given === '' ? null : dateError(given, needs_time)
  if (error === null) return ''
  return error.why === 'weekday' ? `那一天是${WEEKDAYS.zh[error.weekday]}。` : DATE_ERRORS[error.why]
}
const given = (value: string) => (value === '' ? '' : `收到的是“${cleanCell(value)}”。`)

const PROBLEMS = {
  form: '命令后的内容不符合该格式。',
  text: '缺少内容。',
  id: 'id 必须是不小于 1 的整数。',
  view: `视图必须是 ${VIEWS.join('、')} 之一。`,
  anchor: 'day 和 week 使用真实日期 YYYY-MM-DD，month 使用 YYYY-MM。',
  span: '--interval 与 --times 超出了 9999 年。',
}
function problemText(problem: Problem): string {
  if (problem.about === 'option') {
    const hint = OPTIONS[problem.option] === MOMENT ? dateHint(problem.given, false) : ''
    return `--${problem.option} ${OPTIONS[problem.option]}，且只能出现一次。${given(problem.given)}${hint}`
  }
  if (problem.about === 'start') return `开始时间${MOMENT}。${given(problem.given)}${dateHint(problem.given, true)}`
  if (problem.about === 'needs') return `--${problem.option} 必须与 --${problem.other} 一起使用。`
  return PROBLEMS[problem.about]
}

function reminders(remind: string | null, remindStart: string | null): string {
  const first = remind === null ? '' : `，提醒 ${remind}`
  return remindStart === null ? first : `${first}，重复提醒自 ${remindStart} 起`
}

function todoFacts({ id, content, tag, priority, due_at, remind_at }: Todo): string {
  const due = due_at === null ? '' : `，截止 ${due_at}`
  return `#${id} [${tag}] ${content}（优先级 ${priority}${due}${reminders(remind_at, null)}）`
}

function eventFacts({ id, title, start, duration, remind_at, rule }: ScheduleEvent): string {
  const event = `#${id} ${start} ${title}`
  if (rule === null) return `${event}（时长 ${duration} 分钟${reminders(remind_at, null)}）`
  const tail = reminders(remind_at, rule.remind_start)
  return rule.times === -1
    ? `${event}（无限重复：时长 ${duration} 分钟，间隔 ${rule.interval} 分钟${tail}）`
    : `${event}（共 ${rule.times} 次：时长 ${duration} 分钟，间隔 ${rule.interval} 分钟，次数 ${rule.times}${tail}）`
}

function narrowed({ tag, view, keyword }: TodoFilter): string {
  const parts = [
    ...(keyword === null ? [] : [`关键词 ${keyword}`]),
    ...(view === null ? [] : [`视图 ${view}`]),
    ...(tag === null ? [] : [`标签 ${tag}`]),
  ]
  return parts.join('，')
}

const SPAN: Record<Span, string> = { day: '日视图', week: '周视图', month: '月视图' }
const period = (span: Span | null, from: string, to: string) =>
  `${span === null ? '日程' : SPAN[span]} ${from === to ? from : `${from} 至 ${to}`}`

export const ZH: CommandTexts = {
  todoColumns: ['ID', '状态', '标签', '优先级', '内容', '创建时间', '完成时间', '截止时间', '提醒时间'],
  eventColumns: [
    'ID',
    '开始时间',
    '时长(分钟)',
    '标题',
    '提醒时间',
    '重复提醒开始',
    '间隔(分钟)',
    '次数',
    '重复',
    '创建时间',
  ],
  status: { open: '待办', done: '完成' },
  help: ['可用命令：', ...COMMAND_FORMS.map((form) => `${syntaxOf(form)} - ${form.description.zh}`)].join('\n'),
  views: `视图：${VIEWS.join('、')}`,
  usage: (syntax, problem) => `用法: ${syntax}\n${problemText(problem)}`,
  unknown: (input, meant) =>
    `未知命令：${input}\n${meant === null ? '' : `您是否想输入 ${meant}？`}输入 /help 查看命令。`,
  emptyInput: '请输入内容；输入 /help 查看命令。',
  canceled: '已取消当前任务。',
  noActiveTask: '当前没有进行中的任务。',
  llmNotConfigured: '未配置模型，只能使用斜杠命令；输入 /help 查看命令。',
  todoNotFound: (id) => `未找到待办 #${id}。`,
  eventNotFound: (id) => `未找到日程 #${id}。`,
  todos: (filter) => (narrowed(filter) === '' ? '待办列表：' : `待办列表（${narrowed(filter)}）：`),
  noTodos: (filter) => (narrowed(filter) === '' ? '暂无待办。' : `没有符合条件的待办（${narrowed(filter)}）。`),
  todoAdded: (todo) => `已添加待办 ${todoFacts(todo)}。`,
  todoUpdated: (todo) => `已更新待办 ${todoFacts(todo)}。`,
  todoDone: ({ id, content, completed_at }) => `已完成待办 #${id} ${content}（完成时间 ${completed_at ?? '-'}）。`,
  todoDetail: (id) => `待办 #${id}：`,
  todoDeleted: (id) => `已删除待办 #${id}。`,
  past: {
    due: (moment, now) => `截止时间已过：${moment}，现在是 ${now}。`,
    start: (moment, now) => `开始时间已过：${moment}，现在是 ${now}。`,
    remind: (moment, now) => `提醒时间已过：${moment}，现在是 ${now}。`,
  },
  todoReminder: ({ id, content, due_at }) => `提醒：#${id} ${content}${due_at === null ? '' : `，截止 ${due_at}`}`,
  eventReminder: ({ id, title, start, duration }) => `提醒：#${id} ${title}，${start} 开始，时长 ${duration} 分钟`,
  remindRequiresDue: (id) => `--remind 需要截止时间：待办 #${id} 没有截止时间，请同时给出 --due。`,
  eventAdded: (event) => `已添加日程 ${eventFacts(event)}。`,
  eventUpdated: (event) => `已更新日程 ${eventFacts(event)}。`,
  eventDetail: (id) => `日程 #${id}：`,
  eventDeleted: (id) => `已删除日程 #${id}。`,
  repeatToggled: (id, enabled) => `已${enabled ? '开启' : '关闭'}日程 #${id} 的重复。`,
  noRepeatRule: (id) => `日程 #${id} 没有重复规则。`,
  schedule: (span, from, to) => `${period(span, from, to)}：`,
  noEvents: (span, from, to) => `${period(span, from, to)}：暂无日程。`,
  full: (most) => `用法: 最多保存 ${most} 条，请先删除一些。`,
  tooFar: '用法: 重复必须在 10000 年之前结束。',
  moreRows: (more) => `……另有 ${more} 条。`,
  conflict: '日程冲突，未保存。与以下日程重叠：',
  moreConflicts: (more) => `……另有 ${more} 处冲突。`,
}
