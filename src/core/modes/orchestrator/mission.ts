/**
 * The documents of a task: MISSION.md (S2-07, O2-09) with goal, roadmap, progress, pitfalls, next steps and change log, and its
 * reports. They are derived from the state on every read.
 */
import type { Fact, Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import type { Head } from '../../terms/head.ts'
import { ITEM_ENDINGS } from '../../mode/endings.ts'
import { briefOf, type TextDocument } from '../../mode/mode.ts'
import { rfc3339 } from '../../terms/text.ts'
import { questionOf } from './asks.ts'
import { quote, reportedItemId, reportText } from './known.ts'
import { titlesOf } from '../plan/items.ts'
import { evaluationOf, instructionAt, reasonAt, reportAt, stepOf, STEPS, stepsIn } from './replies.ts'
import { openAsk, type OrchestratorState } from './state.ts'
import { finalText, oneLine, resultOf } from './totals.ts'
import { statusOf } from './view.ts'

const MISSION = 'MISSION.md'
const MARKDOWN = 'text/markdown; charset=utf-8'

const stepCount = (steps: number) => `${steps} step${steps === 1 ? '' : 's'}`

const EN = {
  title: 'Mission',
  goal: 'Goal',
  roadmap: 'Roadmap',
  progress: 'Progress',
  columns: '| # | Step | Status | Result |\n| --- | --- | --- | --- |',
  pitfalls: 'Pitfalls',
  next: 'Next steps',
  log: 'Change log',
  summary: 'Summary',
  ended: 'End',
  endedAs: (status: string, reason: string) => `The task is ${status} (${reason.replaceAll('_', ' ')}).`,
  asks: 'A person is asked',
  nothing: 'None.',
  status: { pending: 'pending', running: 'running', completed: 'completed', failed: 'failed', skipped: 'skipped' },
  change: (decision: string, reason: string) => `${decision}: ${reason}`,
  planned: (steps: number) => `plan made: ${stepCount(steps)}`,
  edited: (author: string, steps: number) => `plan edited by ${author}: ${stepCount(steps)}`,
  answered: (text: string) => `answered: ${text}`,
  overdue: 'no report came in time',
}
type Words = typeof EN

const ZH: Words = {
  title: '任务书',
  goal: '目标',
  roadmap: '路线图',
  progress: '进度',
  columns: '| # | 步骤 | 状态 | 结果 |\n| --- | --- | --- | --- |',
  pitfalls: '填坑记录',
  next: '下一步',
  log: '变更记录',
  summary: '总结',
  ended: '结束',
  endedAs: (status, reason) => `任务状态：${status}（${reason}）。`,
  asks: '等待人工答复',
  nothing: '无。',
  status: { pending: '待执行', running: '进行中', completed: '已完成', failed: '失败', skipped: '已跳过' },
  change: (decision, reason) => `${decision}：${reason}`,
  planned: (steps) => `制定计划：共 ${steps} 步`,
  edited: (author, steps) => `${author} 修改计划：共 ${steps} 步`,
  answered: (text) => `答复：${text}`,
  overdue: '未在期限内收到报告',
}

const WORDS: Record<Locale, Words> = { en: EN, zh: ZH }

const CELL_CHARS = 200
const PART_CHARS = 1_000

export function missionDocuments(state: OrchestratorState, { recall, end }: MissionContext): TextDocument[] {
  const mission = { name: MISSION, content_type: MARKDOWN, text: missionOf(state, recall, end) }
  return [mission, ...reportDocuments(state, recall)]
}

/** Characters of one file, because all files are made anew on every read. `GET /delegations/…` has the whole report. */
const FILE_CHARS = 50_000

/** The reports of the task: `report-1.md`, `report-2.md`, …, the newest of them. */
function reportDocuments({ reports, report_count }: OrchestratorState, recall: Recall): TextDocument[] {
  const { locale } = briefOf(recall)
  const first = report_count - reports.length + 1
  return reports.map((row, index) => {
    const report = reportAt(recall, row)
    const front = [
      `step: ${reportedItemId(recall, row) ?? ''}`,
      `status: ${report.status}`,
      ...(report.session_id === null ? [] : [`session_id: ${JSON.stringify(report.session_id)}`]),
      `reported_at: ${rfc3339(recall(row).at)}`,
    ]
    return {
      name: `report-${first + index}.md`,
      content_type: MARKDOWN,
      text: `---\n${front.join('\n')}\n---\n\n${reportText(report, locale, FILE_CHARS)}\n`,
    }
  })
}

type MissionContext = { recall: Recall; end: Head['end'] }

function missionOf(state: OrchestratorState, recall: Recall, end: Head['end']): string {
  const { goal, locale } = briefOf(recall)
  const words = WORDS[locale]
  const part = (heading: string, lines: string[]) =>
    `## ${heading}\n\n${lines.length === 0 ? words.nothing : lines.join('\n')}`
  const isOver = state.phase === 'ended' && state.plan.cursor === state.plan.items.length
  return `${[
    `# ${words.title}`,
    part(words.goal, [quote(goal)]),
    part(words.roadmap, roadmap(state, recall)),
    part(words.progress, progress(state, words, recall, end)),
    part(
      words.pitfalls,
      state.pitfalls.flatMap((row) => points(reportAt(recall, row).pitfalls ?? '')),
    ),
    part(words.next, end === null ? nextSteps(state, words, recall) : []),
    part(
      words.log,
      state.log.map((row) => `- ${logLine(recall(row), row, words, recall)}`),
    ),
    ...(isOver ? [part(words.summary, [quote(finalText(state, recall))])] : []),
    ...(end === null || isOver ? [] : [part(words.ended, [words.endedAs(end.status, end.reason)])]),
  ].join('\n\n')}\n`
}

const bullet = (text: string, chars: number) => `- ${oneLine(text, chars)}`
const cell = (text: string) => oneLine(text, CELL_CHARS).replaceAll('|', '\\|')

const roadmap = ({ plan }: OrchestratorState, recall: Recall): string[] =>
  plan.items.map((item, index) => {
    const { title, description } = stepOf(recall, plan, item)
    const suffix = description === '' || description === title ? '' : ` — ${oneLine(description, PART_CHARS)}`
    return `${index + 1}. ${oneLine(title, PART_CHARS)}${suffix}`
  })

function progress(state: OrchestratorState, words: Words, recall: Recall, end: Head['end']): string[] {
  const ending = end === null ? null : ITEM_ENDINGS[end.status]
  const rows = titlesOf(STEPS, state.plan, recall).map((title, index) => {
    const status = words.status[statusOf(state, index, ending)]
    return `| ${index + 1} | ${cell(title)} | ${status} | ${cell(resultOf(state, index, recall) ?? '')} |`
  })
  return rows.length === 0 ? [] : [words.columns, ...rows]
}

/** The open question, the suggestions of the latest report, and the steps that are left. */
function nextSteps(state: OrchestratorState, words: Words, recall: Recall): string[] {
  const { plan, step } = state
  const ask = openAsk(state)
  const question = ask === null ? [] : [bullet(`${words.asks}: ${questionOf(ask, plan.replans, recall)}`, PART_CHARS)]
  const suggestions = step.report === null ? [] : points(reportAt(recall, step.report).next_steps ?? '')
  return [
    ...question,
    ...suggestions,
    ...titlesOf(STEPS, plan, recall)
      .slice(plan.cursor)
      .map((title) => bullet(title, PART_CHARS)),
  ]
}

const MARK = /^\s*(?:[-*+•]|\d+[.)、])\s+/
const NOTHING = /^(?:none|nothing|n\/a|no|无|暂无|没有)[.。]?$/i

/** The lines of a part of a report as points. Lines such as "none" are left out. */
const points = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(MARK, '').trim())
    .filter((line) => line !== '' && !NOTHING.test(line))
    .slice(0, POINTS_MAX)
    .map((line) => bullet(line, PART_CHARS))
const POINTS_MAX = 20

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
