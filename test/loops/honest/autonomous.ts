/** Replies of mode autonomous: blocks and one call each, and a report at the end. In a staged run the program says what is to be done. */
import { WORDS } from '../../../src/core/mode/autonomous-words.ts'
import { bookingOf, factOf, jobOf, jobsIn, namesIn, queryOf, questionOf, titleOf, type Job } from '../goal.ts'
import { calling } from '../../support/scripted.ts'
import { choiceOf, answerOf, codeFor, type Sight } from './mind.ts'
import { askOf } from './session.ts'

export function autonomous(sight: Sight) {
  const { request } = sight
  const goal = request.messages.find(({ role, content }) => role === 'user' && jobsIn(content).length > 0)
  const jobs = jobsIn(goal?.content ?? '')
  const stage = stageIn(sight)
  if (stage !== null) return staged(stage, jobs, sight)
  const next = jobs.findIndex((job) => !hasCalled(job, sight))
  const done = next === -1 ? jobs.length : next
  const job = jobs[done]
  if (job === undefined)
    return `${blocks('All is done.', jobs, done)}\n# Report\n${answerOf(namesIn(jobs), sight)}\n---\n[ANALYSIS_COMPLETE]`
  if (job.deed === 'ask') return askOf(blocks('Only the user knows it.', jobs, done), job, sight)
  const thought = job.deed === 'choose' ? choiceOf(job.name, sight) : 'On with the next task.'
  return calling(blocks(thought, jobs, done), ['run_code', { code: codeOf(job, sight) }])
}

/** The last message of a staged run. null: the model leads itself. */
function stageIn({ request }: Sight): string | null {
  const [system, last] = [request.messages[0], request.messages.at(-1)]
  const isStaged = system?.content.startsWith(WORDS.en.staged) === true
  return isStaged && last?.role === 'user' ? last.content : null
}

/** A task is a call, and then a sentence about what was found. */
function staged(stage: string, jobs: readonly Job[], sight: Sight) {
  if (stage.startsWith(WORDS.en.plan)) return blocks('All points are tasks.', jobs, 0)
  const [, title = ''] = /^Work on task \d+ of \d+, and on no other: (.+)$/m.exec(stage) ?? []
  const job = jobOf(title)
  if (job === null) return `# Report\n${answerOf(namesIn(jobs), sight)}`
  if (hasCalled(job, sight)) return conclusionOf(job, sight)
  return job.deed === 'ask' ? askOf('', job, sight) : calling('', ['run_code', { code: codeOf(job, sight) }])
}

function conclusionOf({ deed, name }: Job, sight: Sight): string {
  if (deed === 'choose') return choiceOf(name, sight)
  return deed === 'note' ? factOf(name, codeFor(name, sight)) : 'It is done.'
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
