/** Replies of mode dynamic, in three calls or in one. */
import { factOf, jobOf, jobsIn, namesIn, queryOf, questionOf, titleOf, type Job } from '../goal.ts'
import { contextOf, openTitles, textAt, wasAnswered, wasMade } from '../request.ts'
import { choiceOf, answerOf, bookingFor, bookingWords, callOf, codeFor, type Sight } from './mind.ts'

type Members = Record<string, unknown>

export function dynamic(sight: Sight) {
  const context = contextOf(sight.request)
  const phase = textAt(context, 'phase')
  if (phase === 'plan') {
    const steps = jobsIn(textAt(context, 'goal')).map((job) => ({
      name: titleOf(job),
      description: '',
      expected_output: '',
    }))
    return { steps }
  }
  const job = jobOf(textAt(context.current_item, 'title') || textAt(context.current_item, 'name'))
  if (job === null) throw new Error(`no step is named: ${JSON.stringify(context.current_item)}`)
  if (phase === 'think') return { thought: 'It is clear what comes next.' }
  if (phase === 'action') return actionOf(job, sight)
  const decision = decide(job, sight, context)
  if (context.merged !== true && phase !== 'move') return decision
  if (decision.is_complete) return { thought: 'It is done.', ...decision, action: null }
  const action = actionOf(job, sight)
  if (sight.request.tools.length === 0 || typeof action.input !== 'string')
    return { thought: 'On with it.', ...decision, action }
  return callOf('On with it.', action.tool, action.input, { why: 'It is next.', ends_item: job.deed !== 'note' })
}

function decide(job: Job, sight: Sight, context: Members) {
  const is_complete = isDone(job, context)
  const reason = !is_complete ? 'It is not done yet.' : conclusionOf(job, sight)
  const isLast = openTitles(context).length <= 1
  const names = namesIn(jobsIn(textAt(context, 'goal')))
  const answer = is_complete && isLast ? { answer: answerOf(names, sight) } : {}
  return { is_complete, reason, add_steps: [], remove_steps: [], ...answer }
}

function isDone({ deed, name }: Job, context: Members): boolean {
  switch (deed) {
    case 'choose':
      return true
    case 'ask':
      return wasAnswered(context, `${name} code`)
    case 'book':
    case 'write':
    case 'inquire':
      return wasMade(context, bookingWords(name))
    default:
      return wasMade(context, queryOf({ deed, name }))
  }
}

function conclusionOf({ deed, name }: Job, sight: Sight): string {
  if (deed === 'choose') return choiceOf(name, sight)
  return deed === 'note' ? factOf(name, codeFor(name, sight)) : 'The step is done.'
}

function actionOf(job: Job, sight: Sight) {
  const { deed, name } = job
  const save_as = null
  const isAsked = deed === 'inquire' && wasAnswered(contextOf(sight.request), `${name} code`)
  if (deed === 'ask' || (deed === 'inquire' && !isAsked))
    return { tool: 'ask_user', input: { question: questionOf(name) }, save_as }
  if (deed === 'book' || deed === 'write' || deed === 'inquire') {
    const [tool, input] = bookingFor(job, sight)
    return { tool, input, save_as }
  }
  return { tool: 'internet_search', input: queryOf(job), save_as }
}
