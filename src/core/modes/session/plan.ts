/** How declarations become a plan and its steps are completed (S4-11…S4-17, R21). Pure functions of the plan and the rows it names. */
import type { Brief, Note, Recall } from '../../terms/effect.ts'
import type { Context } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { askedIn, saidAt, type MarkedReply } from './said.ts'
import { cursorOf, itemId, nextId, planOf, type SessionPlan, type SessionState } from './state.ts'

/** Bounds of a plan (U24). */
export const STEPS_MAX = 100
export const TITLE_MAX = 500

export interface PlanChange {
  state: SessionState
  notes: Note[]
}

const templateOf = ({ settings }: Brief, index: number | null): readonly string[] =>
  index === null ? [] : (settings.plan_templates[index]?.steps ?? [])

export function titlesOf(plan: SessionPlan, recall: Recall, brief: Brief): string[] {
  return plan.steps.map(([row, index]) => {
    const declared = row === 1 ? templateOf(brief, plan.template) : declaredIn(recall, row)
    return cut(declared[index] ?? '', TITLE_MAX)
  })
}

function declaredIn(recall: Recall, row: number): readonly string[] {
  const { event } = recall(row)
  return event.kind === 'plan_edited' ? event.items.map(({ title }) => title) : saidAt(recall, row).steps
}

/** What was written by hand about a step beside its title. */
export function detailsOf({ steps }: SessionPlan, index: number, recall: Recall) {
  const [row, at] = steps[index] ?? [1, 0]
  const { event } = recall(row)
  const item = event.kind === 'plan_edited' ? event.items[at] : undefined
  return { description: item?.description ?? '', expected_output: item?.expected_output ?? null }
}

/** The first reply of a run makes its plan when it calls a tool (S4-13); it takes the place of a finished one (R21). */
export function planTurn(state: SessionState, said: MarkedReply, context: Context): PlanChange {
  const before = planOf(state)
  const plan = before ?? newPlan(state, said, context)
  return declared(state, { ...plan, iterations: plan.iterations + 1 }, said, context)
}

function newPlan(state: SessionState, { steps }: MarkedReply, { seq, brief, recall }: Context): SessionPlan {
  const { plan } = state
  const template = steps.length > 0 ? -1 : matching(brief, askedIn(recall, state.asked))
  return {
    row: seq,
    asked: state.asked,
    template: template === -1 ? null : template,
    revision: (plan?.revision ?? 0) + 1,
    first_id: plan === null ? 1 : nextId(plan),
    steps: templateOf(brief, template === -1 ? null : template).map((_, index): [number, number] => [1, index]),
    done: [],
    rounds: 0,
    spent: 0,
    recent: [],
    reading: true,
    iterations: 0,
  }
}

/** S4-29: the template one of whose words the run was asked with; -1: none. */
function matching({ settings }: Brief, asked: string): number {
  const goal = asked.toLowerCase()
  return settings.plan_templates.findIndex(({ words }) => words.some((word) => goal.includes(word.toLowerCase())))
}

/** Takes up what a reply declares, tells of the plan where that changed it, and of its first step once there is one (S4-23). */
function declared(state: SessionState, plan: SessionPlan, said: MarkedReply, context: Context): PlanChange {
  const { recall, brief, seq } = context
  const created = plan.row === seq
  const news = created ? said.steps.map((_, index) => index) : newSteps(plan, said, context)
  // An edit leaves what is done beside a whole list.
  const room = Math.max(0, STEPS_MAX - plan.steps.length)
  const taken = news.slice(0, room)
  const steps = [...plan.steps, ...taken.map((index): [number, number] => [seq, index])]
  const next = {
    ...plan,
    ...numbered(plan, taken.length),
    steps,
    revision: plan.revision + (created || taken.length === 0 ? 0 : 1),
  }
  const titles = titlesOf(next, recall, brief)
  const told: Note[] =
    created || taken.length > 0 ? [listNote(created ? 'plan_created' : 'plan_adjusted', next, titles)] : []
  // It was told of before, unless this reply brought it there.
  const known = !created && itemId(plan, cursorOf(plan)) !== null
  return {
    state: { ...state, plan: next },
    notes: [
      ...told,
      ...boundsNote(news.length - taken.length, taken.filter(isLong(said)).length),
      ...(known ? [] : startedNote(next, titles)),
    ],
  }
}

/** Once they were edited, its steps are numbered one by one. */
function numbered(plan: SessionPlan, count: number): Pick<SessionPlan, 'edited'> {
  const { edited } = plan
  if (edited === undefined) return {}
  const ids = [...edited.ids, ...Array.from({ length: count }, (_, index) => edited.next_id + index)]
  return { edited: { ...edited, ids, next_id: edited.next_id + count } }
}

/**
 * A later reply that says the open steps again declares nothing new (S4-18), nor does one that says the whole list again, finished steps
 * and all, as models do; a single finished step that is declared is to be done once more.
 */
function newSteps(plan: SessionPlan, said: MarkedReply, { recall, brief }: Context): number[] {
  if (said.steps.length === 0) return []
  const titles = titlesOf(plan, recall, brief).map((title) => title.trim())
  const [all, open] = [new Set(titles), new Set(titles.slice(cursorOf(plan)))]
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

function listNote(type: 'plan_created' | 'plan_adjusted', plan: SessionPlan, titles: string[]): Note {
  const items = titles.map((title, index) => ({ id: itemId(plan, index), title }))
  return { type, payload: { items, cursor: cursorOf(plan), revision: plan.revision } }
}

export function startedNote(plan: SessionPlan, titles: string[]): Note[] {
  const index = cursorOf(plan)
  const item_id = itemId(plan, index)
  const payload = { item_id, title: titles[index] ?? '', index, total: titles.length }
  return item_id === null ? [] : [{ type: 'item_started', payload }]
}

/** The step under the cursor is done; the next one, if there is one, begins. */
export function completeStep(state: SessionState, plan: SessionPlan, { seq, recall, brief }: Context): PlanChange {
  const titles = titlesOf(plan, recall, brief)
  const index = cursorOf(plan)
  const next: SessionPlan = {
    ...plan,
    done: [...plan.done, [seq, plan.spent, plan.recent]],
    rounds: 0,
    spent: 0,
    recent: [],
    reading: true,
  }
  const over: Note = { type: 'item_completed', payload: { item_id: itemId(plan, index), title: titles[index], index } }
  return {
    state: { ...state, plan: next, finished: state.finished + 1 },
    notes: [over, ...startedNote(next, titles)],
  }
}
