/** Replies of mode orchestrator, and its worker, who knows only the command. */
import type { Command } from '../../../src/core/terms/delegation.ts'
import { bookingOf, factOf, jobOf, jobsIn, namesIn, questionOf, titleOf } from '../goal.ts'
import { codeIn, contextOf, textAt } from '../request.ts'
import { choiceOf, answerOf, type Mind, type Sight } from './mind.ts'

export function orchestrator(sight: Sight) {
  const context = contextOf(sight.request)
  const jobs = jobsIn(textAt(context, 'goal'))
  switch (textAt(context, 'phase')) {
    case 'plan':
      return {
        steps: jobs.map((job) => ({ title: titleOf(job), description: '', constraints: '', expected_output: '' })),
      }
    case 'evaluate':
      return evaluate(sight, textAt(context.current_item, 'title'))
    case 'summary':
      return answerOf(namesIn(jobs), sight)
    default:
      throw new Error(`unknown phase: ${textAt(context, 'phase')}`)
  }
}

function evaluate(sight: Sight, title: string) {
  const job = jobOf(title)
  if (job?.deed === 'ask' && codeIn(sight.text, job.name) === null)
    return { decision: 'ask', reason: 'Only the user knows it.', question: questionOf(job.name), adjusted_steps: [] }
  const reason = job?.deed === 'choose' ? choiceOf(job.name, sight) : 'The step is done.'
  return { decision: 'next', reason, adjusted_steps: [] }
}

/** What the worker finds out and does: `results` is its report. */
export function workOff(
  { task, constraints, expected_output }: Command,
  row: number,
  world: { codeOf(name: string): string; book(text: string): void },
  mind: Mind,
): string {
  const text = [task, constraints, expected_output].join('\n')
  const job = jobOf(text.split('\n', 1)[0] ?? '')
  if (job === null) return 'The command names no work.'
  const { deed, name } = job
  if (deed === 'find' || deed === 'note') return `It was looked up in the register. ${factOf(name, world.codeOf(name))}`
  if (deed !== 'book') return deed === 'check' ? `The ${name} shelf is in order.` : 'It was noted.'
  mind.needed += 1
  const code = codeIn(text, name)
  if (code === null) mind.lacks.push(`the command of row ${row} does not have the ${name} code`)
  else world.book(bookingOf(name, code))
  return 'It was booked.'
}
