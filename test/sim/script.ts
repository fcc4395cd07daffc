/** What a short script of the exhaustive part is: what the model says in order, how its client and its worker react, where it ends. */
import type { Report } from '../../src/core/terms/delegation.ts'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { Said } from '../support/random-reply.ts'

export type Phase =
  | 'plan'
  | 'thought'
  | 'replan'
  | 'evaluate'
  | 'summary'
  | 'think'
  | 'step_decision'
  | 'action'
  | 'turn'
  | 'result'
export interface Move {
  phase: Phase
  kind: 'good' | 'bad' | 'fail'
  reply: object
  /** A reply that is a text with native calls, in place of `reply`. */
  native?: Said
  /** What it leads to. */
  leads: 'act' | 'wait' | 'go' | 'end' | 'refused'
}
/** In a reply: which life of the task is asking. */
export const LIFE = '{life}'

/** The dataset of a script. */
export const DATASET = 'sales.csv'

export interface Script {
  name: string
  mode: ModeName
  settings: Settings
  moves: Move[]
  /** To a wait for a file: the name under which it is put, `say …` in place of it, or silence until the wait is over. */
  answers: string[]
  /** What is done about a pause, or about replies that broke their contract, one after the other; then the client leaves it. */
  remedies: ('continue' | 'put' | { steps: number } | { attempts: number })[]
  /** Whether the result has to be data. */
  typed: boolean
  /** The names that are asked in place of the default, in order. */
  fallbacks: string[]
  /** Actions that fail, by their number. */
  failing: number[]
  rounds: number
  /** What a second client does when this call is under way for the first time. */
  meanwhile: {
    at: string
    nth: number
    does: 'remark' | 'edit' | 'top-up' | 'cancel' | 'delete' | 'delete and create' | 'report' | 'put'
  } | null
  /** What a worker outside does, each time it is waited for. */
  reports: (Partial<Report> | 'silence')[]
  /** Ends that are possible; empty: exactly the one the accounting gives. */
  ends: string[]
  /** That end, of a script in which a lost call costs no step, or as it follows from the number of lost calls; null: it is predicted. */
  expects: Prediction | ((losses: number) => Prediction) | null
}

export interface Prediction {
  status: string
  stop_reason: string | null
  steps: number
  /** Actions that ran. */
  actions: number
}

type Rest = Partial<Omit<Script, 'name' | 'moves' | 'settings'>> & { settings?: Partial<Settings> }
export function script(name: string, moves: Move[], rest: Rest = {}): Script {
  const { settings = {}, ...more } = rest
  const plain = {
    answers: [],
    remedies: [],
    typed: false,
    fallbacks: [],
    failing: [],
    rounds: 1,
    meanwhile: null,
    reports: [],
    ends: [],
  }
  return { ...plain, mode: 'plan_execute', expects: null, ...more, name, moves, settings: Settings.parse(settings) }
}

/** A second client, at the `nth` call of that name. */
export const during = (at: string, nth: number, does: NonNullable<Script['meanwhile']>['does']) => ({
  meanwhile: { at, nth, does },
})
