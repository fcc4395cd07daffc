/** MISSION.md (S2-07, O2-09): goal, roadmap, progress, pitfalls, next steps and change log of the task, made from its state whenever it is looked at. */
import type { Fact, Locale, Recall } from '../../effect.ts'
import { briefOf, type TextDocument } from '../../mode.ts'
import { rfc3339 } from '../../text.ts'
import type { ItemStatus } from '../../view.ts'
import { instructionAt } from './command.ts'
import { reasonAt } from './failing.ts'
import { evaluationOf, reportAt, stepOf, stepsIn, titleOf } from './replies.ts'
import type { State } from './state.ts'
import { finalText, oneLine, resultOf } from './totals.ts'
import { itemStatus } from './view.ts'

export const MISSION = 'MISSION.md'

interface Words {
  title: string
  goal: string
  roadmap: string
  progress: string
  columns: string
  pitfalls: string
  next: string
  log: string
  summary: string
  nothing: string
  status: Record<ItemStatus, string>
  change(decision: string, reason: string): string
  planned(steps: number): string
  edited(author: string, steps: number): string
  answered(text: string): string
  overdue: string
}

const counted = (steps: number) => `${steps} step${steps === 1 ? '' : 's'}`

const WORDS: Record<Locale, Words> = {
  en: {
    title: 'Mission',
    goal: 'Goal',
    roadmap: 'Roadmap',
    progress: 'Progress',
    columns: '| # | Step | Status | Result |\n| --- | --- | --- | --- |',
    pitfalls: 'Pitfalls',
    next: 'Next steps',
    log: 'Change log',
    summary: 'Summary',
    nothing: 'None yet.',
    status: { pending: 'pending', running: 'running', completed: 'completed', failed: 'failed', skipped: 'skipped' },
    change: (decision, reason) => `${decision}: ${reason}`,
    planned: (steps) => `plan made: ${counted(steps)}`,
    edited: (author, steps) => `plan edited by ${author}: ${counted(steps)}`,
    answered: (text) => `answered: ${text}`,
    overdue: 'no report came in time',
  },
  zh: {
    title: '任务书',
    goal: '目标',
    roadmap: '路线图',
    progress: '进度',
    columns: '| # | 步骤 | 状态 | 结果 |\n| --- | --- | --- | --- |',
    pitfalls: '填坑记录',
    next: '下一步',
    log: '变更记录',
    summary: '总结',
    nothing: '暂无。',
    status: { pending: '待执行', running: '进行中', completed: '已完成', failed: '失败', skipped: '已跳过' },
    change: (decision, reason) => `${decision}：${reason}`,
    planned: (steps) => `制定计划：共 ${steps} 步`,
    edited: (author, steps) => `${author} 修改计划：共 ${steps} 步`,
    answered: (text) => `答复：${text}`,
    overdue: '未在期限内收到报告',
  },
}

const CELL_CHARS = 200
const PART_CHARS = 1_000

export function documentsOf(state: State, { recall }: { recall: Recall }): TextDocument[] {
  return [{ name: MISSION, content_type: 'text/markdown; charset=utf-8', text: missionOf(state, recall) }]
}

function missionOf(state: State, recall: Recall): string {
  const { goal, locale } = briefOf(recall)
  const words = WORDS[locale]
  const part = (heading: string, lines: string[]) =>
    `## ${heading}\n\n${lines.length === 0 ? words.nothing : lines.join('\n')}`
  const over = state.phase === 'ended' && state.plan.cursor === state.plan.items.length
  return `${[
    `# ${words.title}`,
    part(words.goal, [quoted(goal)]),
    part(words.roadmap, roadmap(state, recall)),
    part(words.progress, progress(state, words, recall)),
    part(
      words.pitfalls,
      state.pitfalls.map((row) => bullet(reportAt(recall, row).pitfalls ?? '', PART_CHARS)),
    ),
    part(words.next, nextSteps(state, recall)),
    part(
      words.log,
      state.log.map((row) => `- ${logLine(recall(row), row, words, recall)}`),
    ),
    ...(over ? [part(words.summary, [quoted(finalText(state, recall))])] : []),
  ].join('\n\n')}\n`
}

/** As a quotation, so that no line of it is a heading of the document. */
const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

const bullet = (text: string, chars: number) => `- ${oneLine(text, chars)}`
const cell = (text: string) => oneLine(text, CELL_CHARS).replaceAll('|', '\\|')

const roadmap = ({ plan }: State, recall: Recall): string[] =>
  plan.items.map((item, index) => {
    const { title, description } = stepOf(recall, item)
    const more = description === '' || description === title ? '' : ` — ${oneLine(description, PART_CHARS)}`
    return `${index + 1}. ${oneLine(title, PART_CHARS)}${more}`
  })

function progress(state: State, words: Words, recall: Recall): string[] {
  const rows = state.plan.items.map((item, index) => {
    const status = words.status[itemStatus(state, index)]
    return `| ${index + 1} | ${cell(titleOf(recall, item))} | ${status} | ${cell(resultOf(state, index, recall) ?? '')} |`
  })
  return rows.length === 0 ? [] : [words.columns, ...rows]
}

/** What the latest report suggests, and the steps that are left. */
function nextSteps({ plan, step }: State, recall: Recall): string[] {
  const suggested = step.report === null ? null : reportAt(recall, step.report).next_steps
  const left = plan.items.slice(plan.cursor).map((item) => bullet(titleOf(recall, item), PART_CHARS))
  return suggested === null ? left : [bullet(suggested, PART_CHARS), ...left]
}

function logLine({ at, event, effect }: Fact, row: number, words: Words, recall: Recall): string {
  return `${rfc3339(at)} ${changeOf()}`

  function changeOf(): string {
    switch (event.kind) {
      case 'plan_edited':
        return words.edited(event.author, event.items.length)
      case 'user_answered':
        return words.answered(oneLine(instructionAt(recall, row), CELL_CHARS))
      case 'report_expired':
        return words.overdue
      default: {
        if (effect?.phase === 'plan') return words.planned(stepsIn(recall, row).length)
        const { decision } = evaluationOf(recall, row)
        return words.change(decision, oneLine(reasonAt(recall, row), CELL_CHARS))
      }
    }
  }
}
