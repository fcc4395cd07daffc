/** Chooses the analyses: first what the goal names, then what the columns allow; never one that makes no sense for them. */
import type { Analysis } from './analysis.ts'
import { cutOff, periodLengthOf } from './periods.ts'
import {
  CATEGORY_VALUES_MAX,
  categoriesOf,
  datesOf,
  howOf,
  isGrouping,
  isMeasurable,
  measuresOf,
  textColumns,
  yearsOf,
  type ProfileColumn,
  type How,
  type Profile,
} from './profile.ts'
import { wishesIn, readWish, type AnalysisKind, type Wish } from './wishes.ts'

const ANALYSES_MAX = 5
const ANALYSES = 3

/** Plans three analyses, or as many as the goal names. */
export function planAnalyses(profile: Profile, goal: string): Analysis[] {
  const wish = readWish(goal, profile)
  const wanted = distinct(wantedBy(profile, goal)).slice(0, ANALYSES_MAX)
  const rest = DEFAULT_KINDS.flatMap((kind) => analysesOf(profile, kind, wish))
  const all = distinct([...wanted, ...rest, ...spareAnalyses(profile, wish)])
  return all.slice(0, Math.max(ANALYSES, wanted.length))
}

/** The analyses that a remark or a title asks for. Empty: the rules cannot read it, or the columns do not allow it. */
export function analysesFor(profile: Profile, text: string): Analysis[] {
  return distinct(wantedBy(profile, text)).slice(0, ANALYSES_MAX)
}

/** The default kinds in the order of an analyst: course, comparison, distribution. */
const DEFAULT_KINDS: AnalysisKind[] = ['trend', 'compare', 'distribution']

function wantedBy(profile: Profile, text: string): Analysis[] {
  const whole = readWish(text, profile)
  const grouped = groupsIn(whole).length > 0
  if (whole.kinds.length === 0 && !grouped) return named(whole).flatMap((kind) => analysesOf(profile, kind, whole))
  const measure = whole.columns.filter(({ column }) => isMeasurable(column)).slice(0, 1)
  return wishesIn(text, profile).flatMap((clause) => {
    const groups = groupsIn(clause)
    const own = clause.columns.some(({ column }) => isMeasurable(column) && !groups.includes(column))
    // A part that names no column takes what the text named first.
    const wish = {
      ...clause,
      unit: clause.unit ?? whole.unit,
      columns: own ? clause.columns : [...clause.columns, ...measure],
    }
    const kinds = clause.kinds.filter((kind) => kind !== 'compare' || groups.length > 0 || !grouped)
    if (groups.length > 0 && !kinds.includes('compare')) kinds.push('compare')
    return kinds.flatMap((kind) => analysesOf(profile, kind, wish))
  })

  /** The analyses of a column that is named alone depend on its type. */
  function named({ columns: [first] }: Wish): AnalysisKind[] {
    if (first === undefined) return []
    if (first.column.dtype === 'date') return ['trend']
    if (!isMeasurable(first.column)) return ['compare']
    return timesOf(profile).length > 0 ? ['trend', 'distribution'] : ['distribution']
  }
}

/** The columns that group the rows; `products by quantity` means the products. */
function groupsIn({ columns }: Wish): ProfileColumn[] {
  const words = columns.filter(
    ({ column }) => isGrouping(column) && (column.dtype === 'text' || column.dtype === 'boolean'),
  )
  const numbers = columns.filter(({ column, by }) => by && isGrouping(column))
  return (words.length > 0 ? words : numbers).map(({ column }) => column)
}

function measuresIn(profile: Profile, wish: Wish): ProfileColumn[] {
  const groups = groupsIn(wish)
  const named = wish.columns.map(({ column }) => column).filter((one) => isMeasurable(one) && !groups.includes(one))
  return named.length > 0 ? named : measuresOf(profile).slice(0, 1)
}

interface Measurement {
  measure: string | null
  how: How
}
const ROWS: Measurement = { measure: null, how: 'count' }
const measurementOf = (column: ProfileColumn, { how }: Wish): Measurement =>
  how === 'count' ? ROWS : { measure: column.name, how: how ?? howOf(column) }

/** Without a number column rows are counted. */
function measurementsFor(profile: Profile, wish: Wish): Measurement[] {
  const measures = measuresIn(profile, wish)
  const all = measures.length === 0 ? [ROWS] : measures.slice(0, 2).map((column) => measurementOf(column, wish))
  return all.filter((one, at) => all.findIndex((other) => other.measure === one.measure) === at)
}

function analysesOf(profile: Profile, kind: AnalysisKind, wish: Wish): Analysis[] {
  switch (kind) {
    case 'trend':
      return trends(profile, wish)
    case 'compare':
      return comparisons(profile, wish)
    case 'distribution':
      return measuresIn(profile, wish)
        .slice(0, 2)
        .map(({ name }) => ({ kind, column: name, of: 'values' }))
    case 'relation':
      return relations(profile, wish)
    case 'top':
      return measuresIn(profile, wish)
        .slice(0, 1)
        .map(({ name }) => ({ kind, measure: name, by: textColumns(profile).at(-1)?.name ?? null }))
    case 'weekdays':
      return weekdays(profile, wish)
    case 'missing':
      return profile.rows === 0 ? [] : [{ kind }]
  }
}

const timesOf = (profile: Profile): ProfileColumn[] => [
  ...datesOf(profile).filter((column) => periodLengthOf(column, null) !== null),
  ...yearsOf(profile),
]

const named = (columns: readonly ProfileColumn[], wish: Wish): ProfileColumn | undefined =>
  columns.find((one) => wish.columns.some(({ column }) => column === one)) ?? columns[0]

function trends(profile: Profile, wish: Wish): Analysis[] {
  const column = named(timesOf(profile), wish)
  if (column === undefined) return []
  const unit = column.dtype === 'date' ? periodLengthOf(column, wish.unit) : null
  const cut_off = unit === null ? { first: false, last: false } : cutOff(column, unit)
  return measurementsFor(profile, wish).map((one) => ({ kind: 'trend', date: column.name, unit, cut_off, ...one }))
}

function comparisons(profile: Profile, wish: Wish): Analysis[] {
  const groups = groupsIn(wish)
  const columns = groups.length > 0 ? groups : categoriesOf(profile).slice(0, 1)
  const [first = ROWS, ...more] = measurementsFor(profile, wish)
  const compared = (column: ProfileColumn, one: Measurement): Analysis => ({
    kind: 'compare',
    category: column.name,
    ...one,
  })
  return [
    ...columns.map((column) => compared(column, first)),
    ...columns.slice(0, 1).flatMap((column) => more.map((one) => compared(column, one))),
  ]
}

function relations(profile: Profile, wish: Wish): Analysis[] {
  const measures = measuresOf(profile)
  const wanted = measuresIn(profile, wish)
  const [x, y] = [...wanted, ...measures.filter((one) => !wanted.includes(one))]
  return x === undefined || y === undefined ? [] : [{ kind: 'relation', x: x.name, y: y.name }]
}

/** Fewer days say nothing about weekdays. */
const DAYS_FOR_WEEKDAYS = 14

function weekdays(profile: Profile, wish: Wish): Analysis[] {
  const column = named(datesOf(profile), wish)
  if (column === undefined || column.unique < DAYS_FOR_WEEKDAYS) return []
  return measurementsFor(profile, wish)
    .slice(0, 1)
    .map((one) => ({ kind: 'weekdays', date: column.name, ...one }))
}

/** The replacements for a kind of column that is missing, the more informative first. */
function spareAnalyses(profile: Profile, wish: Wish): Analysis[] {
  const [first = ROWS] = measurementsFor(profile, wish)
  const measures = measuresOf(profile)
  const counts = textColumns(profile).filter(({ unique, present }) => unique > 1 && unique < present)
  const others = categoriesOf(profile).map(({ name }): Analysis => ({ kind: 'compare', category: name, ...first }))
  return [
    ...others.slice(0, 2),
    ...relations(profile, wish),
    ...measures.slice(0, 2).map(({ name }): Analysis => ({ kind: 'distribution', column: name, of: 'values' })),
    ...(measures.length === 0 ? weekdays(profile, wish) : []),
    ...counts.slice(0, 2).map(({ name }): Analysis => ({ kind: 'compare', category: name, ...ROWS })),
    ...analysesOf(profile, 'top', wish),
    ...(measures.length === 0 ? lengths(profile) : []),
    ...analysesOf(profile, 'missing', wish),
  ]
}

/** The lengths of group names say nothing. */
const lengths = (profile: Profile): Analysis[] =>
  textColumns(profile)
    .filter(({ dtype, unique }) => dtype === 'text' && unique > CATEGORY_VALUES_MAX)
    .slice(-1)
    .map(({ name }) => ({ kind: 'distribution', column: name, of: 'lengths' }))

function distinct(all: readonly Analysis[]): Analysis[] {
  const seen = new Set<string>()
  return all.filter((one) => {
    const key = JSON.stringify(one)
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}
