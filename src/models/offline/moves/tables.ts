/** Reads the tables in the answers of commands as entries. */
export interface EntryRow {
  kind: 'todo' | 'event'
  id: number
  text: string
  done: boolean
  /** `YYYY-MM-DD HH:MM`: the shown starts of an event, or the due time of a todo. */
  times: string[]
  /** `YYYY-MM-DD HH:MM` or null. */
  remind: string | null
  /** Only for events: the minutes between repetitions, null when it happens once; and how often, null without end. */
  interval: number | null
  count: number | null
  remindStart: string | null
  /** Whether its repetition is switched off. */
  off: boolean
}

/** A shown time without its weekday. */
const plainTime = (cell: string) => cell.replace(/^\S+ (?=\d{4}-)/u, '')

const orNull = (cell: string | undefined) => (cell === undefined || cell === '-' || cell === '' ? null : cell)
const timeOrNull = (cell: string | undefined) => {
  const time = orNull(cell)
  return time === null ? null : plainTime(time)
}
const numberOrNull = (cell: string | undefined) => (/^\d+$/u.test(cell ?? '') ? Number(cell) : null)

function cellsOf(line: string): string[] | null {
  if (!/^\|.*\|\s*$/u.test(line)) return null
  const cells = line
    .split('|')
    .map((cell) => cell.trim())
    .slice(1, -1)
  return /^\d+$/u.test(cells[0] ?? '') ? cells : null
}

/** What a todo has nothing of. */
const NO_REPEAT = { interval: null, count: null, remindStart: null, off: false }

function todoRow([id, state = '', , , text, , , due, remind]: string[]): EntryRow | null {
  if (text === undefined) return null
  const done = /^(?:done|完成|已完成)$/iu.test(state)
  const times = [timeOrNull(due)].filter((time) => time !== null)
  return { kind: 'todo', id: Number(id), text, done, times, remind: timeOrNull(remind), ...NO_REPEAT }
}

function eventRow([id, start = '', , text, remind, remindStart, interval, count, repeat]: string[]): EntryRow | null {
  const time = plainTime(start)
  if (text === undefined || !/^\d{4}-\d\d-\d\d \d\d:\d\d$/u.test(time)) return null
  return {
    kind: 'event',
    id: Number(id),
    text,
    done: false,
    times: [time],
    remind: timeOrNull(remind),
    interval: numberOrNull(interval),
    count: numberOrNull(count),
    remindStart: timeOrNull(remindStart),
    off: repeat === 'off',
  }
}

/** The entries of a table: each id once, with the times of all its rows. */
export function readEntries(kind: EntryRow['kind'], table: string): EntryRow[] {
  const byId = new Map<number, EntryRow>()
  for (const line of table.split('\n')) {
    const cells = cellsOf(line)
    const row = cells === null ? null : kind === 'todo' ? todoRow(cells) : eventRow(cells)
    const known = row && byId.get(row.id)
    if (known && row) known.times.push(...row.times)
    else if (row) byId.set(row.id, row)
  }
  return [...byId.values()]
}

/** Whether rows are missing at the end of a table; then the only match in it may not be the only one. */
export const isCut = (table: string) => table.includes('|') && !table.trimEnd().endsWith('|')
