/**
 * The status of a task, an item, a delegation or a schedule, and whether the goal of a task that has ended was reached. Word, colour and sign say the same,
 * so a reader needs only one of them.
 */
import type { Outcome } from '../api/wire.ts'
import { useWords, wordTable } from '../state/preferences.tsx'
import './status.css'

type Kind = 'going' | 'good' | 'bad' | 'wait' | 'held' | 'still'
const KINDS: Record<string, Kind> = {
  queued: 'still',
  running: 'going',
  input_required: 'wait',
  waiting_external: 'wait',
  paused: 'held',
  completed: 'good',
  failed: 'bad',
  canceled: 'still',
  pending: 'still',
  skipped: 'still',
  claimed: 'going',
  reported: 'good',
  expired: 'bad',
  delivered: 'good',
  gone: 'bad',
  active: 'good',
  created: 'good',
  missed: 'bad',
  refused: 'bad',
}
const SIGNS: Record<Kind, string> = { going: '▸', good: '✓', bad: '✕', wait: '?', held: '‖', still: '·' }
const WORDS = wordTable<Record<string, string>>({
  queued: ['queued', '排队中'],
  running: ['running', '进行中'],
  input_required: ['needs an answer', '等待回答'],
  waiting_external: ['waiting for a worker', '等待外部执行'],
  paused: ['paused', '已暂停'],
  completed: ['completed', '已完成'],
  failed: ['failed', '失败'],
  canceled: ['canceled', '已取消'],
  pending: ['pending', '待处理'],
  skipped: ['skipped', '已跳过'],
  claimed: ['claimed', '已认领'],
  reported: ['reported', '已报告'],
  expired: ['expired', '已过期'],
  delivered: ['delivered', '已送达'],
  gone: ['not wanted', '对方不再接收'],
  active: ['active', '启用中'],
  created: ['created', '已创建'],
  missed: ['missed', '已错过'],
  refused: ['refused', '被拒绝'],
})

export function StatusMark({ of }: { of: string }) {
  const kind = KINDS[of] ?? 'still'
  return (
    <span class={`status ${kind}`}>
      <span aria-hidden="true">{SIGNS[kind]}</span> {useStatusWord()(of)}
    </span>
  )
}

/** Returns the word alone, for lists of choices. */
export function useStatusWord(): (status: string) => string {
  const words = useWords(WORDS)
  return (status) => words[status] ?? status
}

const OUTCOME_KINDS: Record<Outcome, Kind> = { done: 'good', partial: 'wait', not_done: 'bad' }
const OUTCOME_SIGNS: Record<Outcome, string> = { done: '✓', partial: '◐', not_done: '✕' }
const OUTCOME_WORDS = wordTable<Record<Outcome, string>>({
  done: ['goal reached', '目标已达成'],
  partial: ['goal reached in part', '目标部分达成'],
  not_done: ['goal not reached', '目标未达成'],
})

export function OutcomeMark({ of }: { of: Outcome }) {
  return (
    <span class={`status ${OUTCOME_KINDS[of]}`}>
      <span aria-hidden="true">{OUTCOME_SIGNS[of]}</span> {useOutcomeWord()(of)}
    </span>
  )
}

/** Returns the word alone, for lists of choices. */
export function useOutcomeWord(): (outcome: Outcome) => string {
  const words = useWords(OUTCOME_WORDS)
  return (outcome) => words[outcome]
}
