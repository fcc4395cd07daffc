/** Whether a regular expression takes more than linear time on some text. */
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { CharSet, isDisjointWith, JS, NFA } from 'refa'
import { analyse } from 'scslre'
import { isAmbiguous } from './ambiguous.mjs'

/** A repetition with a larger bound than this counts as unbounded. */
const BOUND_MAX = 1_000
const NODES_MAX = 20_000

/** The problem in a few words, or null if the expression takes linear time. `polynomial` time is harmless if the length of the text is bounded. */
export function judged({ source, flags }) {
  const { reports } = analyse({ source, flags })
  const exponential = reports.find((report) => report.exponential)
  if (exponential !== undefined) return { polynomial: false, why: 'takes exponential time' }
  const parts = partsOf(source, flags)
  const twice = readTwice(parts)
  if (twice !== null) return { polynomial: false, why: twice }
  const [report] = reports
  if (report !== undefined) return { polynomial: true, why: WHY[report.type](report) }
  const again = readAgain(parts)
  return again === null ? null : { polynomial: true, why: again }
}

const WHY = {
  Trade: ({ startQuant, endQuant }) => `may divide a text between ${startQuant.raw} and ${endQuant.raw} in many ways`,
  Self: ({ quant }) => `may divide a text within ${quant.raw} in many ways`,
  Move: ({ quant }) => `looks for ${quant.raw} again from each place of a run that it has read already`,
}

/** An expression, its repetitions without a bound, and automata of its parts. Assertions count as if they always held. */
function partsOf(source, flags) {
  const ast = new RegExpParser({ ecmaVersion: 2025 }).parseLiteral(`/${source}/${flags}`)
  const parser = JS.Parser.fromAst(ast)
  const maxCharacter = flags.includes('u') || flags.includes('v') ? 0x10ffff : 0xffff
  const limits = { assertions: 'ignore', unknowns: 'disable', infinityThreshold: BOUND_MAX }
  const nfaOf = (elements) => {
    const parsed = elements.map((element) => parser.parseElement(element, PARSING))
    const concatenation = {
      type: 'Concatenation',
      elements: parsed.flatMap(({ expression }) => elementsOf(expression)),
    }
    return NFA.fromRegex(withoutStarts(concatenation, maxCharacter), { maxCharacter }, limits)
  }
  const unbounded = []
  visitRegExpAST(ast.pattern, {
    onQuantifierEnter: (quantifier) => quantifier.max >= BOUND_MAX && unbounded.push(quantifier),
  })
  return { flags, nfaOf, unbounded, expressionOf: (element) => parser.parseElement(element, PARSING).expression }
}
const PARSING = { maxNodes: NODES_MAX, assertions: 'parse', backreferences: 'unknown' }

const asRun = (quantifier) => ({ ...quantifier, min: 0, max: Infinity })

/** The analyser does not check alternatives that read the same text. */
function readTwice({ expressionOf, unbounded }) {
  for (const quantifier of unbounded) {
    const { element } = quantifier
    if (element.type !== 'Group' && element.type !== 'CapturingGroup') continue
    // If nothing after it can fail, only the first way of reading is tried.
    if (behind(quantifier).every(isNullable)) continue
    const ambiguous = isAmbiguous(expressionOf(element))
    if (ambiguous === null) return `is too large to be judged at ${quantifier.raw}`
    if (ambiguous) return `takes exponential time: ${quantifier.raw} can read the same text in two ways`
  }
  return null
}

/**
 * The analyser knows a repetition that begins an expression. This knows one behind a beginning: where the beginning may stand within the
 * run of the repetition, as in /a.*b/, each place where it stands reads the rest of the run again.
 */
function readAgain({ flags, nfaOf, unbounded }) {
  if (flags.includes('y')) return null
  for (const quantifier of unbounded) {
    const path = pathTo(quantifier, flags)
    // The analyser checks the beginning of an expression itself, with its assertions.
    if (path === null || path.before.every(({ type }) => type === 'Assertion') || path.after.every(isNullable)) continue
    const run = nfaOf([asRun(quantifier)])
    if (path.line && isDisjointWith(nfaOf([LINE_WITHIN]), run)) continue
    if (isDisjointWith(nfaOf(path.before), run)) continue
    return `reads ${quantifier.raw} again from each place within it where ${path.before.map(({ raw }) => raw).join('')} stands`
  }
  return null
}

/** A text has only one start, so an alternative that begins there is not tried at other places. */
function withoutStarts(node, maxCharacter) {
  if (node.type === 'Assertion' && node.kind === 'behind' && node.negate && isAnything(node)) {
    return { type: 'CharacterClass', characters: CharSet.empty(maxCharacter) }
  }
  const changed = { ...node }
  for (const list of ['elements', 'alternatives']) {
    if (node[list] !== undefined) changed[list] = node[list].map((child) => withoutStarts(child, maxCharacter))
  }
  return changed
}

const isAnything = ({ alternatives: [only, ...others] }) =>
  others.length === 0 && only?.elements.length === 1 && only.elements[0]?.characters?.isAll === true

const elementsOf = (expression) =>
  expression.alternatives.length === 1
    ? expression.alternatives[0].elements
    : [{ type: 'Alternation', alternatives: expression.alternatives }]

function behind(part) {
  const found = []
  for (let node = part; node.type !== 'Pattern'; node = node.parent) {
    const { parent } = node
    if (parent.type === 'Alternative') found.push(...parent.elements.slice(parent.elements.indexOf(node) + 1))
    if (parent.type === 'Assertion') found.push(parent)
  }
  return found
}

/** What stands before and behind a part on the way to it; null: it can begin at one place of a text only, or is part of an assertion. */
function pathTo(part, flags) {
  let before = []
  let after = []
  for (let node = part; node.type !== 'Pattern'; node = node.parent) {
    const { parent } = node
    if (parent.type === 'Assertion') return null
    if (parent.type !== 'Alternative') continue
    const at = parent.elements.indexOf(node)
    before = [...parent.elements.slice(0, at), ...before]
    after = [...after, ...parent.elements.slice(at + 1)]
  }
  const start = before.some(({ type, kind }) => type === 'Assertion' && kind === 'start')
  return start && !flags.includes('m') ? null : { before, after, line: start }
}

/** A run in which a line begins. */
const LINE_WITHIN = new RegExpParser().parseLiteral('/(?:[^]*[\\n\\r\\u2028\\u2029][^]*)/').pattern.alternatives[0]
  .elements[0]

/** Whether nothing of it can keep an expression from matching. */
function isNullable(element) {
  if (element.type === 'Quantifier') return element.min === 0 || isNullable(element.element)
  if (element.type === 'Group' || element.type === 'CapturingGroup')
    return element.alternatives.some(({ elements }) => elements.every(isNullable))
  return false
}
