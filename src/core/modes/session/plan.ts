/** How declarations become a plan and its steps are completed (S4-11…S4-17, R21). Pure functions of the plan and the rows it names. */
import type { Brief, Note, Recall } from '../../terms/effect.ts'
import { currentId, editedText, itemNote, listNote, titlesOf, type ItemSource } from '../plan/items.ts'
import { currentItem, EMPTY_PLAN, endItem, type Item } from '../plan/plan.ts'
import { briefOf, type Context } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { requestAt, replyAt, type MarkedReply } from './replies.ts'
import { NEW_STEP, planOf, type SessionPlan, type SessionState } from './state.ts'

/** Bounds of a plan (U24). */
export const STEPS_MAX = 100
const TITLE_MAX = 500

export interface PlanChange {
  state: SessionState
  notes: Note[]
}

const templateOf = ({ settings }: Brief, index: number | null): readonly string[] =>
  index === null ? [] : (settings.plan_templates[index]?.steps ?? [])

/** Row 1 is the brief: its texts are those of the template. */
export const stepsOf = ({ template }: Pick<SessionPlan, 'template'>): ItemSource => ({
  prefix: 'step',
  textOf([, row, index], recall) {
    const { event } = recall(row)
    const text =
      event.kind === 'plan_edited'
        ? editedText(event.items[index])
        : editedText({ title: (row === 1 ? templateOf(briefOf(recall), template) : replyAt(recall, row).steps)[index] })
    return { ...text, title: cut(text.title, TITLE_MAX) }
  },
})

export const stepTitles = (plan: SessionPlan, recall: Recall): string[] => titlesOf(stepsOf(plan), plan, recall)

/** The step that is worked on; null: there is none. */
export function currentStep(state: SessionState): string | null {
  const plan = planOf(state)
  return plan === null ? null : currentId(stepsOf(plan), plan)
}

/** The first reply of a run makes its plan when it calls a tool (S4-13); it takes the place of a finished one (R21). */
export function planTurn(state: SessionState, said: MarkedReply, context: Context): PlanChange {
  const before = planOf(state)
  const plan = before ?? newPlan(state, said, context)
  return declared(state, { ...plan, iterations: plan.iterations + 1 }, said, context)
}

function newPlan(state: SessionState, { steps }: MarkedReply, { seq, brief, recall }: Context): SessionPlan {
  const { plan } = state
  const template = steps.length > 0 ? -1 : matching(brief, requestAt(recall, state.asked))
  const items = templateOf(brief, template === -1 ? null : template).map((_, index): Item => [
    (plan?.next_id ?? 1) + index,
    1,
    index,
  ])
  return {
    ...EMPTY_PLAN,
    ...NEW_STEP,
    row: seq,
    created: seq,
    asked: state.asked,
    template: template === -1 ? null : template,
    revision: (plan?.revision ?? 0) + 1,
    items,
    next_id: (plan?.next_id ?? 1) + items.length,
    left: completedSteps(plan),
    efforts: [],
    iterations: 0,
  }
}

/** Steps completed in all plans of a session. */
export const completedSteps = (plan: SessionPlan | null): number => (plan === null ? 0 : plan.left + plan.cursor)

/** S4-29: the template one of whose words the run was asked with; -1: none. */
function matching({ settings }: Brief, asked: string): number {
  const goal = asked.toLowerCase()
  return settings.plan_templates.findIndex(({ words }) => words.some((word) => goal.includes(word.toLowerCase())))
}

/** Takes up what a reply declares, tells of the plan where that changed it, and of its first step once there is one (S4-23). */
function declared(state: SessionState, plan: SessionPlan, said: MarkedReply, context: Context): PlanChange {
  const { recall, seq } = context
  const created = plan.created === seq
  const news = created ? said.steps.map((_, index) => index) : newSteps(plan, said, context)
  // An edit leaves what is done beside a whole list.
  const room = Math.max(0, STEPS_MAX - plan.items.length)
  const taken = news.slice(0, room)
  const next: SessionPlan = {
    ...plan,
    items: [...plan.items, ...taken.map((index, at): Item => [plan.next_id + at, seq, index])],
    next_id: plan.next_id + taken.length,
    revision: plan.revision + (created || taken.length === 0 ? 0 : 1),
  }
  const source = stepsOf(next)
  const told =
    created || taken.length > 0 ? [listNote(source, created ? 'plan_created' : 'plan_adjusted', next, recall)] : []
  // Observers know of the current step already, unless this reply brought the plan there.
  const known = !created && currentItem(plan) !== null
  return {
    state: { ...state, plan: next },
    notes: [
      ...told,
      ...boundsNote(news.length - taken.length, taken.filter(isLong(said)).length),
      ...(known ? [] : stepStarted(next, recall)),
    ],
  }
}

/**
 * A later reply that says the open steps again declares nothing new (S4-18), nor does one that says the whole list again, finished steps
 * and all, as models do; a single finished step that is declared is to be done once more.
 */
function newSteps(plan: SessionPlan, said: MarkedReply, { recall }: Context): number[] {
  if (said.steps.length === 0) return []
  const titles = stepTitles(plan, recall).map((title) => title.trim())
  const [all, open] = [new Set(titles), new Set(titles.slice(plan.cursor))]
  const declared = said.steps.map((title) => cut(title, TITLE_MAX))
  const restates = declared.some((title) => open.has(title)) || declared.filter((title) => all.has(title)).length > 1
  const known = restates ? all : open
  return declared.flatMap((title, index) => (known.has(title) ? [] : [index]))
}

const isLong = (said: MarkedReply) => (index: number) => (said.steps[index]?.length ?? 0) > TITLE_MAX

function boundsNote(ignored: number, long: number): Note[] {
  if (ignored === 0 && long === 0) return []
  const evidence = `${ignored} steps beyond ${STEPS_MAX} ignored, ${long} cut to ${TITLE_MAX} characters`
  return [{ type: 'loop_guard', payload: { guard: 'plan_bounds', count: ignored + long, evidence } }]
}

/** That the current step starts, where there is one. */
export const stepStarted = (plan: SessionPlan, recall: Recall): Note[] =>
  currentItem(plan) === null ? [] : [itemNote(stepsOf(plan), 'item_started', plan, recall)]

/** The current step is done; the next one, if there is one, starts. */
export function completeStep(state: SessionState, plan: SessionPlan, { seq, recall }: Context): PlanChange {
  const efforts = [...plan.efforts, [plan.spent, plan.recent] satisfies SessionPlan['efforts'][number]]
  const next: SessionPlan = { ...endItem(plan, 'completed', seq), ...NEW_STEP, efforts }
  return {
    state: { ...state, plan: next },
    notes: [itemNote(stepsOf(plan), 'item_completed', plan, recall), ...stepStarted(next, recall)],
  }
}
