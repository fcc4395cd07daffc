/**
 * The two ids of a command: the delegation id, which names its task and row, and the command id in its file (S2-12). Both
 * are computed from task and row, so they never change.
 */
import { fingerprint } from './values/hash.ts'

const TASK = 'task_'
const DELEGATION = 'delegation_'

export const delegationId = (task: string, seq: number) => `${DELEGATION}${task.slice(TASK.length)}_${seq}`

/** The range of texts that holds all delegation ids of a task. A backtick is the character after the underscore. */
export function delegationIdRange(task: string): { from: string; below: string } {
  const name = `${DELEGATION}${task.slice(TASK.length)}`
  return { from: `${name}_`, below: `${name}\`` }
}

const ID = /^delegation_([A-Za-z0-9_-]{1,64})_([1-9]\d{0,9})$/

/** The task and row that a delegation id names. null: it is not an id of this service. */
export function parseDelegationId(id: string): { task: string; seq: number } | null {
  const [, task, seq] = ID.exec(id) ?? []
  return task === undefined ? null : { task: `${TASK}${task}`, seq: Number(seq) }
}

/** `task-<uuid>`: a version 8 UUID that is computed from task and row. */
export function commandId(task: string, seq: number): string {
  const hex = fingerprint(`${task}:${seq}`) + fingerprint(`${seq}:${task}`)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`]
  return `task-${[...parts, hex.slice(20)].join('-')}`
}
