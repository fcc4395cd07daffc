/** Reads the lines of a goal: lists in any notation, text that is indented below an item, and lines under a heading such as `Constraints:`. */
import { amountOf } from '../time/numbers.ts'
import { isOnlyProtected } from './protected-pieces.ts'
import { isConstraint, isWork, withoutPoliteness } from './work.ts'

/** A line or an item of a list, with everything that belongs to it. */
export interface OutlineUnit {
  text: string
  details: string[]
  /** The text is marked as one item, so it is one step. */
  listed: boolean
}
interface Outline {
  units: OutlineUnit[]
  /** The constraints of every step, and the expected result. */
  constraints: string[]
  expected: string[]
  context: string[]
}

const MARK =
  /^ *(?:(?:[-*+–—] +|[•·▪◦‣●] *)|\(?\d{1,2}[.)] +|\d{1,2}[.)](?=\p{Script=Han})|\d{1,2}[、．）] *|[(（][\d一二三四五六七八九十]{1,2}[)）][、. ]*|[①-⑳] *|[一二三四五六七八九十]{1,2}、 *|第[\d一二三四五六七八九十]{1,3}步[：:，,、 ]*|\(?[a-h]\) +|(?:step|phase|stage|part|task) +\d{1,2} *[:.)–-] *)(?=\S)(?:\[[ xX]?\] +)?/iu
const SECTIONS = {
  constraints:
    /^(?:constraints?|requirements?|rules?|limits?|limitations?|restrictions?|约束(?:条件)?|限制(?:条件)?|要求|前提)$/iu,
  expected:
    /^(?:expected (?:outputs?|results?|outcomes?)|deliverables?|acceptance(?: criteria)?|done when|预期(?:输出|结果|成果)|期望(?:输出|结果)|验收标准|交付物)$/iu,
  context: /^(?:background|context|notes?|overview|背景|现状|说明|备注)$/iu,
  goal: /^(?:goals?|tasks?|objectives?|steps?|plan|to-?dos?|目标|任务(?:描述)?|步骤|计划|任务列表)$/iu,
}
type Section = keyof typeof SECTIONS
const NAMES: Section[] = ['constraints', 'expected', 'context', 'goal']

interface Label {
  section: Section
  rest: string
}

/** `Constraints: …`, `## 约束条件`; a heading with another name only starts a new part. */
function labelOf(line: string): Label | 'heading' | null {
  const [, name = '', rest = ''] =
    /^ *(?:#{1,6} +)?(?:\*\*|__)?([^:：*#]{1,30}?)(?:\*\*|__)?(?:[:：](?:\*\*|__)?|$)(.*)$/u.exec(line) ?? []
  const section = NAMES.find((one) => SECTIONS[one].test(name.trim()))
  if (section !== undefined) return { section, rest: rest.trim() }
  return /^ *#{1,6} /u.test(line) ? 'heading' : null
}

interface Line {
  text: string
  indent: number
  marked: boolean
  numbered: boolean
  afterGap: boolean
}

/** Protected pieces are placeholder characters in `text`. */
export function outlineOf(text: string): Outline {
  const outline: Outline = { units: [], constraints: [], expected: [], context: [] }
  const goal: Line[] = []
  let section: Section = 'goal'
  let filled = false
  let afterGap = false
  const put = (line: Line) => {
    if (section === 'goal') goal.push(line)
    else
      outline[section === 'context' && isConstraint(withoutPoliteness(line.text)) ? 'constraints' : section].push(
        line.text,
      )
    filled = true
  }
  for (const line of markHeadings(text.split('\n')).flatMap(splitNumbered)) {
    if (line.trim() === '') {
      afterGap = true
      continue
    }
    const label = labelOf(line)
    const read = lineOf(line, afterGap)
    if (label !== null) {
      section = label === 'heading' ? 'goal' : label.section
      filled = false
      if (label !== 'heading' && label.rest !== '') {
        put(lineOf(label.rest, true))
        // A label with text on its own line covers that line only.
        if (label.section !== 'goal') section = 'goal'
      }
    } else {
      if (afterGap && filled && !read.marked) section = 'goal'
      put(read)
    }
    afterGap = label !== null
  }
  outline.units = withoutHeads(groupLines(goal))
  return outline
}

/** A line with dashes below it is also a heading. */
const markHeadings = (lines: string[]): string[] =>
  lines.map((line, index) =>
    /^ {0,3}(?:-{3,}|={3,}) *$/u.test(lines[index + 1] ?? '') && /^[^-*\s].{0,60}$/u.test(line) ? `# ${line}` : line,
  )

function lineOf(line: string, afterGap: boolean): Line {
  const mark = MARK.exec(line)?.[0] ?? ''
  const text = line.slice(mark.length).trim()
  return {
    text,
    indent: line.search(/\S/u),
    marked: mark !== '',
    numbered: /[\d①-⑳一二三四五六七八九十]/u.test(mark),
    afterGap,
  }
}

const INLINE =
  /(?:^|(?<=[\s：:，,。；;、])|(?=[①-⑳（]))(?:\(?(\d{1,2})[.)、](?=\s|\p{Script=Han}) *|（(\d{1,2})） *|([①-⑳]) *|第([一二三四五六七八九十]{1,3}|\d{1,2})步|(?:step|phase|stage|part|task) +(\d{1,2}) *[:.)]|\(?([a-h])\)(?=\s) *)/giu

/** `1. … 2. …` on one line becomes several lines, when the numbers count up from one. */
function splitNumbered(line: string): string[] {
  const at: number[] = []
  let isTight = false
  for (const { index, 1: a, 2: b, 3: circled, 4: c, 5: d, 6: letter } of line.matchAll(INLINE)) {
    const sign = circled ?? letter?.toLowerCase()
    const number =
      sign === undefined ? amountOf(a ?? b ?? c ?? d ?? '') : sign.charCodeAt(0) - (circled ? 0x245f : 0x60)
    if (number !== at.length + 1) continue
    at.push(index)
    isTight ||= /[^\s：:，,。；;、]$/u.test(line.slice(index - 1, index))
  }
  const head = line.slice(0, at[0])
  // `图（1）和图（2）` is not a list.
  if (at.length < 2 || (isTight && !/^\s*$|[：:]\s*$/u.test(head))) return [line]
  return [...(head.trim() === '' ? [] : [head]), ...at.map((from, index) => line.slice(from, at[index + 1]))]
}

const CODE_INDENT = 3

interface UnitDraft extends OutlineUnit {
  indent: number
  numbered: boolean
}

function groupLines(lines: Line[]): UnitDraft[] {
  const units: UnitDraft[] = []
  for (const { text, indent, marked, numbered, afterGap } of lines) {
    const last = units.at(-1)
    const below = last !== undefined && isBelow(last, { indent, marked })
    if (last !== undefined && (isOnlyProtected(text) || below)) last.details.push(text)
    else if (last !== undefined && !marked && !afterGap && isContinuation(last.text, text)) last.text += ` ${text}`
    else units.push({ text, details: [], listed: marked, indent, numbered })
  }
  return units
}

/** The line is indented deeper than its item, or is a block of code behind a line. */
const isBelow = (last: UnitDraft, { indent, marked }: Pick<Line, 'indent' | 'marked'>): boolean =>
  last.listed ? indent > last.indent : !marked && indent > last.indent + CODE_INDENT

/** Whether the line continues a line that was wrapped. */
function isContinuation(before: string, text: string): boolean {
  const end = before.at(-1) ?? ''
  return (
    /^[a-z]/u.test(text) && !'.!?:;。！？：；，…'.includes(end) && (end === ',' || !isWork(withoutPoliteness(text)))
  )
}

/** A line above a list is its head: either the items are the steps, or the head is the step and the items are its details. */
function withoutHeads(units: UnitDraft[]): OutlineUnit[] {
  const kept: OutlineUnit[] = []
  for (let at = 0; at < units.length; at++) {
    const unit = units[at]
    if (unit === undefined) break
    const items = unit.listed ? [] : itemsBehind(units, at + 1)
    const opens = /[:：]$/u.test(unit.text)
    if (items.length === 0 || (!opens && items.length === 1)) kept.push(unit)
    else if (areSteps(unit, items)) kept.push(...headOf(unit, opens))
    else {
      kept.push({ ...unit, details: [...unit.details, ...items.flatMap(({ text, details }) => [text, ...details])] })
      at += items.length
    }
  }
  return kept
}

function itemsBehind(units: UnitDraft[], from: number): UnitDraft[] {
  let end = from
  while (units[end]?.listed === true) end++
  return units.slice(from, end)
}

function areSteps(head: OutlineUnit, items: UnitDraft[]): boolean {
  if (items.every(({ text }) => isConstraint(withoutPoliteness(text)))) return false
  const working = items.filter(({ text }) => isWork(withoutPoliteness(text))).length
  return working * 2 >= items.length || items.every(({ numbered }) => numbered) || !isWork(withoutPoliteness(head.text))
}

/** Only the last sentence of a head leads to the list. */
function headOf(unit: UnitDraft, opens: boolean): OutlineUnit[] {
  const ends = [...unit.text.matchAll(/[.!?] |[。！？；;]/gu)].filter(({ index }) => index < unit.text.length - 2)
  const last = ends.at(-1)
  if (last === undefined) return []
  return opens ? [{ ...unit, text: unit.text.slice(0, last.index + 1) }] : [unit]
}
