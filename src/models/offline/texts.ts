/** The texts of the offline rules in both languages. Questions name their subject, so that no two questions of a task are equal. */
import type { Locale } from '../../core/terms/locale.ts'
import { namesImage, type RefusalReason } from './goal/aims.ts'

type Words = { [key in keyof typeof EN]: (typeof EN)[key] }

const EN = {
  what: (kind: string, when: string | null) =>
    `${{ todo: 'What should the todo say', nudge: 'What should I remind you of', event: 'What is to be put into the calendar', lookup: 'What should I search for' }[kind]}${when === null ? '' : ` (${when})`}?`,
  whenEvent: (subject: string) =>
    `When does "${subject}" take place? Please give a date and a time, such as "Friday 3pm".`,
  timeOf: (subject: string, date: string) => `At what time on ${date} does "${subject}" start?`,
  whenNudge: (subject: string) =>
    `When should I remind you of "${subject}"? Please give a date and a time, such as "tomorrow 9am".`,
  past: (subject: string, start: string) =>
    `${start} has already passed. Which date and time should "${subject}" have? ("keep" stores it as it is.)`,
  howLong: (subject: string, start: string) =>
    `How long should I keep for "${subject}" on ${start}? I cannot call or book anything; I only put it into your calendar. ("default" is 60 minutes.)`,
  leftOver: (sentence: string) =>
    `What is "${sentence}" about? I read no name of an entry in it. Please say what it should be called.`,
  corrected: (sentence: string) =>
    `What is meant by "${sentence}"? It corrects itself. Please say what the entry should be called, and when it is.`,
  offer: (subject: string) =>
    `I cannot send mail or messages. Should I note "${subject}" as a todo, so that you can do it yourself (yes or no)?`,
  cannotSend: 'I cannot send mail or messages, so nothing was sent. I can note it as a todo: "Add a todo: …"',
  oddLength: (subject: string, words: string) =>
    `I read the length "${words}" for "${subject}", and no event lasts that long. How long is it: 1 minute to 24 hours, or up to 31 whole days?`,
  oddTime: (subject: string, words: string) =>
    `I read the time "${words}" for "${subject}", and that cannot be right. Which date and time are meant, such as "Friday 3pm"?`,
  odd: (subject: string, unit: string) =>
    `The calendar repeats only after a fixed number of days, so "${subject}" cannot repeat every ${unit}. After how many days or weeks should it repeat, or only once?`,
  conflict: (subject: string, start: string, other: string) =>
    `"${subject}" does not fit at ${start}, which overlaps ${other}. At which other time should it be?`,
  which: (subject: string, rows: string) => `Several entries match "${subject}": ${rows}. Which id do you mean?`,
  closest: (subject: string, rows: string) =>
    `Nothing matches "${subject}" exactly. Is it one of these: ${rows}? Please give its id, or "no".`,
  kindOf: (kind: 'todo' | 'event') => `${kind} `,
  whereTo: (subject: string) => `To which date and time should "${subject}" be moved? For example "Friday 3pm".`,
  unclear: (subject: string) =>
    `I do not understand "${subject}". Should it become a todo, go into the calendar (when?), be searched for, or be skipped?`,
  acting: (what: string) => `Next: ${what}`,
  asking: (what: string) => `Something is missing for: ${what}`,
  ending: (what: string) => `Nothing more to do for: ${what}`,
  notDone: (what: string, why: string) => `Not done: ${what} - ${why}`,
  doneBare: (what: string) => `Done: ${what}`,
  skipped: 'you asked me to leave it out',
  noSubject: 'it was not said what it is about',
  noTime: 'no usable date and time were given',
  badLength: (words: string) =>
    `no event lasts "${words}", so nothing was written: say a length of 1 minute to 24 hours, or of up to 31 whole days`,
  badTime: (words: string) => `there is no time "${words}", so nothing was written: say the date and the time`,
  refused: {
    change:
      'I cannot make this change, and I added nothing instead. I can give an event another date, time, length or name, a todo another due time, priority or text, and finish or delete either',
    negated: 'it says what not to do, so nothing was done for it',
    command:
      'this is a slash command, and here I take goals in plain words. Please send it to POST /commands, which runs it at once',
    all: 'I delete or change one entry at a time, so nothing was touched. Please name it, or give its id',
  } satisfies Record<RefusalReason, string>,
  series: (subject: string) =>
    `"${subject}" repeats, and a single date of it cannot be moved. I can change the time of day of the whole repetition, or delete it`,
  deleteSeries: (subject: string, date: string) =>
    `"${subject}" repeats, and ${date} alone cannot be deleted, only the whole repetition. Should all of it go (yes or no)?`,
  wholeSeries: 'It repeats, so this holds for every time.',
  noDue: (subject: string) => `the todo "${subject}" has no due time that could be moved`,
  endsBefore: 'the repetition would end before it begins',
  mayNotAct: 'too many actions failed in a row',
  stillTaken: 'the time was taken and no other free time was given',
  noMatch: (subject: string) => `nothing matches "${subject}"`,
  allDone: (subject: string) => `"${subject}" was finished before`,
  noChoice: 'it stayed open which of the matching entries was meant',
  notUnderstood: 'the built-in rules do not understand it',
  searchFailed: (query: string, why: string) => `Not done: the search for "${query}" gave nothing - ${why}`,
  found: (query: string, result: string) => `Found for "${query}":\n${result}`,
  onlyCalendar: 'Only your calendar was changed; nobody was called.',
  noReminder: 'Without a time there is no reminder.',
  asTodo: 'Without a time it could not go into the calendar, so it was noted as a todo.',
  unproven: (what: string) => `Closed, but no result of it is at hand: ${what}`,
  unable: (goal: string) =>
    `I cannot do this: "${goal}". ${namesImage(goal) ? 'I cannot see images. ' : ''}I am the built-in offline rules, not a language model. I can add, list, find, change, finish and delete todos, put things into the calendar with dates, repetitions and reminders, move or delete them there, show the calendar, and search. Set OPENAI_API_KEY to use a language model.`,
  notDoneWord: /^Not done: /u,
  notDoneMark: 'Not done: ',
  partlyMark: 'Partly done: ',
  done: 'Done:',
  open: 'Not done:',
  unread: (remark: string) => `I did not understand this remark: "${remark}"`,
  left: (count: number) => `Too much for one task: ${count} more requests were not taken up.`,
  nothing: 'Nothing is left to do.',
  expected: 'One line that says what came of it',
  /** These texts hold no word that could announce the next step. */
  working: (what: string) => `Working on: ${what}`,
  stepDone: '[Done]',
  stillOpen: 'Still open:',
  earlier: (titles: string[]) => `Done earlier in this session: ${titles.join('; ')}`,
}

const ODD_ZH: Record<string, string> = { month: '每月', year: '每年', workday: '每个工作日' }
const ZH: Words = {
  what: (kind, when) =>
    `${{ todo: '待办的内容是什么', nudge: '要提醒您做什么', event: '要放进日程的是什么事', lookup: '要搜索什么' }[kind]}${when === null ? '' : `（${when}）`}？`,
  whenEvent: (subject) => `“${subject}”在什么时候？请给出日期和时间，例如“周五下午三点”。`,
  timeOf: (subject, date) => `${date} 的“${subject}”几点开始？`,
  whenNudge: (subject) => `要在什么时候提醒您“${subject}”？请给出日期和时间，例如“明天上午九点”。`,
  past: (subject, start) => `${start} 已经过去了。“${subject}”应改到哪天几点？（回复“保留”则照原样记录。）`,
  howLong: (subject, start) =>
    `${start} 的“${subject}”要预留多长时间？我无法代您联系或预约，只能记入日程。（回复“默认”为 60 分钟。）`,
  leftOver: (sentence) => `“${sentence}”说的是什么事？我没有读到名称。请说明这条应叫什么。`,
  corrected: (sentence) => `“${sentence}”是什么意思？其中有更正。请说明这条应叫什么，以及在什么时候。`,
  offer: (subject) => `我无法发送邮件或消息。要把“${subject}”记为待办，由您自己去做吗（是或否）？`,
  cannotSend: '我无法发送邮件或消息，因此什么都没有发送。我可以把它记为待办：“添加待办：…”',
  oddLength: (subject, words) =>
    `“${subject}”的时长我读到的是“${words}”，没有日程会是这样的时长。应是多久：1 分钟到 24 小时，还是至多 31 个整天？`,
  oddTime: (subject, words) => `“${subject}”的时间我读到的是“${words}”，这不可能。是哪一天的几点，例如“周五下午三点”？`,
  odd: (subject, unit) =>
    `日程只能按固定天数重复，“${subject}”不能${ODD_ZH[unit] ?? unit}重复。要每隔几天或几周重复，还是只安排一次？`,
  conflict: (subject, start, other) => `“${subject}”在 ${start} 与 ${other} 冲突。改到什么时间？`,
  which: (subject, rows) => `有多条与“${subject}”匹配：${rows}。您指的是哪个编号？`,
  closest: (subject, rows) => `没有与“${subject}”完全匹配的条目。是其中之一吗：${rows}？请给出编号，或回复“不”。`,
  kindOf: (kind) => (kind === 'todo' ? '待办 ' : '日程 '),
  whereTo: (subject) => `“${subject}”要改到什么时候？请给出日期和时间，例如“周五下午三点”。`,
  unclear: (subject) => `我不理解“${subject}”。要作为待办、放进日程（什么时候？）、去搜索，还是跳过？`,
  acting: (what) => `下一步：${what}`,
  asking: (what) => `还缺少信息：${what}`,
  ending: (what) => `此项已无需继续：${what}`,
  notDone: (what, why) => `未完成：${what}——${why}`,
  doneBare: (what) => `已完成：${what}`,
  skipped: '您要求跳过',
  noSubject: '没有说明内容',
  noTime: '没有给出可用的日期和时间',
  badLength: (words) => `没有日程的时长是“${words}”，因此没有写入：请给出 1 分钟到 24 小时，或至多 31 个整天的时长`,
  badTime: (words) => `没有“${words}”这样的时间，因此没有写入：请给出日期和时间`,
  refused: {
    change:
      '我无法做这项修改，也没有新增任何内容。我可以修改日程的日期、时间、时长或名称，修改待办的截止时间、优先级或内容，以及完成或删除它们',
    negated: '这是说不要做的事，因此没有为它做任何事',
    command: '这是斜杠命令，而这里接收的是用日常语言写的目标。请把它发送到 POST /commands，会立即执行',
    all: '我一次只删除或修改一条，因此什么都没有动。请说明是哪一条，或给出编号',
  },
  series: (subject) => `“${subject}”是重复日程，无法只移动其中一天。我可以修改整个重复的时刻，或将它删除`,
  deleteSeries: (subject, date) =>
    `“${subject}”是重复日程，无法只删除 ${date} 这一天，只能删除整个重复。要全部删除吗（是或否）？`,
  wholeSeries: '这是重复日程，每一次都随之改变。',
  noDue: (subject) => `待办“${subject}”没有可以顺延的截止时间`,
  endsBefore: '重复的结束早于开始',
  mayNotAct: '连续失败的操作过多',
  stillTaken: '该时间已被占用，也没有给出其他空闲时间',
  noMatch: (subject) => `没有与“${subject}”匹配的条目`,
  allDone: (subject) => `“${subject}”此前已经完成`,
  noChoice: '没有确定是哪一条',
  notUnderstood: '内置规则无法理解',
  searchFailed: (query, why) => `未完成：没有搜到“${query}”——${why}`,
  found: (query, result) => `“${query}”的搜索结果：\n${result}`,
  onlyCalendar: '仅记入了您的日程，没有联系任何人。',
  noReminder: '没有时间，因此没有设提醒。',
  asTodo: '因为没有时间，无法放进日程，已记为待办。',
  unproven: (what) => `已结束，但手头没有它的结果记录：${what}`,
  unable: (goal) =>
    `我无法完成“${goal}”。${namesImage(goal) ? '我看不到图片。' : ''}我是内置的离线规则，不是语言模型。我可以添加、列出、查找、修改、完成和删除待办，安排带日期、重复和提醒的日程，改期或删除日程，查看日程，以及搜索。设置 OPENAI_API_KEY 即可使用语言模型。`,
  notDoneWord: /^未完成：/u,
  notDoneMark: '未完成：',
  partlyMark: '部分完成：',
  done: '已完成：',
  open: '未完成：',
  unread: (remark) => `这条补充我没有理解：“${remark}”`,
  left: (count) => `一次任务装不下：还有 ${count} 项请求没有处理。`,
  nothing: '没有剩余的事情。',
  expected: '用一行说明结果',
  working: (what) => `正在处理：${what}`,
  stepDone: '[完成]',
  stillOpen: '尚未处理：',
  earlier: (titles) => `此前已完成：${titles.join('；')}`,
}

const WORDS: Record<Locale, Words> = { en: EN, zh: ZH }
export const wordsOf = (locale: Locale): Words => WORDS[locale]
