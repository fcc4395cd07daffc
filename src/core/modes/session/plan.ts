/** Makes a plan from declarations, and completes its steps (S4-11…S4-17, R21). Pure functions of the plan and its rows. */
import type { Brief, Note, Recall } from '../../terms/effect.ts'
import { currentId, editedText, itemNote, listNote, titlesOf, type ItemSource } from '../plan/items.ts'
import {
  currentItem,
  EMPTY_PLAN,
  endedInList,
  endItem,
  withGone,
  type GoneItem,
  type Item,
  type Plan,
} from '../plan/plan.ts'
import { briefOf, type HandlerContext } from '../../mode/mode.ts'
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

/** The texts of the steps. Row 1 is the brief, whose texts are those of the template. */
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

/** Where the steps of an earlier plan are read. The index of a step of a template counts through all templates. */
export const GONE_STEPS: ItemSource = {
  prefix: 'step',
  textOf([number, row, index], recall) {
    if (row !== 1) return stepsOf({ template: null }).textOf([number, row, index], recall)
    const steps = briefOf(recall).settings.plan_templates.flatMap(({ steps }) => steps)
    return editedText({ title: cut(steps[index] ?? '', TITLE_MAX) })
  },
}

/** The place of a step once it has left the list of its plan. */
function gonePlace({ template }: SessionPlan, item: GoneItem, { settings }: Brief): GoneItem {
  const [number, row, index, how, end_row] = item
  if (row !== 1 || template === null) return item
  const before = settings.plan_templates.slice(0, template).flatMap(({ steps }) => steps)
  return [number, row, before.length + index, how, end_row]
}

/** Changes the places of the steps that an edit has moved out of the list. */
export const placeGone = (plan: SessionPlan, old: SessionPlan, brief: Brief): SessionPlan => ({
  ...plan,
  gone: plan.gone.map((item, index) =>
    index < plan.gone.length - (plan.left - old.left) ? item : gonePlace(old, item, brief),
  ),
})

/** The steps of an earlier plan that have ended, which have left the list. */
function goneSteps(plan: SessionPlan | null, brief: Brief): Pick<Plan, 'left' | 'gone'> {
  if (plan === null) return { left: 0, gone: [] }
  const { left, gone } = withGone(
    plan,
    endedInList(plan).map(({ item }) => gonePlace(plan, item, brief)),
  )
  return { left, gone }
}

export const stepTitles = (plan: SessionPlan, recall: Recall): string[] => titlesOf(stepsOf(plan), plan, recall)

/** The id of the current step. null: there is none. */
export function currentStep(state: SessionState): string | null {
  const plan = planOf(state)
  return plan === null ? null : currentId(stepsOf(plan), plan)
}

/** The first reply of a run that calls a tool makes its plan (S4-13). The new plan replaces a finished one (R21). */
export function planTurn(state: SessionState, reply: MarkedReply, context: HandlerContext): PlanChange {
  const current = planOf(state)
  const plan = current ?? newPlan(state, reply, context)
  return declareSteps(state, { ...plan, iterations: plan.iterations + 1 }, reply, context)
}

function newPlan(state: SessionState, { steps }: MarkedReply, { seq, brief, recall }: HandlerContext): SessionPlan {
  const { plan } = state
  const template = steps.length > 0 ? -1 : matchTemplate(brief, requestAt(recall, state.asked))
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
    ...goneSteps(plan, brief),
    efforts: [],
    iterations: 0,
  }
}

/** S4-29: the index of the template that has a word of the request. -1: no template has one. */
function matchTemplate({ settings }: Brief, request: string): number {
  const goal = request.toLowerCase()
  return settings.plan_templates.findIndex(({ words }) => words.some((word) => goal.includes(word.toLowerCase())))
}

/** Adds the steps that a reply declares. Events report a changed plan, and its first step when it starts (S4-23). */
function declareSteps(state: SessionState, plan: SessionPlan, reply: MarkedReply, context: HandlerContext): PlanChange {
  const { recall, seq } = context
  const isCreated = plan.created === seq
  const indexes = isCreated ? reply.steps.map((_, index) => index) : newSteps(plan, reply, context)
  // After an edit the list can be full, because the finished steps stay in it.
  const room = Math.max(0, STEPS_MAX - plan.items.length)
  const additions = indexes.slice(0, room)
  const next: SessionPlan = {
    ...plan,
    items: [...plan.items, ...additions.map((index, at): Item => [plan.next_id + at, seq, index])],
    next_id: plan.next_id + additions.length,
    revision: plan.revision + (isCreated || additions.length === 0 ? 0 : 1),
  }
  const source = stepsOf(next)
  const planNotes =
    isCreated || additions.length > 0
      ? [listNote(source, isCreated ? 'plan_created' : 'plan_adjusted', next, recall)]
      : []
  // Observers know the current step already, unless this reply made it current.
  const isAnnounced = !isCreated && currentItem(plan) !== null
  return {
    state: { ...state, plan: next },
    notes: [
      ...planNotes,
      ...boundsNote(indexes.length - additions.length, additions.filter(isLong(reply)).length),
      ...(isAnnounced ? [] : startNotes(next, recall)),
    ],
  }
}

/**
 * The declared steps that are new. A later reply that repeats the open steps declares nothing new (S4-18). Nor does a reply that
 * repeats the whole list with its finished steps, as models do. A single finished step that is declared again is done again.
 */
export function newSteps(plan: SessionPlan, reply: MarkedReply, { recall }: Pick<HandlerContext, 'recall'>): number[] {
  if (reply.steps.length === 0) return []
  const titles = stepTitles(plan, recall).map((title) => title.trim())
  const [all, open] = [new Set(titles), new Set(titles.slice(plan.cursor))]
  const declared = reply.steps.map((title) => cut(title, TITLE_MAX))
  const restates = declared.some((title) => open.has(title)) || declared.filter((title) => all.has(title)).length > 1
  const known = restates ? all : open
  return declared.flatMap((title, index) => (known.has(title) ? [] : [index]))
}

const isLong = (reply: MarkedReply) => (index: number) => (reply.steps[index]?.length ?? 0) > TITLE_MAX

function boundsNote(ignored: number, long: number): Note[] {
  if (ignored === 0 && long === 0) return []
  const evidence = `${ignored} steps beyond ${STEPS_MAX} ignored, ${long} cut to ${TITLE_MAX} characters`
  return [{ type: 'loop_guard', payload: { guard: 'plan_bounds', count: ignored + long, evidence } }]
}

/** The event that the current step starts, if there is one. */
export const startNotes = (plan: SessionPlan, recall: Recall): Note[] =>
  currentItem(plan) === null ? [] : [itemNote(stepsOf(plan), 'item_started', plan, recall)]

/** Completes so many of the open steps, the current one first. */
export function completeSteps(before: SessionState, count: number, context: HandlerContext): PlanChange {
  let change: PlanChange = { state: before, notes: [] }
  for (let done = 0; done < count; done++) {
    const plan = planOf(change.state)
    if (plan === null || currentItem(plan) === null) break
    const { state, notes } = completeStep(change.state, plan, context)
    change = { state, notes: [...change.notes, ...notes] }
  }
  return change
}

/** Completes the current step, and starts the next one if there is one. */
function completeStep(state: SessionState, plan: SessionPlan, { seq, recall }: HandlerContext): PlanChange {
  const efforts = [...plan.efforts, [plan.spent, plan.recent] satisfies SessionPlan['efforts'][number]]
  const next: SessionPlan = { ...endItem(plan, 'completed', seq), ...NEW_STEP, efforts }
  return {
    state: { ...state, plan: next },
    notes: [itemNote(stepsOf(plan), 'item_completed', plan, recall), ...startNotes(next, recall)],
  }
}
