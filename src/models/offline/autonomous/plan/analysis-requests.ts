/** Reads the kinds of analysis, columns and periods that a goal, a remark or a title names. It uses word lists and understands nothing else. */
import type { ProfileColumn, How, Profile } from './profile.ts'
import type { PeriodLength } from './periods.ts'

const KINDS = ['trend', 'compare', 'distribution', 'relation', 'top', 'weekdays', 'missing'] as const
export type AnalysisKind = (typeof KINDS)[number]

export interface AnalysisRequest {
  /** The kinds in the order they are named. */
  kinds: AnalysisKind[]
  /** The columns in the order they are named; `by`: the column groups the rows. */
  columns: { column: ProfileColumn; by: boolean }[]
  unit: PeriodLength | null
  how: How | null
}

const KIND_WORDS: Record<AnalysisKind, RegExp> = {
  trend:
    /\btrends?\b|over time|\bgrow(?:s|th|n|ing)?\b|\btime series\b|\bseasonal\w*|\b(?:dai|week|month|quarter|year)ly\b|\b(?:by|per|each|every) (?:day|week|month|quarter|year)\b|\bdevelop(?:s|ed|ment)\b|\bevol(?:ve|ved|ution)\b|\btimeline\b|趋势|走势|增长|变化|随时间|时间序列|季节|同比|环比|[按每逐各][日天周月季年]|月度|季度|年度/iu,
  compare:
    /\bcompar(?:e|es|ed|ing|ison|isons)\b|\bversus\b|\bvs\b|\bacross\b|\brank(?:s|ed|ing)?\b|\bbest\b|\bworst\b|\bbreakdown\b|\bbreak down\b|\bgroup(?:ed)? by\b|对比|比较|排名|排行|占比|构成|哪个|哪些|哪一|各个|分组/iu,
  distribution:
    /\bdistribut(?:ed|ion|ions)\b|\bhistograms?\b|\bspread\b|\boutliers?\b|\bmedians?\b|\bquartiles?\b|\bquantiles?\b|\banomal\w+|\bvariance\b|\brange\b|分布|直方图|异常|离群|中位|四分位|波动范围/iu,
  relation:
    /\bcorrelat\w+|\brelations?(?:hips?)?\b|\bscatter\b|\bdepends?\b|\binfluences?\b|\bimpacts?\b|相关|关系|散点|影响/iu,
  top: /\b(?:top|largest|biggest|highest|smallest|lowest) (?:\d+ )?(?:values|rows|records|entries|orders|sales)\b|\bextremes?\b|最大值|最小值|最大的|最小的|极值/iu,
  weekdays: /\bweekdays?\b|\bdays? of the week\b|\bweekends?\b|星期|周几|周末|工作日/iu,
  missing:
    /\bmissing\b|\bdata quality\b|\bnulls?\b|\bempty (?:cells|values)\b|\bcomplete(?:ness)?\b|缺失|空值|数据质量|完整性/iu,
}

const UNIT_WORDS: [PeriodLength, RegExp][] = [
  ['day', /\bdaily\b|\b(?:by|per|each|every) day\b|[按每逐各][日天]/iu],
  ['week', /\bweekly\b|\b(?:by|per|each|every) week\b|[按每逐各]周/iu],
  ['month', /\bmonthly\b|\b(?:by|per|each|every) month\b|[按每逐各]月|月度/iu],
  ['quarter', /\bquarterly\b|\b(?:by|per|each|every) quarter\b|[按每逐各]季|季度/iu],
  ['year', /\b(?:yearly|annual(?:ly)?)\b|\b(?:by|per|each|every) year\b|[按每逐各]年|年度/iu],
]
const HOW_WORDS: [How, RegExp][] = [
  ['mean', /\b(?:average|averages|mean|avg)\b|平均|均值/iu],
  ['count', /\b(?:how many|number of|counts?)\b|个数|次数|多少[条个次]|条数/iu],
  ['sum', /\b(?:sum|total|totals)\b|总和|总额|合计|总计/iu],
]

/** Words that mean the same column, in both languages. */
const CONCEPTS = [
  ['region|area|territory|zone|district', '地区|区域|大区'],
  ['country|countries|nation', '国家'],
  ['province|state', '省份|省'],
  ['city|cities|town', '城市'],
  ['product|item|article|goods', '产品|商品|货品|品名'],
  ['category|categories|type|class|segment', '类别|品类|分类|类型'],
  ['customer|client|buyer', '客户|顾客|买家'],
  ['channel', '渠道'],
  ['amount|sale|sales|revenue|turnover|income', '金额|销售额|销售|营收|收入|营业额|业绩'],
  ['quantity|quantities|qty|unit|volume', '数量|销量|件数'],
  ['price', '单价|价格|售价'],
  ['profit|margin', '利润|毛利'],
  ['cost|expense|spending', '成本|费用|支出'],
  ['date|time|day', '日期|时间'],
  ['age', '年龄'],
  ['score|rating|grade', '评分|得分|分数|成绩'],
  ['department|team|dept', '部门|团队'],
  ['store|shop|branch', '门店|店铺|分店'],
  ['gender|sex', '性别'],
].map(
  ([en, zh]) => new RegExp(`(?<![\\p{Script=Latin}\\p{N}])(?:${en})(?:e?s)?(?![\\p{Script=Latin}\\p{N}])|${zh}`, 'u'),
)

/** Words that goals use for something other than a column. */
const NO_NAMES = new Set(['data', 'dataset', 'file', 'table', 'report', 'analysis', 'id', 'the', 'value', 'values'])
const NEGATED =
  /\b(?:not|no|never|without|except|excluding|skip|omit|leave out|don'?t|do not|ignore|instead of|rather than)\b|不要|不用|不需要|别再|无需|去掉|跳过|忽略|除了|而不是/iu

/** The clauses of a text that ask for something, and those that ask for something not to be done. */
export function clausesOf(text: string): { asked: string; negated: string[] } {
  const clauses = text.split(/[.;!?\n。；！？，]+|,\s|\bbut\b|但/u).filter((clause) => clause.trim() !== '')
  return {
    asked: clauses.filter((clause) => !NEGATED.test(clause)).join(', '),
    negated: clauses.filter((clause) => NEGATED.test(clause)).map((clause) => clause.trim()),
  }
}

/** Longer texts are read up to here. */
const TEXT_CHARS_MAX = 8_000

export function readAnalysisRequest(text: string, { known }: Pick<Profile, 'known'>): AnalysisRequest {
  const clauses = clausesOf(text.slice(0, TEXT_CHARS_MAX)).asked
  const kinds = KINDS.map((kind) => ({ kind, at: clauses.search(KIND_WORDS[kind]) })).filter(({ at }) => at !== -1)
  return {
    kinds: kinds.toSorted((a, b) => a.at - b.at).map(({ kind }) => kind),
    columns: columnsIn(clauses, known),
    unit: UNIT_WORDS.find(([, pattern]) => pattern.test(clauses))?.[0] ?? null,
    how: HOW_WORDS.find(([, pattern]) => pattern.test(clauses))?.[0] ?? null,
  }
}

/** Reads a text clause by clause, because names of one clause belong together. */
export function analysisRequestsIn(text: string, profile: Pick<Profile, 'known'>): AnalysisRequest[] {
  const clauses = clausesOf(text.slice(0, TEXT_CHARS_MAX)).asked
  return clauses
    .split(/,\s|、/u)
    .flatMap(splitAtAnd)
    .map((clause) => readAnalysisRequest(clause, profile))
    .filter(isAnalysisRequest)
}

const namesKind = (text: string) => KINDS.some((kind) => KIND_WORDS[kind].test(text))

/** Splits at `and` only between two kinds of analysis: `price and quantity` belong to one. */
function splitAtAnd(clause: string): string[] {
  const parts: string[] = []
  for (const part of clause.split(/\band\b|以及|和|与|及/iu)) {
    const last = parts.at(-1)
    if (last === undefined || (namesKind(last) && namesKind(part))) parts.push(part)
    else parts[parts.length - 1] = `${last} , ${part}`
  }
  return parts
}

export const isAnalysisRequest = ({ kinds, columns }: AnalysisRequest): boolean => kinds.length + columns.length > 0

interface Mention {
  column: ProfileColumn
  from: number
  to: number
}

/** The name of a column counts more than a word with the same meaning. */
function columnsIn(text: string, known: readonly ProfileColumn[]): AnalysisRequest['columns'] {
  const words = spellOut(text)
  const exact = known.flatMap((column) => mentionsOf(column, words, namesOf(column)))
  const whole = exact.filter((one) => !exact.some((other) => other !== one && covers(other, one)))
  const named = new Set(whole.map(({ column }) => column))
  const concepts = CONCEPTS.flatMap((concept) =>
    mentionsOfConcept(
      concept,
      words,
      known.filter((column) => !named.has(column)),
    ),
  )
  const free = concepts.filter((one) => !whole.some((other) => one.from < other.to && other.from < one.to))
  const all = [...whole, ...free].toSorted((a, b) => a.from - b.from)
  const first = new Map(all.toReversed().map((mention) => [mention.column, mention]))
  return all
    .filter((mention) => first.get(mention.column) === mention)
    .map(({ column, from }) => ({ column, by: BY.test(words.slice(0, from)) }))
}

const BY = /(?:\b(?:by|per|each|across|between|every)(?: the)?\s*["'“‘]?|[按各每][个]?["“]?|不同(?:的)?|分)$/iu
const covers = (a: Mention, b: Mention) => a.from <= b.from && a.to >= b.to && a.to - a.from > b.to - b.from

const spellOut = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replaceAll(/[_\-./\s]+/gu, ' ')

function namesOf({ name }: ProfileColumn): string[] {
  const plain = spellOut(name).trim()
  // People call `金额(元)` just `金额`.
  const bare = plain.replace(/\s*[([（【][^)\]）】]*[)\]）】]\s*$/u, '')
  return [plain, bare].filter(
    (text) => text !== '' && !NO_NAMES.has(text) && (text.length > 1 || /\p{Script=Han}/u.test(text)),
  )
}

const isWordChar = (char: string | undefined) => char !== undefined && /[\p{Script=Latin}\p{N}]/u.test(char)

/** The first place where one of the names is a word of its own. */
function mentionsOf(column: ProfileColumn, text: string, names: readonly string[]): Mention[] {
  for (const name of names) {
    for (let from = text.indexOf(name); from !== -1; from = text.indexOf(name, from + 1)) {
      const plural = /^(?:es|s)(?![\p{Script=Latin}\p{N}])/u.exec(
        text.slice(from + name.length, from + name.length + 3),
      )
      const to = from + name.length + (plural?.[0].length ?? 0)
      const begins = !isWordChar(name[0]) || !isWordChar(text[from - 1])
      const ends = !isWordChar(name.at(-1)) || plural !== null || !isWordChar(text[to])
      if (begins && ends) return [{ column, from, to }]
    }
  }
  return []
}

function mentionsOfConcept(pattern: RegExp, text: string, known: readonly ProfileColumn[]): Mention[] {
  const found = pattern.exec(text)
  const column = found === null ? undefined : known.find(({ name }) => pattern.test(spellOut(name)))
  return found === null || column === undefined
    ? []
    : [{ column, from: found.index, to: found.index + found[0].length }]
}
