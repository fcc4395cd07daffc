/** The usage of a tenant and its receiver of spans, in memory. A row counts once, as in SQL. */
import type { ReceiverFailure, StoredReceiver } from '../../../src/core/workspace/telemetry.ts'
import {
  addUsage,
  mergeSums,
  NO_USAGE,
  sumRows,
  type UsageGroup,
  type UsageSum,
} from '../../../src/core/terms/values/usage-sums.ts'
import type { MemoryCommands, MemoryQueries } from './memory-handlers.ts'

type Row = Required<UsageSum>

const pick = (row: Row, group_by: readonly UsageGroup[]): Partial<Row> =>
  Object.fromEntries(group_by.map((name) => [name, row[name]]))

export function memoryUsage(isKnown: (task: string) => boolean, now: () => number) {
  const counted = new Map<string, number>()
  const rows: Row[] = []
  let receiver: StoredReceiver | null = null
  let failure: ReceiverFailure | null = null
  const commands: MemoryCommands<'count_usage' | 'put_receiver' | 'note_receiver_failure'> = {
    count_usage({ task, incarnation, mode, key, rows: told }) {
      const name = JSON.stringify([task, incarnation])
      const after = counted.get(name) ?? 0
      const fresh = isKnown(task) ? told.filter(({ seq }) => seq > after) : []
      counted.set(name, fresh.at(-1)?.seq ?? after)
      for (const sum of sumRows(fresh)) rows.push({ key, mode, ...sum })
    },
    put_receiver({ receiver: put }) {
      receiver = put === null ? null : { ...put, updated: now() }
      failure = null
      return receiver
    },
    note_receiver_failure: ({ detail }) => void (failure = receiver === null ? null : { at: now(), detail }),
  }
  const queries: MemoryQueries<'usage' | 'receiver' | 'receiver_failure'> = {
    usage({ from, to, group_by, limit }) {
      const within = rows.filter(({ day }) => day >= from && day <= to)
      const sums = within.map((row) => ({ ...pick(row, group_by), ...addUsage(NO_USAGE, row) }))
      return mergeSums(group_by.length === 0 ? [NO_USAGE, ...sums] : sums, group_by, limit)
    },
    receiver: () => receiver,
    receiver_failure: () => failure,
  }
  return { commands, queries }
}
