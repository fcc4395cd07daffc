/**
 * The task that everything is measured on, as what its model says. Each item of its plan costs four steps: a thought that calls for a
 * tool, the tool, a thought that ends the item, a replan. The plan always has five items left, so the task goes on as long as its budget.
 */
export const BENCH_GOAL = 'Prepare the move of the office to the new building'
/** The rows before the first step: the task itself and its plan. */
const FIRST_STEP_SEQ = 3
const STEPS_PER_ITEM = 4

const PLAN = ['Ask for offers', 'Compare the offers', 'Book the movers', 'Tell the neighbours', 'Hand over the keys']
/**
 * Changes a todo that has to be there, so that the list stays as long as it is. The text is another one at each row, because an action that
 * brings the same result again is refused.
 */
export const toolCall = (seq: number) => ({ tool: 'todo', input: `/todo update 1 Order ${seq} boxes` })
export const TOOL_NEEDS = '/todo add Order boxes'

/**
 * By the name of its model: `bench` is the task as above; `bench-20` the same, completed by its 20th step; `bench-thoughts` calls no tool, so
 * each of its requests is one model call; `bench-actions` calls a tool at every thought and never ends its item.
 */
export const KINDS = ['bench', 'bench-20', 'bench-thoughts', 'bench-actions'] as const
export type Kind = (typeof KINDS)[number]

const thought = (fields: object) => ({
  current_step: null,
  next_action: null,
  question: null,
  response: null,
  ...fields,
})
const continueAt = (seq: number) =>
  thought({ status: 'continue', current_step: 'The boxes are ordered next.', next_action: toolCall(seq) })
const DONE = thought({ status: 'done', response: 'This part is prepared; nothing of it is left open.' })
const REPLANNED = { status: 'replanned', plan: PLAN, response: null }
const CLOSED = { status: 'done', plan: [], response: 'Everything is prepared.' }

/** What the model of this task replies to the effect of row `seq`. */
export function replyOf(kind: Kind, phase: string, seq: number): object {
  if (phase === 'plan') return { status: 'planned', plan: PLAN }
  const step = seq - FIRST_STEP_SEQ
  if (phase === 'replan') return kind === 'bench-20' && step >= 19 ? CLOSED : REPLANNED
  if (kind === 'bench-thoughts') return DONE
  if (kind === 'bench-actions') return continueAt(seq)
  return step % STEPS_PER_ITEM === 0 ? continueAt(seq) : DONE
}

/** Rounds that make this many steps from a fresh plan on: a thought with its tool is one round of two steps. */
export function roundsOf(steps: number): number {
  const rest = steps % STEPS_PER_ITEM
  return Math.floor(steps / STEPS_PER_ITEM) * (STEPS_PER_ITEM - 1) + (rest < 2 ? rest : rest - 1)
}
