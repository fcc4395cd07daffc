/** Replies of mode autonomous: blocks and one call each, and a report at the end. */
import { bookingOf, jobsIn, namesIn, queryOf, questionOf, titleOf, type Job } from '../goal.ts'
import { calling } from '../../support/scripted.ts'
import { choiceOf, answerOf, codeFor, type Sight } from './mind.ts'
import { askOf } from './session.ts'

export function autonomous(sight: Sight) {
  const { request } = sight
  const goal = request.messages.find(({ role, content }) => role === 'user' && jobsIn(content).length > 0)
  const jobs = jobsIn(goal?.content ?? '')
  const next = jobs.findIndex((job) => !hasCalled(job, sight))
  const done = next === -1 ? jobs.length : next
  const job = jobs[done]
  if (job === undefined)
    return `${blocks('All is done.', jobs, done)}\n# Report\n${answerOf(namesIn(jobs), sight)}\n---\n[ANALYSIS_COMPLETE]`
  if (job.deed === 'ask') return askOf(blocks('Only the user knows it.', jobs, done), job, sight)
  const thought = job.deed === 'choose' ? choiceOf(job.name, sight) : 'On with the next task.'
  return calling(blocks(thought, jobs, done), ['run_code', { code: codeOf(job, sight) }])
}

const blocks = (thought: string, jobs: readonly Job[], done: number): string =>
  `<thinking>${thought}</thinking>\n\n<tasks>\n${jobs
    .map((job, index) => `- [${index < done ? 'x' : ' '}] ${titleOf(job)}`)
    .join('\n')}\n</tasks>`

const hasCalled = (job: Job, { request }: Sight): boolean =>
  request.messages
    .flatMap((message) => ('tool_calls' in message ? (message.tool_calls ?? []) : []))
    .some(({ arguments: args }) => args.includes(wordsOf(job)))

function wordsOf(job: Job): string {
  const { deed, name } = job
  if (deed === 'ask') return questionOf(name)
  if (deed === 'choose') return `keep('the ${name} choice')`
  return deed === 'book' ? `Booking under the ${name} code` : `print('${queryOf(job)}')`
}

const codeOf = (job: Job, sight: Sight): string =>
  job.deed === 'book' ? `print('${bookingOf(job.name, codeFor(job.name, sight))}')` : wordsOf(job)
