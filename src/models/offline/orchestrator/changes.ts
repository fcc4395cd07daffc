/** What remarks and a requested change do to a list of steps: `add a step: X`, `drop step 2`, `replace step 2 with X`, `also X`; else they hold for the last step. */
import { numbersIn, ordinalIn, readChange, wordsIn } from './change-forms.ts'
import type { StepOutline } from './context.ts'
import { protectPieces } from './protected-pieces.ts'
import { titleKeyOf } from './titles.ts'

type Read = (text: string) => StepOutline[]

/** Of one remark; what is more is one piece. */
const PIECES_MAX = 20

/** A remark of several lines, or with semicolons, may hold several. */
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

/** Steps that remarks add, in order, whatever else they say. */
export const stepsAddedBy = (remarks: readonly string[], read: Read): StepOutline[] =>
  remarks.flatMap(piecesOf).flatMap((piece) => {
    const change = readChange(piece)
    return change?.kind === 'add' ? read(change.text) : []
  })

/** Numbers are those of the list as it was before the remark. */
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

interface Entry {
  step: StepOutline
  /** 0: added by this remark. */
  number: number
}

function apply(entries: Entry[], piece: string, read: Read): Entry[] {
  const change = readChange(piece)
  switch (change?.kind) {
    case 'none':
      return entries
    case 'add': {
      const steps = fresh(read(change.text), entries)
      if (steps === null) return constrained(entries, change.text)
      return change.at === 'first' ? [...steps, ...entries] : [...entries, ...steps]
    }
    case 'drop': {
      const gone = meant(change.which, entries)
      const rest = entries.filter((entry) => !gone.includes(entry))
      return gone.length === 0 || rest.length === 0 ? constrained(entries, piece) : rest
    }
    case 'replace': {
      const [old] = meant(change.which, entries)
      const steps = read(change.text).map((step) => ({ step, number: old?.number ?? 0 }))
      return old === undefined || steps.length === 0
        ? constrained(entries, piece)
        : entries.flatMap((entry) => (entry === old ? steps : [entry]))
    }
    default:
      return constrained(entries, piece)
  }
}

/** null: it asks for nothing to do. */
function fresh(steps: StepOutline[], entries: readonly Entry[]): Entry[] | null {
  const known = new Set(entries.map(({ step }) => titleKeyOf(step.title)))
  return steps.length === 0
    ? null
    : steps.filter(({ title }) => !known.has(titleKeyOf(title))).map((step) => ({ step, number: 0 }))
}

function constrained(entries: Entry[], constraint: string): Entry[] {
  const last = entries.at(-1)
  if (last === undefined || last.step.constraints.split('\n').includes(constraint)) return entries
  const constraints = last.step.constraints === '' ? constraint : `${last.step.constraints}\n${constraint}`
  return [...entries.slice(0, -1), { ...last, step: { ...last.step, constraints } }]
}

/** Which steps are meant, by number, `last`, or words of one title. */
function meant(which: string, entries: readonly Entry[]): Entry[] {
  const own = entries.filter(({ number }) => number > 0)
  if (/\blast\b|最后/iu.test(which)) return own.slice(-1)
  const numbers = [...ordinalIn(which), ...numbersIn(which)]
  if (numbers.length > 0) return own.filter(({ number }) => numbers.includes(number))
  const words = titleKeyOf(wordsIn(which))
  const named = own.filter(({ step }) => words !== '' && titleKeyOf(step.title).includes(words))
  return named.length === 1 ? named : []
}
