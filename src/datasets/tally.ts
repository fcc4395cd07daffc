/** Counts the cells of one column while they are read. Distinct texts are kept only while there is room. */
import { isMissingCell, ownText } from './cells/text.ts'
import {
  DATES,
  DAY_FIRST,
  isoDateOf,
  LOCAL_DATE,
  MONTH,
  MONTH_FIRST,
  ZONED_DATE,
  type DateOrder,
} from './cells/dates.ts'
import { COMMA, DOT, DOT_WHOLE, EVERY, formBits, NO_COMMA, cellNumber, SIGNS } from './cells/forms.ts'
import type { DecimalMark } from './cells/column-kind.ts'

/** The bounds of distinct texts: their number in one column, and their bytes in all columns together. */
const WORDS_MAX = 100_000
const ROOM_BYTES = 32 * 1_048_576
/** The bytes that a text takes besides its characters, including its place in a map. */
const WORD_BYTES = 72
export const wordBytes = (word: string): number => WORD_BYTES + 2 * word.length

interface Room {
  left: number
}
export const newTallyRoom = (): Room => ({ left: ROOM_BYTES })

interface Numbers {
  min: number
  max: number
  /** null: their sum is larger than a number can hold. */
  mean: number | null
}
export interface ColumnTally {
  add(text: string): void
  /** Counts the cells that are not missing. */
  count(): number
  forms(): number
  /** The distinct texts in the order of their first cells; `isWhole` says whether they are all. */
  words(): string[]
  isWhole(): boolean
  numbers(style: DecimalMark): Numbers
  dates(order: DateOrder): [string, string]
}

const MISSING = -1
/** The forms of numbers that mean the same with both decimal marks. */
const SAME = DOT | DOT_WHOLE | NO_COMMA
const ORDERS: [DateOrder, number][] = [
  ['year', LOCAL_DATE | ZONED_DATE],
  ['month_only', MONTH],
  ['day', DAY_FIRST],
  ['month', MONTH_FIRST],
]

export function newTally(room: Room): ColumnTally {
  /** The forms of each known text. */
  const known = new Map<string, number>()
  const figures = { dot: newFigures(), comma: newFigures() }
  const ranges = new Map<DateOrder, [string, string]>()
  let [count, forms, missing_words] = [0, EVERY, 0]
  let whole = true

  const learn = (text: string): number => {
    const trimmed = text.trim()
    const found = isMissingCell(trimmed) ? MISSING : formBits(trimmed)
    if (found !== MISSING) forms &= found
    if (found !== MISSING && (forms & DATES) !== 0) widen(ranges, forms, trimmed)
    const bytes = wordBytes(text)
    if (whole && known.size < WORDS_MAX && bytes <= room.left) {
      known.set(ownText(text), found)
      room.left -= bytes
      if (found === MISSING) missing_words += 1
    } else if (found !== MISSING) whole = false
    return found
  }
  const addNumber = (text: string, found: number) => {
    const dot = (forms & DOT) === 0 ? null : cellNumber(text, 'dot')
    if (dot !== null) figures.dot.add(dot)
    if ((forms & COMMA) === 0) return
    figures.comma.add(dot !== null && (found & SAME) === SAME ? dot : cellNumber(text, 'comma'))
  }
  return {
    add(text) {
      if (text === '') return
      // Where most texts are distinct, reading each text again is cheaper than searching for it.
      const found = (whole ? known.get(text) : undefined) ?? learn(text)
      if (found === MISSING) return
      count += 1
      if ((forms & SIGNS) !== 0 && (forms & (DOT | COMMA)) !== 0) addNumber(text, found)
    },
    count: () => count,
    forms: () => forms,
    words: () => {
      const words = [...known.keys()]
      return missing_words === 0 ? words : words.filter((word) => known.get(word) !== MISSING)
    },
    isWhole: () => whole,
    numbers: (style) => figures[style].numbers(count),
    dates: (order) => ranges.get(order) ?? ['', ''],
  }
}

/** Widens the range in every date order that the column may still have. */
function widen(ranges: Map<DateOrder, [string, string]>, forms: number, text: string): void {
  for (const [order, bits] of ORDERS) {
    if ((forms & bits) === 0) continue
    const date = isoDateOf(text, order)
    const range = ranges.get(order)
    if (range === undefined) ranges.set(order, [date, date])
    else if (date < range[0]) range[0] = date
    else if (date > range[1]) range[1] = date
  }
}

function newFigures() {
  let [min, max, sum, rest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0]
  return {
    add(value: number): void {
      if (value < min) min = value
      if (value > max) max = value
      // Neumaier's summation keeps what each addition loses, so that a mean over a million rows is as exact as one over ten.
      const next = sum + value
      rest += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
      sum = next
    },
    numbers(count: number): Numbers {
      const mean = (sum + rest) / count
      return { min, max, mean: Number.isFinite(mean) ? mean : null }
    },
  }
}
