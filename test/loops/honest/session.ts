/** Replies of mode session: each calls one tool, and says first that the step before is done. */
import { bookingOf, jobsIn, namesIn, queryOf, questionOf, titleOf, type Job } from '../goal.ts'
import { calling } from '../../support/scripted.ts'
import { choiceOf, answerOf, callOf, codeFor, type Sight } from './mind.ts'

export function session(sight: Sight) {
  const jobs = jobsIn(goalIn(sight))
  const next = jobs.find((job) => !hasCalled(job, sight))
  if (next === undefined) return `[Done]\n${answerOf(namesIn(jobs), sight)}`
  const isFirst = next === jobs[0]
  return callFor(next, isFirst ? `${jobs.map((job) => `[Step] ${titleOf(job)}`).join('\n')}` : '[Done]', sight)
}

/** The goal is the first message of the user. */
const goalIn = ({ request }: Sight): string =>
  request.messages.find(({ role, content }) => role === 'user' && jobsIn(content).length > 0)?.content ?? ''

const callsIn = ({ request }: Sight) =>
  request.messages.flatMap((message) => ('tool_calls' in message ? (message.tool_calls ?? []) : []))

/** Whether a call of the conversation was about this job. */
const hasCalled = (job: Job, sight: Sight): boolean =>
  callsIn(sight).some(({ arguments: args }) => args.includes(wordsOf(job)))

function wordsOf(job: Job): string {
  const { deed, name } = job
  if (deed === 'ask') return questionOf(name)
  if (deed === 'choose') return `the ${name} code is chosen`
  return deed === 'book' ? `Booking under the ${name} code` : queryOf(job)
}

function callFor(job: Job, said: string, sight: Sight) {
  const { deed, name } = job
  switch (deed) {
    case 'choose':
      return callOf(`${said}\n${choiceOf(name, sight)}`, 'todo', `/todo add ${wordsOf(job)}`)
    case 'ask':
      return askOf(said, job, sight)
    case 'book':
      return callOf(said, 'todo', `/todo add ${bookingOf(name, codeFor(name, sight))}`)
    default:
      return callOf(said, 'internet_search', queryOf(job))
  }
}

/** A model can ask only with a tool that is offered. */
export function askOf(said: string, { name }: Job, { request, mind }: Sight) {
  const isOffered = request.tools.some((tool) => tool.name === 'ask_user')
  if (!isOffered) mind.lacks.push(`the request of row ${request.metadata.seq} does not offer ask_user`)
  return calling(said, ['ask_user', { question: questionOf(name) }])
}
