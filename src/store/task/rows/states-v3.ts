/** The states of modes in version 3, and how they become those of version 4. */
import * as z from 'zod'

/** [row, index]: which text of a row. */
export const Place = z.tuple([z.int(), z.int()])
const list = { row: z.int().nullable(), revision: z.int(), cursor: z.int(), next_id: z.int() }

const PlanExecuteV3 = z.looseObject({
  plan: z.object({ ...list, ids: z.array(z.int()), done: z.array(z.int()), places: z.array(Place).optional() }),
  finished_count: z.int(),
})

export const NumberedItem = z.tuple([z.int(), z.int(), z.int()])
const DynamicV3 = z.looseObject({
  plan: z.looseObject({
    items: z.array(NumberedItem),
    ends: z.array(z.int()),
    failed: z.array(z.tuple([z.int(), z.string()])),
  }),
  step: z.looseObject({}),
})

const StepV3 = z.object({ id: z.int(), at: Place, constraints: Place.optional() })
const OrchestratorV3 = z.looseObject({
  plan: z.looseObject({ items: z.array(StepV3) }),
  asks: z.array(z.looseObject({ item: StepV3 })),
})
const numberedStep = ({ id, at }: z.infer<typeof StepV3>) => [id, ...at]

const SessionV3 = z.looseObject({
  plan: z
    .looseObject({
      row: z.int(),
      first_id: z.int(),
      edited: z.object({ row: z.int(), ids: z.array(z.int()), next_id: z.int() }).optional(),
      steps: z.array(Place),
      done: z.array(z.tuple([z.int(), z.int(), z.array(z.int())])),
    })
    .nullable(),
  finished: z.int(),
})

function sessionPlan({ plan, finished }: z.infer<typeof SessionV3>) {
  if (plan === null) return null
  const { row: created, first_id, edited, steps, done, ...own } = plan
  return {
    ...own,
    row: edited?.row ?? created,
    created,
    cursor: done.length,
    items: steps.map((place, index) => [edited?.ids[index] ?? first_id + index, ...place]),
    ends: done.map(([row]) => ['completed', row]),
    efforts: done.map(([, spent, actions]) => [spent, actions]),
    next_id: edited?.next_id ?? first_id + steps.length,
    left: finished - done.length,
  }
}

const AutonomousV3 = z.looseObject({
  tasks: z
    .object({
      row: z.int(),
      items: z.array(z.tuple([z.int(), z.int(), z.int(), z.enum(['open', 'done', 'failed'])])),
      next_id: z.int(),
      revision: z.int(),
    })
    .nullable(),
})

function autonomousPlan(tasks: z.infer<typeof AutonomousV3>['tasks']) {
  if (tasks === null) return { row: null, revision: 0, cursor: 0, items: [], ends: [], next_id: 1, left: 0 }
  const states = tasks.items.map(([, , , state]) => state)
  const open = states.indexOf('open')
  const ends = states.map((state) => (state === 'open' ? null : [state === 'done' ? 'completed' : 'failed', null]))
  return {
    ...tasks,
    cursor: open === -1 ? states.length : open,
    items: tasks.items.map(([id, row, index]) => [id, row, index]),
    ends: ends.slice(0, ends.findLastIndex((end) => end !== null) + 1),
    left: 0,
  }
}

/** Until version 4 each mode had a plan of its own shape. */
export const STATES_V3: Readonly<Record<string, z.ZodType<object>>> = {
  plan_execute: PlanExecuteV3.transform(({ plan: { ids, done, places, ...plan }, finished_count, ...state }) => ({
    change: null,
    ...state,
    plan: {
      ...plan,
      items: ids.map((id, index) => [id, ...(places?.[index] ?? [plan.row, index])]),
      ends: done.map((row) => ['completed', row]),
      left: finished_count - done.length,
    },
    edited: places !== undefined,
  })),
  dynamic: DynamicV3.transform(({ plan: { items, ends, failed, ...plan }, step, ...state }) => {
    const causes = ends.map((_, index) => failed.find(([id]) => id === items[index]?.[0])?.[1] ?? null)
    return {
      change: null,
      ...state,
      plan: {
        left: 0,
        ...plan,
        items,
        ends: ends.map((row, index) => [causes[index] === null ? 'completed' : 'failed', row]),
        causes,
      },
      step: { begun: true, ...step },
    }
  }),
  autonomous: AutonomousV3.transform(({ tasks, ...state }) => ({ ...state, plan: autonomousPlan(tasks) })),
  session: SessionV3.transform(({ finished, ...state }) => ({
    ...state,
    plan: sessionPlan({ plan: state.plan, finished }),
  })),
  orchestrator: OrchestratorV3.transform(({ plan: { items, ...plan }, asks, ...state }) => ({
    ...state,
    plan: {
      ...plan,
      items: items.map(numberedStep),
      constraints: items.flatMap(({ id, constraints }) => (constraints === undefined ? [] : [[id, ...constraints]])),
    },
    asks: asks.map(({ item, ...ask }) => ({ ...ask, item: numberedStep(item) })),
  })),
}
