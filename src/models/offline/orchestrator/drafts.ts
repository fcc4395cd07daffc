/** Reads the steps that a text asks for, each with its details. */
import { limitOf } from './chinese.ts'
import { protectPieces } from './protected-pieces.ts'
import { outlineOf, type OutlineUnit } from './lines.ts'
import { goalPartsOf, type GoalPart } from './parts.ts'
import { isConstraint, obliges, withoutPoliteness } from './work.ts'

export interface StepDraft {
  text: string
  details: string[]
  constraints: string[]
  /** The results that the author expects. */
  expected: string[]
}
interface Drafts {
  drafts: StepDraft[]
  /** Constraints that belong to no step. */
  constraints: string[]
  context: string[]
}

/** A text is read up to this length; no goal is longer. */
const TEXT_MAX = 10_000

export function draftsOf(source: string): Drafts {
  const { text, restore } = protectPieces(source.slice(0, TEXT_MAX))
  const { units, constraints, expected, context } = outlineOf(text)
  const read: DraftsReading = { drafts: [], constraints: [], context: [...context] }
  for (const { unit, parts } of partsByUnit(units)) {
    const before = read.drafts.length
    for (const part of parts) take(read, part)
    const own = read.drafts[before] ?? read.drafts.at(-1)
    for (const detail of unit.details) {
      ;(isConstraint(withoutPoliteness(detail)) ? (own ?? read).constraints : (own?.details ?? read.context)).push(
        detail,
      )
    }
  }
  const drafts = read.drafts.map((draft) => ({ ...draft, constraints: [...draft.constraints, ...constraints] }))
  drafts.at(-1)?.expected.push(...expected)
  if (drafts.length === 0) read.constraints.push(...constraints)
  return {
    drafts: drafts.map((draft) => restoreDrafts(draft, restore)),
    constraints: read.constraints.map(restore),
    context: read.context.map(restore),
  }
}

/** A single line is cut into steps. Each of several lines is one step, unless it holds more sentences. */
function partsByUnit(units: OutlineUnit[]): { unit: OutlineUnit; parts: GoalPart[] }[] {
  const whole = units.map((unit) => ({ unit, parts: goalPartsOf(unit.text, true) }))
  const lines = whole.filter(({ parts }) => parts.some(({ kind }) => kind === 'step'))
  return whole.map((one) => {
    const steps = one.parts.filter(({ kind }) => kind === 'step').length
    if (one.unit.listed) return { unit: one.unit, parts: asOne(one.parts) }
    return lines.length > 1 && steps <= 1 ? one : { unit: one.unit, parts: goalPartsOf(one.unit.text, false) }
  })
}

/** An item of a list is one step; its other sentences are details. */
function asOne(parts: GoalPart[]): GoalPart[] {
  const first = parts.findIndex(({ kind }) => kind === 'step')
  return parts.map((part, index) => (part.kind === 'step' && index !== first ? { ...part, kind: 'context' } : part))
}

type DraftsReading = Drafts

/** A part that is no step belongs to the step before it, or else to the first one. */
function take(read: DraftsReading, { kind, text }: GoalPart): void {
  const last = read.drafts.at(-1)
  if (kind === 'step' || (kind === 'constraint' && isFirst(read) && obliges(text))) {
    const { constraints, context } = last === undefined ? read : { constraints: [], context: [] }
    const limits = kind === 'constraint' && /^(?:only|只|仅)/iu.test(text) ? [limitOf(text)] : []
    read.drafts.push({ text, details: [...context], constraints: [...constraints, ...limits], expected: [] })
    if (last === undefined) {
      read.constraints = []
      read.context = []
    }
  } else if (kind === 'constraint') (last ?? read).constraints.push(text)
  else (last?.details ?? read.context).push(text)
}

const isFirst = ({ drafts, constraints }: DraftsReading): boolean => drafts.length === 0 && constraints.length === 0

const restoreDrafts = (
  { text, details, constraints, expected }: StepDraft,
  restore: (part: string) => string,
): StepDraft => ({
  text: restore(text),
  details: details.map(restore),
  constraints: constraints.map(restore),
  expected: expected.map(restore),
})
