/**
 * Applies remarks and a requested change to a list of steps: `add a step: X`, `drop step 2`, `replace step 2 with X`, `also X`. Any other remark
 * becomes a constraint of the last step.
 */
import { numbersIn, ordinalIn, readChange, wordsIn } from './change-forms.ts'
import type { StepOutline } from './context.ts'
import { protectPieces } from './protected-pieces.ts'
import { titleKeyOf } from './titles.ts'

type Read = (text: string) => StepOutline[]

/** The most pieces of one remark; the rest is one piece. */
const PIECES_MAX = 20

/** A remark of several lines, or with semicolons, may hold several changes. */
function piecesOf(remark: string): string[] {
  const { text, restore } = protectPieces(remark)
  const pieces = text
    .split(/\n|[;；]|(?<=[。！])|(?<=[.!]) /u)
    .map((piece) => piece.trim().replace(/^(?:[-*•] |\d{1,2}[.)] )/u, ''))
    .map((piece) => restore(piece.replace(/[.。!！]$/u, '')))
    .filter((piece) => piece !== '')
  return pieces.length <= PIECES_MAX
    ? pieces
    : [...pieces.slice(0, PIECES_MAX - 1), pieces.slice(PIECES_MAX - 1).join('; ')]
}

/** The steps that remarks add, in order, whatever else the remarks say. */
export const stepsAddedBy = (remarks: readonly string[], read: Read): StepOutline[] =>
  remarks.flatMap(piecesOf).flatMap((piece) => {
    const change = readChange(piece)
    return change?.kind === 'add' ? read(change.text) : []
  })

/** Numbers refer to the list as it was before the remark. */
export function applyChanges(steps: readonly StepOutline[], remarks: readonly string[], read: Read): StepOutline[] {
  return remarks.reduce<StepOutline[]>(
    (list, remark) => {
      const numbered = list.map((step, index) => ({ step, number: index + 1 }))
      return piecesOf(remark)
        .reduce((entries, piece) => apply(entries, piece, read), numbered)
        .map(({ step }) => step)
    },
    [...steps],
  )
}

interface StepEntry {
  step: StepOutline
  /** 0: this remark has added it. */
  number: number
}

function apply(entries: StepEntry[], piece: string, read: Read): StepEntry[] {
  const change = readChange(piece)
  switch (change?.kind) {
    case 'none':
      return entries
    case 'add': {
      const steps = addWork(read(change.text), entries)
      if (steps === null) return addConstraint(entries, change.text)
      return change.at === 'first' ? [...steps, ...entries] : [...entries, ...steps]
    }
    case 'drop': {
      const gone = entriesNamed(change.which, entries)
      const rest = entries.filter((entry) => !gone.includes(entry))
      return gone.length === 0 || rest.length === 0 ? addConstraint(entries, piece) : rest
    }
    case 'replace': {
      const [old] = entriesNamed(change.which, entries)
      const steps = read(change.text).map((step) => ({ step, number: old?.number ?? 0 }))
      return old === undefined || steps.length === 0
        ? addConstraint(entries, piece)
        : entries.flatMap((entry) => (entry === old ? steps : [entry]))
    }
    default:
      return addConstraint(entries, piece)
  }
}

/** null: the remark asks for no work. */
function addWork(steps: StepOutline[], entries: readonly StepEntry[]): StepEntry[] | null {
  const known = new Set(entries.map(({ step }) => titleKeyOf(step.title)))
  return steps.length === 0
    ? null
    : steps.filter(({ title }) => !known.has(titleKeyOf(title))).map((step) => ({ step, number: 0 }))
}

function addConstraint(entries: StepEntry[], constraint: string): StepEntry[] {
  const last = entries.at(-1)
  if (last === undefined || last.step.constraints.split('\n').includes(constraint)) return entries
  const constraints = last.step.constraints === '' ? constraint : `${last.step.constraints}\n${constraint}`
  return [...entries.slice(0, -1), { ...last, step: { ...last.step, constraints } }]
}

/** The meant steps, by number, `last`, or words of one title. */
function entriesNamed(which: string, entries: readonly StepEntry[]): StepEntry[] {
  const own = entries.filter(({ number }) => number > 0)
  if (/\blast\b|最后/iu.test(which)) return own.slice(-1)
  const numbers = [...ordinalIn(which), ...numbersIn(which)]
  if (numbers.length > 0) return own.filter(({ number }) => numbers.includes(number))
  const words = titleKeyOf(wordsIn(which))
  const named = own.filter(({ step }) => words !== '' && titleKeyOf(step.title).includes(words))
  return named.length === 1 ? named : []
}
