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
import {
  analysisRequestsIn,
  readAnalysisRequest,
  type AnalysisKind,
  type AnalysisRequest,
} from './analysis-requests.ts'

const ANALYSES_MAX = 5
const ANALYSES = 3

/** Plans three analyses, or as many as the goal names. */
export function planAnalyses(profile: Profile, goal: string): Analysis[] {
  const request = readAnalysisRequest(goal, profile)
  const requested = distinct(wantedBy(profile, goal)).slice(0, ANALYSES_MAX)
  const rest = DEFAULT_KINDS.flatMap((kind) => analysesOf(profile, kind, request))
  const all = distinct([...requested, ...rest, ...spareAnalyses(profile, request)])
  return all.slice(0, Math.max(ANALYSES, requested.length))
}

/** The analyses that a remark or a title asks for. Empty: the rules cannot read it, or the columns do not allow it. */
export function analysesFor(profile: Profile, text: string): Analysis[] {
  return distinct(wantedBy(profile, text)).slice(0, ANALYSES_MAX)
}

/** The default kinds in the order of an analyst: course, comparison, distribution. */
const DEFAULT_KINDS: AnalysisKind[] = ['trend', 'compare', 'distribution']

function wantedBy(profile: Profile, text: string): Analysis[] {
  const whole = readAnalysisRequest(text, profile)
  const grouped = groupsIn(whole).length > 0
  if (whole.kinds.length === 0 && !grouped) return named(whole).flatMap((kind) => analysesOf(profile, kind, whole))
  const measure = whole.columns.filter(({ column }) => isMeasurable(column)).slice(0, 1)
  return analysisRequestsIn(text, profile).flatMap((clause) => {
    const groups = groupsIn(clause)
    const own = clause.columns.some(({ column }) => isMeasurable(column) && !groups.includes(column))
    // A part that names no column takes what the text named first.
    const request = {
      ...clause,
      unit: clause.unit ?? whole.unit,
      columns: own ? clause.columns : [...clause.columns, ...measure],
    }
    const kinds = clause.kinds.filter((kind) => kind !== 'compare' || groups.length > 0 || !grouped)
    if (groups.length > 0 && !kinds.includes('compare')) kinds.push('compare')
    return kinds.flatMap((kind) => analysesOf(profile, kind, request))
  })

  /** The analyses of a column that is named alone depend on its type. */
  function named({ columns: [first] }: AnalysisRequest): AnalysisKind[] {
    if (first === undefined) return []
    if (first.column.dtype === 'date') return ['trend']
    if (!isMeasurable(first.column)) return ['compare']
    return timesOf(profile).length > 0 ? ['trend', 'distribution'] : ['distribution']
  }
}

/** The columns that group the rows; `products by quantity` means the products. */
function groupsIn({ columns }: AnalysisRequest): ProfileColumn[] {
  const words = columns.filter(
    ({ column }) => isGrouping(column) && (column.dtype === 'text' || column.dtype === 'boolean'),
  )
  const numbers = columns.filter(({ column, by }) => by && isGrouping(column))
  return (words.length > 0 ? words : numbers).map(({ column }) => column)
}

function measuresIn(profile: Profile, request: AnalysisRequest): ProfileColumn[] {
  const groups = groupsIn(request)
  const named = request.columns.map(({ column }) => column).filter((one) => isMeasurable(one) && !groups.includes(one))
  return named.length > 0 ? named : measuresOf(profile).slice(0, 1)
}

interface Measurement {
  measure: string | null
  how: How
}
const ROWS: Measurement = { measure: null, how: 'count' }
const measurementOf = (column: ProfileColumn, { how }: AnalysisRequest): Measurement =>
  how === 'count' ? ROWS : { measure: column.name, how: how ?? howOf(column) }

/** Without a number column rows are counted. */
function measurementsFor(profile: Profile, request: AnalysisRequest): Measurement[] {
  const measures = measuresIn(profile, request)
  const all = measures.length === 0 ? [ROWS] : measures.slice(0, 2).map((column) => measurementOf(column, request))
  return all.filter((one, at) => all.findIndex((other) => other.measure === one.measure) === at)
}

function analysesOf(profile: Profile, kind: AnalysisKind, request: AnalysisRequest): Analysis[] {
  switch (kind) {
    case 'trend':
      return trends(profile, request)
    case 'compare':
      return comparisons(profile, request)
    case 'distribution':
      return measuresIn(profile, request)
        .slice(0, 2)
        .map(({ name }) => ({ kind, column: name, of: 'values' }))
    case 'relation':
      return relations(profile, request)
    case 'top':
      return measuresIn(profile, request)
        .slice(0, 1)
        .map(({ name }) => ({ kind, measure: name, by: textColumns(profile).at(-1)?.name ?? null }))
    case 'weekdays':
      return weekdays(profile, request)
    case 'missing':
      return profile.rows === 0 ? [] : [{ kind }]
  }
}

const timesOf = (profile: Profile): ProfileColumn[] => [
  ...datesOf(profile).filter((column) => periodLengthOf(column, null) !== null),
  ...yearsOf(profile),
]

const named = (columns: readonly ProfileColumn[], request: AnalysisRequest): ProfileColumn | undefined =>
  columns.find((one) => request.columns.some(({ column }) => column === one)) ?? columns[0]

function trends(profile: Profile, request: AnalysisRequest): Analysis[] {
  const column = named(timesOf(profile), request)
  if (column === undefined) return []
  const unit = column.dtype === 'date' ? periodLengthOf(column, request.unit) : null
  const cut_off = unit === null ? { first: false, last: false } : cutOff(column, unit)
  return measurementsFor(profile, request).map((one) => ({ kind: 'trend', date: column.name, unit, cut_off, ...one }))
}

function comparisons(profile: Profile, request: AnalysisRequest): Analysis[] {
  const groups = groupsIn(request)
  const columns = groups.length > 0 ? groups : categoriesOf(profile).slice(0, 1)
  const [first = ROWS, ...more] = measurementsFor(profile, request)
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

function relations(profile: Profile, request: AnalysisRequest): Analysis[] {
  const measures = measuresOf(profile)
  const preferred = measuresIn(profile, request)
  const [x, y] = [...preferred, ...measures.filter((one) => !preferred.includes(one))]
  return x === undefined || y === undefined ? [] : [{ kind: 'relation', x: x.name, y: y.name }]
}

/** Fewer days say nothing about weekdays. */
const DAYS_FOR_WEEKDAYS = 14

function weekdays(profile: Profile, request: AnalysisRequest): Analysis[] {
  const column = named(datesOf(profile), request)
  if (column === undefined || column.unique < DAYS_FOR_WEEKDAYS) return []
  return measurementsFor(profile, request)
    .slice(0, 1)
    .map((one) => ({ kind: 'weekdays', date: column.name, ...one }))
}

/** The replacements for a kind of column that is missing, the more informative first. */
function spareAnalyses(profile: Profile, request: AnalysisRequest): Analysis[] {
  const [first = ROWS] = measurementsFor(profile, request)
  const measures = measuresOf(profile)
  const counts = textColumns(profile).filter(({ unique, present }) => unique > 1 && unique < present)
  const others = categoriesOf(profile).map(({ name }): Analysis => ({ kind: 'compare', category: name, ...first }))
  return [
    ...others.slice(0, 2),
    ...relations(profile, request),
    ...measures.slice(0, 2).map(({ name }): Analysis => ({ kind: 'distribution', column: name, of: 'values' })),
    ...(measures.length === 0 ? weekdays(profile, request) : []),
    ...counts.slice(0, 2).map(({ name }): Analysis => ({ kind: 'compare', category: name, ...ROWS })),
    ...analysesOf(profile, 'top', request),
    ...(measures.length === 0 ? lengths(profile) : []),
    ...analysesOf(profile, 'missing', request),
  ]
}

/** The lengths of group names say nothing. */
const lengths = (profile: Profile): Analysis[] =>
  textColumns(profile)
    .filter(({ dtype, unique }) => dtype === 'text' && unique > CATEGORY_VALUES_MAX)
    .slice(-1)
    .map(({ name }) => ({ kind: 'distribution', column: name, of: 'lengths' }))

function distinct(all: readonly Analysis[]): Analysis[] {
  const keys = new Set<string>()
  return all.filter((one) => {
    const key = JSON.stringify(one)
    const isNew = !keys.has(key)
    keys.add(key)
    return isNew
  })
}
