/** The shapes of the functions that answer a task's questions and do its upkeep, by their kinds. */
import type {
  QueryAnswer,
  QueryKind,
  TaskQuery,
  TaskUpkeep,
  UpkeepAnswer,
  UpkeepKind,
} from '../../core/replay/stored-task.ts'

export type QueryHandlers<K extends QueryKind> = { [Kind in K]: (query: TaskQuery<Kind>) => QueryAnswer<Kind> }
export type UpkeepHandlers<K extends UpkeepKind> = { [Kind in K]: (upkeep: TaskUpkeep<Kind>) => UpkeepAnswer<Kind> }
