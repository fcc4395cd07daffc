/** Replies of mode plan_execute. */
import { factOf, jobOf, jobsIn, namesIn, queryOf, questionOf, titleOf, type Job } from '../goal.ts'
import { contextOf, openTitles, textAt, wasAnswered, wasMade } from '../request.ts'
import { choiceOf, answerOf, bookingFor, bookingWords, callOf, codeFor, type Sight } from './mind.ts'

export function planExecute(sight: Sight) {
  const context = contextOf(sight.request)
  const jobs = jobsIn(textAt(context, 'goal'))
  switch (textAt(context, 'phase')) {
    case 'plan':
      return { status: 'planned', plan: jobs.map(titleOf) }
    case 'thought':
      return thought(sight, context)
    case 'replan': {
      const open = openTitles(context)
      return open.length > 0
        ? { status: 'replanned', plan: open, response: null }
        : { status: 'done', plan: [], response: answerOf(namesIn(jobs), sight) }
    }
    default:
      throw new Error(`unknown phase: ${textAt(context, 'phase')}`)
  }
}

function thought(sight: Sight, context: Record<string, unknown>) {
  const job = jobOf(textAt(context.current_item, 'title'))
  if (job === null) return done(null)
  const { deed, name } = job
  switch (deed) {
    case 'choose':
      return done(choiceOf(name, sight))
    case 'ask':
      return wasAnswered(context, `${name} code`) ? done(null) : ask(questionOf(name))
    case 'book':
    case 'write':
    case 'inquire':
      if (deed === 'inquire' && !wasAnswered(context, `${name} code`)) return ask(questionOf(name))
      return wasMade(context, bookingWords(name)) ? done(null) : act(sight, job, ...bookingFor(job, sight))
    default:
      if (!wasMade(context, queryOf(job))) return act(sight, job, 'internet_search', queryOf(job))
      return done(deed === 'note' ? factOf(name, codeFor(name, sight)) : null)
  }
}

/** With native tools, an item that needs no conclusion ends with its action. */
function act({ request }: Sight, { deed }: Job, tool: string, input: string) {
  const ends_item = deed !== 'note'
  if (request.tools.length > 0) return callOf('', tool, input, { why: 'It is the next thing to do.', ends_item })
  const current_step = 'This is the next thing to do.'
  return { status: 'continue', current_step, next_action: { tool, input }, question: null, response: null }
}
const ask = (question: string) => ({
  status: 'ask_user',
  current_step: 'Only the user knows it.',
  next_action: null,
  question,
  response: null,
})
const done = (response: string | null) => ({
  status: 'done',
  current_step: 'The point is done.',
  next_action: null,
  question: null,
  response,
})
