/** The states of modes in heads of schema version 4, and how they are brought to version 5 (migrate.ts). */
import * as z from 'zod'
import type { HeadPointer } from '../../../core/terms/head.ts'
import { NumberedItem, Place } from './states-v3.ts'

const PlanV4 = z.looseObject({})
const PlanStateV4 = z.looseObject({ plan: PlanV4.transform((plan) => ({ ...plan, gone: [] })) })

/** Version 4 had no numbers for the finished items that have left the list, so they get the highest free ones. */
const PlanExecuteV4 = z
  .looseObject({
    plan: z.looseObject({ items: z.array(NumberedItem), ends: z.array(z.unknown()), next_id: z.int() }),
    finished: z.array(Place),
  })
  .transform(({ finished, plan, ...state }) => {
    const places = finished.slice(0, Math.max(0, finished.length - plan.ends.length))
    const taken = new Set(plan.items.map(([number]) => number))
    const free = Array.from({ length: plan.next_id - 1 }, (_, index) => index + 1).filter((one) => !taken.has(one))
    const gone = places.map((place, index) => [free.at(index - places.length), ...place, 'completed', null])
    return { refused: null, seen: [], heard: false, ...state, plan: { ...plan, gone } }
  })

/** Version 4 had neither questions in conversations nor the guard against repeated calls. */
const ADDED_TO_CALLS = { clarifications: [], seen: [] }

/**
 * Until version 4 mode dynamic counted replies that broke their contract, and refused actions, among its observations. It asked no
 * questions, and did not compare the results of actions.
 */
const DynamicV4 = z
  .looseObject({
    plan: PlanV4.transform((plan) => ({ ...plan, gone: [] })),
    step: z
      .looseObject({ observed: z.int() })
      .transform((step) => ({ ...step, observed: undefined, refused: 0, seen: [] })),
  })
  .transform((state) => ({ ...state, clarifications: [], asked: 0, hints: [] }))

/** Version 4 waited for no file. A marker with open tasks ended a run at once. */
const ADDED_TO_AUTONOMOUS = {
  ...ADDED_TO_CALLS,
  kept: null,
  missing: null,
  waits: 0,
  declined: false,
  arrived: null,
}

/** The reports that a head of version 4 names. It had no list of them. */
const OrchestratorV4 = z
  .looseObject({
    plan: PlanV4.transform((plan) => ({ ...plan, gone: [] })),
    step: z.looseObject({ report: z.int().nullable(), session: z.int().nullable() }),
    session: z.int().nullable(),
    pitfalls: z.array(z.int()),
  })
  .transform(({ step, ...state }) => {
    const named = [...state.pitfalls, state.session, step.session, step.report].filter((row) => row !== null)
    const reports = [...new Set(named)].sort((one, other) => one - other)
    return { ...state, step: { ...step, sent: null }, reports, report_count: reports.length, seen: [] }
  })

/** Until version 4 only plan_execute remembered the finished items that had left the list. */
export const STATES_V4: Readonly<Record<string, z.ZodType<object>>> = {
  plan_execute: PlanExecuteV4,
  dynamic: DynamicV4,
  autonomous: PlanStateV4.transform((state) => ({ ...ADDED_TO_AUTONOMOUS, ...state })),
  session: PlanStateV4.or(z.looseObject({ plan: z.null() })).transform((state) => ({
    ...ADDED_TO_CALLS,
    answering: null,
    kept: null,
    told: 0,
    ...state,
  })),
  orchestrator: OrchestratorV4,
}

/** What a head of version 4 cannot tell, of any mode. An answer such as "yes" to an orchestrated task was an instruction then. */
export const GUESSED_V4: readonly HeadPointer[] = [
  '/budget/token_kinds',
  '/state/plan/gone',
  '/state/plan/left',
  '/state/plan/ends',
  '/state/seen',
  '/state/failed',
  '/state/observations',
  '/state/step/refused',
  '/state/step/seen',
  '/state/hints',
  '/state/reports',
  '/state/report_count',
  '/state/step/sent',
  '/state/step/session',
  '/state/step/instruction',
  '/state/refused',
  '/state/heard',
]
