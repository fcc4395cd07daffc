/** What all honest models share: they read their request, and tell what is missing in it. */
import type { ModelRequest } from '../../../src/shell/ports.ts'
import { bookingOf, factOf, type Job } from '../goal.ts'
import { codeIn, textOf } from '../request.ts'
import { calling, type Calling } from '../../support/scripted.ts'

/** Stands for a code that a request does not have. */
const UNKNOWN = 'XXXXXXXX'

export interface Mind {
  /** Thinks up a code. It is forgotten unless the request of a later call has it. */
  choose(name: string): string
  /** How often a code was needed. */
  needed: number
  /** What a request should have had, as sentences. */
  lacks: string[]
}

export interface Sight {
  request: ModelRequest
  text: string
  mind: Mind
  /** What the model has thought up in this very reply. */
  own: Map<string, string>
}

export const sightOf = (request: ModelRequest, mind: Mind): Sight => ({
  request,
  text: textOf(request),
  mind,
  own: new Map(),
})

/** A choice of the model, as a sentence. */
export function choiceOf(name: string, { mind, own }: Sight): string {
  const code = mind.choose(name)
  own.set(name, code)
  return factOf(name, code)
}

/** The code of a name, which has to stand in the request. */
export function codeFor(name: string, { request, text, mind, own }: Sight): string {
  mind.needed += 1
  const code = own.get(name) ?? codeIn(text, name)
  if (code !== null) return code
  const { seq, phase } = request.metadata
  mind.lacks.push(`the request of row ${seq} (${phase}) does not have the ${name} code`)
  return UNKNOWN
}

export const answerOf = (names: readonly string[], sight: Sight): string =>
  `All points are worked off. ${names.map((name) => `${name}: ${codeFor(name, sight)}`).join(', ')}`.trim()

/** How a native tool takes its one text. */
const TEXT_ARGUMENTS: Record<string, string> = { internet_search: 'query', todo: 'command', think: 'thought' }
function argumentsOf(tool: string, input: string, more: object): [string, object] {
  const name = TEXT_ARGUMENTS[tool]
  return [tool, { ...(name === undefined ? JSON.parse(input) : { [name]: input }), ...more }]
}
export const callOf = (said: string, tool: string, input: string, more: object = {}): Calling =>
  calling(said, argumentsOf(tool, input, more))

export const bookingWords = (name: string): string => `Booking under the ${name} code`

/** The tool and the input by which a code is booked, or written into a file where files can be written. */
export function bookingFor({ deed, name }: Job, sight: Sight): [tool: string, input: string] {
  const booking = bookingOf(name, codeFor(name, sight))
  return deed === 'write' && sight.text.includes('write_file')
    ? ['write_file', JSON.stringify({ name: `${name}.md`, content: booking })]
    : ['todo', `/todo add ${booking}`]
}
