/** Cuts a line of a goal into steps, constraints and statements: at sentences, at `then`, and at `and` before work. */
import { leadingConstraint } from './chinese.ts'
import {
  beginsConstraint,
  binds,
  cuts,
  isCondition,
  isConstraint,
  isHint,
  isObliged,
  isOrderOrGreeting,
  isWork,
  pieceKindOf,
  withoutPoliteness,
  type PieceKind,
} from './work.ts'

export interface GoalPart {
  kind: PieceKind
  text: string
}

const SENTENCE =
  /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|eq|sec|ch|dr|mr|mrs|ms|st|al|resp|incl|ver|inc|ltd))\.+(?=\s|$)|(?<=[^\d\s])\.(?=\p{Script=Han})|[!?]+(?=\s|$)|[。！？；;]+/giu

/** The sentences without their end marks; a question keeps its mark. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let at = 0
  for (const { 0: end, index } of text.matchAll(SENTENCE)) {
    sentences.push(text.slice(at, index) + (/[?？]/u.test(end) ? end : ''))
    at = index + end.length
  }
  return [...sentences, text.slice(at)].filter((sentence) => /[\p{L}\p{N}\uE000-\uF8FF]/u.test(sentence))
}

/** `firm`: cuts nearly always; `soft`: cuts only before work or a constraint. Blanks are single, so no pattern can take long. */
const JOINTS = new RegExp(
  [
    '(?<firm>,? (?:and |but )?(?<!\\b(?:by|since|until|till|back|rather|more|less|just) )(?:then|after that|afterwards?|subsequently)\\b[, ]*|[,，、 ]{0,2}(?:然后再?|接着再?|接下来|随后|其次)[,，:： ]*)',
    '(?<clause> (?=(?:without|using only|with only|with no|only (?:after|by|for|if|in|on|using|when|with)|while (?:keeping|maintaining|preserving|not))\\b))',
    '(?<soft> ?[,，、] ?(?:(?:and|but|so|plus|as well as|以及|并且|而且|并|且|同时|但是|但|再(?![次现])|最后|还要|还需要?|也要|也|还) ?)?| (?:and|&|plus|as well as|but|→|⇒|->|=>) |以及|并且|而且|(?<![合一归兼])并(?![发行列联网集排入购不非无])|(?<![而并暂姑尚况])且|(?<![不非])但是?|同时|再(?![次现见生度利也者说三])|最后|→)',
  ].join('|'),
  'giu',
)
/** The characters that are checked behind a joint; this bounds the time for a long goal. */
const AHEAD = 120
const HEAD = 200

/** `whole`: only constraints are cut off, for a text that was listed as one step. */
export function goalPartsOf(text: string, whole: boolean): GoalPart[] {
  return sentencesOf(text.replaceAll(/ {2,}/gu, ' '))
    .flatMap((sentence, index) => segmentsOf(sentence.trim(), whole, index > 0))
    .map(({ kind, text: said }) => ({ kind, text: kind === 'step' ? withoutQuestion(said) : trimPart(said) }))
    .filter(({ text: said }) => /[\p{L}\p{N}\uE000-\uF8FF]/u.test(said))
}

/** Reads a request in the form of a question as a request. */
function withoutQuestion(said: string): string {
  const text = trimPart(withoutPoliteness(said))
  return isWork(text) ? text.replace(/[?？]$/u, '') : text
}

const trimPart = (text: string) =>
  text
    .trim()
    .replace(/^(?:(?:and|but|so) |[,，、;；:：.。]\s*|但是?|并且|而且|同时)+/iu, '')
    .replace(/[\s,，、;；:：.。!！]{1,20}$/u, '')

function segmentsOf(sentence: string, whole: boolean, follows: boolean): GoalPart[] {
  const leading = leadingConstraint(sentence)
  if (leading !== null && leading.rest !== '') {
    return [{ kind: 'constraint', text: leading.constraint }, ...segmentsOf(leading.rest, whole, follows)]
  }
  if (follows && isHint(sentence.trim())) return [{ kind: 'context', text: sentence }]
  const parts: GoalPart[] = []
  let at = 0
  let kind = pieceKindOf(sentence.slice(0, HEAD))
  let waiting = isCondition(sentence.slice(0, HEAD))
  for (const { 0: sign, index, groups } of sentence.matchAll(JOINTS)) {
    const left = sentence.slice(at, index)
    const right = sentence.slice(index + sign.length, index + sign.length + AHEAD)
    if (left.trim() === '' || !/^ ?[^\s,，、]/u.test(right)) continue
    const joint = { sign, firm: groups?.['firm'] !== undefined, comma: /[,，、]/u.test(sign), listed: parts.length > 0 }
    const next = waiting ? null : nextKind(kind, left, right, joint, whole)
    // The work behind a condition has started.
    if (waiting && (joint.comma || joint.firm)) waiting = false
    if (next === null) continue
    parts.push({ kind, text: left })
    at = index + sign.length
    kind = next
    waiting = next !== 'constraint' && isCondition(withoutPoliteness(right))
  }
  return [...parts, { kind, text: sentence.slice(at) }].filter(({ text }) => !isOrderOrGreeting(text.trim()))
}

interface JointContext {
  sign: string
  firm: boolean
  comma: boolean
  listed: boolean
}

/** The kind of the piece behind a joint; null: it is no piece of its own. */
function nextKind(kind: PieceKind, left: string, right: string, joint: JointContext, whole: boolean): PieceKind | null {
  const bare = withoutPoliteness(right)
  if (!joint.firm && isLimit(bare, joint)) return attributive(left, bare) ? null : 'constraint'
  if (whole) return null
  if (joint.comma && isHint(bare)) return 'context'
  if (joint.firm) {
    const sure = joint.comma || /\b(?:and|but)\b/iu.test(joint.sign) || !/then|after|subseq/iu.test(joint.sign)
    return sure || isWork(bare) ? (isConstraint(bare) ? 'constraint' : 'step') : null
  }
  if (!joint.comma && (kind === 'context' || (kind === 'constraint' && binds(withoutPoliteness(left.slice(0, HEAD))))))
    return null
  if (/→|⇒|->|=>/u.test(joint.sign)) return isWork(bare) ? 'step' : null
  const near = left.length > HEAD ? left.slice(-HEAD) : withoutPoliteness(left)
  return cuts(near.trim(), right, joint.sign, joint) ? 'step' : null
}

const isLimit = (right: string, { comma }: JointContext): boolean =>
  beginsConstraint(right) || (comma && isObliged(right) && !isWork(right))

/** `requests that come without a token`: the clause says which, not how. */
const attributive = (left: string, right: string): boolean =>
  /^(?:without|only)\b/iu.test(right) &&
  /\b(?:that|which|who|when|if|occurs?|occurring|happen(?:s|ing)?|appears?|crash(?:es)?|errors?|fails?|users?|requests?|calls?|files?|handles?|cases?|people|clients?|rows|pages)\b[^,]*$/iu.test(
    left.slice(-80),
  )
