/** What fast-check draws: a run is a temper of the world and a list of moves, so that a found run shrinks to a short one. */
import * as fc from 'fast-check'
import { MANNERS, type Manner } from './bench.ts'

/** What a client may ask for. */
export const ASKS = [
  'step',
  'input',
  'todo',
  'command',
  'topUp',
  'cancel',
  'cancel phrase',
  'delete',
  'read',
  'list',
  'events',
  'journal',
  'dry run',
  'work',
] as const
export type Ask = (typeof ASKS)[number]

/** `n` picks: which gate, which bounds, which text. */
export type Move =
  | { kind: 'ask'; ask: Ask; n: number }
  /** The call at a gate is made, and its object is aborted on the way. */
  | { kind: 'call'; manner: Manner; n: number }
  /** The worker at a gate dies before its call, or with the answer to it. */
  | { kind: 'die'; after: boolean; n: number }
  /** A request comes again under its key. */
  | { kind: 'repeat'; n: number }
  /** The process dies, with every object, and every worker that shares it. */
  | { kind: 'reboot' }
  | { kind: 'wait'; ms: number }
  /** Commands are handed out, and a worker outside is heard of. */
  | { kind: 'outside'; n: number }
  /** Leases end under a worker that has just used a tool, and another request takes over. */
  | { kind: 'overtake'; n: number }

export interface Plan {
  /** Of the model's replies and of limits. */
  seed: number
  /** Whether Workers and objects live in processes of their own. */
  apart: boolean
  /** Whether the task is made before anything goes wrong. */
  ready: boolean
  moves: Move[]
}

const n = fc.nat(999)
const weighted = <T extends string>(weights: readonly [T, number][]) =>
  fc.oneof(...weights.map(([value, weight]) => ({ arbitrary: fc.constant(value), weight })))

const ask = weighted<Ask>(
  ASKS.map((name) => [
    name,
    { step: 10, input: 5, todo: 2, command: 3, topUp: 2, cancel: 2, delete: 3, list: 2, 'dry run': 4, work: 2 }[
      name as string
    ] ?? 1,
  ]),
)
const manner = weighted<Manner>(MANNERS.map((name) => [name, name === 'plain' ? 8 : 1]))
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ kind: fc.constant('call' as const), manner, n }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('ask' as const), ask, n }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('die' as const), after: fc.boolean(), n }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat' as const), n }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reboot' as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('overtake' as const), n }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('outside' as const), n }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1_000, 70_000, 70_000) }),
  },
)

export const plan: fc.Arbitrary<Plan> = fc.record({
  seed: fc.nat(),
  apart: fc.boolean(),
  ready: fc.boolean(),
  moves: fc.array(move, { minLength: 1, maxLength: 20, size: 'max' }),
})
