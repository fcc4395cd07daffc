/** The names of a command: of the delegation, which leads to its task and row, and the id in its file (S2-12). Derived, so a row has them for good. */
import { fingerprint } from './values/hash.ts'

const TASK = 'task_'
const DELEGATION = 'delegation_'

export const delegationId = (task: string, seq: number) => `${DELEGATION}${task.slice(TASK.length)}_${seq}`

/** All names of a task's delegations are in this range of texts: a backtick is the character behind the underscore. */
export function delegationNames(task: string): { from: string; below: string } {
  const name = `${DELEGATION}${task.slice(TASK.length)}`
  return { from: `${name}_`, below: `${name}\`` }
}

const ID = /^delegation_([A-Za-z0-9_-]{1,64})_([1-9]\d{0,9})$/

/** Which row of which task an id names; null: it is none of ours. */
export function delegationRef(id: string): { task: string; seq: number } | null {
  const [, task, seq] = ID.exec(id) ?? []
  return task === undefined ? null : { task: `${TASK}${task}`, seq: Number(seq) }
}

/** `task-<uuid>`: version 8, made from the names of task and row. */
export function commandId(task: string, seq: number): string {
  const hex = fingerprint(`${task}:${seq}`) + fingerprint(`${seq}:${task}`)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`]
  return `task-${[...parts, hex.slice(20)].join('-')}`
}
