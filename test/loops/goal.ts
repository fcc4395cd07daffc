/**
 * Goals of tasks in which a secret code is found, chosen or told in one item and needed in another. A code is random, so that a
 * model can know it only from its request.
 */

export type Deed = 'find' | 'note' | 'choose' | 'ask' | 'book' | 'check' | 'inquire' | 'write'
/** One point of a goal. `name` is the name of a code, or of a shelf for `check`. */
export interface Job {
  deed: Deed
  name: string
}

const TITLES: Record<Deed, [before: string, after: string]> = {
  /** The result of an action has the code, and the conclusion does not repeat it. */
  find: ['Look up the ', ' code'],
  /** The conclusion repeats the code of the result. */
  note: ['Look up and note the ', ' code'],
  /** The conclusion alone has the code. */
  choose: ['Choose the ', ' code'],
  /** The answer of the user has the code. */
  ask: ['Ask the user for the ', ' code'],
  /** The code is needed. */
  book: ['Book under the ', ' code'],
  /** Work that has nothing to do with codes. */
  check: ['Check the ', ' shelf'],
  /** The answer of the user is needed in the same item. */
  inquire: ['Ask for, and book under, the ', ' code'],
  /** The code is needed in a file. */
  write: ['Write a file with the ', ' code'],
}
const DEEDS: Deed[] = ['note', 'find', 'choose', 'ask', 'book', 'check', 'inquire', 'write']

export const titleOf = ({ deed, name }: Job): string => TITLES[deed].join(name)

/** The job that a title names. null: the title names none. */
export function jobOf(title: string): Job | null {
  const text = title.trim()
  for (const deed of DEEDS) {
    const [before, after] = TITLES[deed]
    const name = text.slice(before.length, -after.length)
    if (text.startsWith(before) && text.endsWith(after) && /^\w+$/.test(name)) return { deed, name }
  }
  return null
}

/** The names of the codes that a goal is about, in their order. */
export const namesIn = (jobs: readonly Job[]): string[] => [
  ...new Set(jobs.filter(({ deed }) => deed !== 'check').map(({ name }) => name)),
]

const TELL = 'Finish with an answer that names every code'
export const goalOf = (jobs: readonly Job[]): string =>
  `Work off these points in order:\n${jobs.map((job) => `- ${titleOf(job)}`).join('\n')}\n${TELL}.`

/** The jobs of a goal. */
export const jobsIn = (goal: string): Job[] =>
  goal.split('\n').flatMap((line) => (line.startsWith('- ') ? (jobOf(line.slice(2)) ?? []) : []))

export const factOf = (name: string, code: string): string => `The ${name} code is ${code}.`
export const bookingOf = (name: string, code: string): string => `Booking under the ${name} code ${code}`
export const queryOf = ({ deed, name }: Job): string => (deed === 'check' ? `${name} shelf` : `${name} code`)
export const questionOf = (name: string): string => `Which ${name} code shall be used?`

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_CHARS = 8

/** Random codes of a seed (mulberry32). */
export function codesOf(seed: number): () => string {
  let state = seed >>> 0
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return () => Array.from({ length: CODE_CHARS }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('')
}
