/** The shapes of the functions that answer a task's queries and do its upkeep, by their kinds. */
import type { ObjectContext } from '../../core/protocol/advance.ts'
import type {
  QueryAnswer,
  QueryKind,
  TaskQuery,
  TaskUpkeep,
  UpkeepAnswer,
  UpkeepKind,
} from '../../core/replay/stored-task.ts'
import type { Rows } from './rows/rows.ts'

/** The task that is asked: its rows, and a function that gives the clock, the process and the prices of its object. */
export interface TaskTarget {
  rows: Rows
  context: () => ObjectContext
}
export type QueryHandlers<K extends QueryKind> = {
  [Kind in K]: (target: TaskTarget, query: TaskQuery<Kind>) => QueryAnswer<Kind>
}
export type UpkeepHandlers<K extends UpkeepKind> = {
  [Kind in K]: (target: TaskTarget, upkeep: TaskUpkeep<Kind>) => UpkeepAnswer<Kind>
}
