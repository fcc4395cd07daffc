/**
 * Dice that are a function of what they are thrown for: whoever asks again after a kill is told the same. Every todo, query, ring and
 * file of the run is named after the row that decided on it.
 */
import type { ModeName } from '../../../src/core/terms/mode-names.ts'

/** The place of a call in the run: `cf-aig-metadata` as it was sent. */
export interface Spot {
  task: string
  mode: ModeName
  phase: string
  seq: number
}

/** Murmur's finalizer over FNV-1a: FNV alone gives texts that differ in their last character neighbouring numbers. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
export const roll = (sides: number, ...parts: (string | number)[]) => hashOf(parts.join(' ')) % sides
export const nameOf = ({ task, seq }: Spot) => hashOf(`${task} ${seq}`).toString(16).padStart(8, '0')

/** What an act leaves in the world; `call` is its place in the reply. */
export const markOf = ({ task, seq }: Pick<Spot, 'task' | 'seq'>, call: number) =>
  `chaos ${task} row ${seq} call ${call}`
const MARK = /chaos (task_[\w-]+) row (\d+) call \d+/

/** The mark in a text, and the task to which it belongs. */
export function markIn(text: string): { mark: string; task: string; seq: number } | null {
  const [mark, task, seq] = MARK.exec(text) ?? []
  return mark === undefined || task === undefined ? null : { mark, task, seq: Number(seq) }
}

/** The row after which the script ends a task. */
export const isOver = ({ task, seq }: Spot) => seq > 10 + roll(30, task, 'length')
