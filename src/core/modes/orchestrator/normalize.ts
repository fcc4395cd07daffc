/** Corrects a reply before its contract is applied (O2-01): a bare list, steps as texts, other names, missing texts. No decision is guessed. */
import { Choices } from '../../terms/schema/answer-form.ts'
import { bareWord, readVerdict } from '../../mode/json/yes-no.ts'
import { membersOf, oneOf, stepsOf } from '../plan/reply-members.ts'

/** Numbers become texts, and lists of texts become lines. Texts are trimmed. A missing text is empty. */
function text(value: unknown): unknown {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((line) => typeof line === 'string')) return value.join('\n').trim()
  return typeof value === 'string' ? value.trim() : value
}

const TITLE_CHARS = 80

/** The title of a step. Without one, the first line of its description is used, or else its position. */
function titleFrom(title: unknown, description: unknown, place: number): unknown {
  if (title !== '') return title
  const first =
    typeof description === 'string' ? [...(description.split('\n', 1)[0] ?? '')].slice(0, TITLE_CHARS).join('') : ''
  return first === '' ? `Step ${place}` : first
}

const TITLES = ['title', 'name', 'step']
const STEP_MEMBERS = [...TITLES, 'description', 'task', 'constraints', 'expected_output', 'expectedOutput']

function step(value: unknown, index: number): unknown {
  const members = membersOf(value)
  if (members === null)
    return typeof value === 'string' || typeof value === 'number'
      ? { title: text(value), description: '', constraints: '', expected_output: '' }
      : value
  // An object without any known member is something else than a step, and no worker should get it as one.
  if (members.size > 0 && !STEP_MEMBERS.some((name) => members.has(name))) return value
  const description = text(oneOf(members, 'description', 'task'))
  const titles = members.has('description') ? [...TITLES, 'task'] : TITLES
  return {
    title: titleFrom(text(oneOf(members, ...titles)), description, index + 1),
    description,
    constraints: text(members.get('constraints')),
    expected_output: text(oneOf(members, 'expected_output', 'expectedOutput')),
  }
}

const steps = (value: unknown) => stepsOf(value, step)

export function normalizePlan(reply: unknown): unknown {
  if (Array.isArray(reply)) return { steps: steps(reply) }
  const members = membersOf(reply)
  return members === null ? reply : { steps: steps(oneOf(members, 'steps', 'plan')) }
}

const CURRENT_STEPS: ReadonlySet<unknown> = new Set(['done', 'failed', 'open'])

/** The choices of a question. They do not bind, so a list that cannot be offered is left out. */
function choicesIn(value: unknown): unknown {
  if (!Array.isArray(value)) return null
  const choices = value.map(text).filter((choice) => choice !== '')
  return Choices.safeParse(choices).success ? choices : null
}

/** Members that belong to another decision are dropped. */
export function normalizeEvaluation(reply: unknown): unknown {
  const members = membersOf(reply)
  if (members === null) return reply
  const decision = bareWord(text(members.get('decision')))
  const current_step = bareWord(members.get('current_step'))
  const question = text(members.get('question'))
  const isReplan = decision === 'replan'
  const isAsk = decision === 'ask'
  return {
    reason: text(members.get('reason')),
    decision,
    achieved: readVerdict(members.get('achieved')),
    current_step: isReplan && CURRENT_STEPS.has(current_step) ? current_step : null,
    adjusted_steps: isReplan ? steps(oneOf(members, 'adjusted_steps', 'steps', 'plan') ?? []) : [],
    question: isAsk && question !== '' ? question : null,
    choices: isAsk ? choicesIn(members.get('choices')) : null,
  }
}
