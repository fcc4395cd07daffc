/**
 * Mode session by the rules of the thought phase: the rules replay the run from its conversation, call by call, up to what is missing. A reply
 * makes one call, declares the new steps, and says when its step will be done (S4-14, S4-17).
 */
import type { ToolCall } from '../../core/terms/effect.ts'
import { cut } from '../../core/terms/text.ts'
import { BUILT_IN_TOOLS } from '../../core/mode/tools.ts'
import type { ItemObservation, ReplanContext, ThoughtContext } from './context.ts'
import { isContinue, missingTitles, readGoal } from './goal/goal.ts'
import { TOTAL_MAX } from './replan.ts'
import { questionText, STEP, type Act, type SessionTalk } from './session-talk.ts'
import { writeSummary } from './summary.ts'
import { wordsOf } from './texts.ts'
import { thoughtReply, type RulesThoughtReply } from './thought.ts'

export interface RulesTurn {
  text: string
  tool_calls?: ToolCall[]
}

/** An item of the run and its state. `earlier`: it was completed in rounds that are left out. */
interface ReplayedItem {
  title: string
  observations: ItemObservation[]
  thought: RulesThoughtReply
  earlier: boolean
}

/** `tools`: whether tools may be called; a side turn has none. */
export function sessionTurn(talk: SessionTalk, tools: boolean): RulesTurn {
  const { titles, unread } = wantedIn(talk)
  const played = replayItems(talk, titles)
  if (!tools) return { text: sideTurnText(talk, played, unread) }
  const open = played.find(isOpen)
  if (open === undefined) return { text: answer(talk, played, unread) }
  return open.thought.next_action === null ? { text: askText(talk, played, open) } : calling(talk, played, open)
}

const isOpen = ({ thought, earlier }: ReplayedItem) => !earlier && thought.status !== 'done'

/** The declared titles, whose dates are settled, then everything else that was asked for. */
function wantedIn({ texts, plan, declared, left_out, now, locale }: SessionTalk): {
  titles: string[]
  unread: string[]
} {
  const [goal = '', ...remarks] = texts
  const { intents, unread } = isContinue(goal) && remarks.length === 0 ? NOTHING : readGoal(goal, remarks, now)
  const wanted = missingTitles(intents, [], locale, now)
  const shown = plan.flatMap(
    ({ title }) => [...declared, ...wanted].find((full) => isShownAs(full, title)) ?? whole(title),
  )
  // Only the plan still has the order of rounds that were left out.
  const known = [...new Set(left_out === null ? [...declared, ...shown] : [...shown, ...declared])]
  return { titles: [...known, ...missingTitles(intents, known, locale, now)].slice(0, TOTAL_MAX), unread }
}
const NOTHING = { intents: [], unread: [] }

/** The program shows only the start of a longer title. */
const SHOWN_CHARS = 120
const isShownAs = (title: string, shown: string) => cut(title, SHOWN_CHARS) === shown
const whole = (shown: string) => (shown.length === SHOWN_CHARS && shown.endsWith('...') ? [] : [shown])

/** Replays item by item with the calls that were made for it. */
function replayItems(talk: SessionTalk, titles: string[]): ReplayedItem[] {
  const acts = [...talk.acts]
  return titles.map((title, index) => playItem(talk, { id: `step_${index + 1}`, title }, acts))
}

/** The rules make fewer calls than this for one item. */
const CALLS_MAX = 20

function playItem(talk: SessionTalk, item: { id: string; title: string }, acts: Act[]): ReplayedItem {
  const observations: ItemObservation[] = []
  let thought = thoughtOf(talk, item, observations)
  while (thought.next_action !== null && observations.length < CALLS_MAX) {
    const made = takeAct(acts, thought.next_action, talk.left_out !== null)
    if (made === null) break
    observations.push({ item_id: item.id, ...made })
    thought = thoughtOf(talk, item, observations)
  }
  const earlier = observations.length === 0 && thought.next_action !== null && wasDone(talk, item.title)
  return { title: item.title, observations, thought, earlier }
}

/** A thought needs nothing of the context but its item. */
const NO_PROGRESS = { remarks: [], completed: [], plan: [], cursor: 0 }

function thoughtOf(
  talk: SessionTalk,
  current_item: { id: string; title: string },
  observations: ItemObservation[],
): RulesThoughtReply {
  const { locale, local_time, clarifications, texts } = talk
  const context: ThoughtContext = {
    phase: 'thought',
    goal: texts[0] ?? '',
    locale,
    local_time,
    clarifications,
    observations,
    current_item,
    ...NO_PROGRESS,
    must_not_act: false,
    may_ask: true,
  }
  return thoughtReply(context)
}

/** Finds the call that was made. An answer may be read as another time by now, so while nothing was left out, the next call counts as the one. */
function takeAct(acts: Act[], { tool, input }: { tool: string; input: string }, shortened: boolean): Act | null {
  const same = acts.findIndex((act) => act.tool === tool && act.input === input)
  const next = acts[0]
  const alike = !shortened && next !== undefined && next.tool === tool && headOf(next.input) === headOf(input)
  const at = same === -1 && alike ? 0 : same
  return at === -1 ? null : (acts.splice(at, 1)[0] ?? null)
}
const headOf = (command: string) => command.split(/\s/u, 2).join(' ')

/** Whether the program has ticked off the step in rounds that are left out. */
function wasDone({ left_out, plan }: SessionTalk, title: string): boolean {
  if (left_out === null) return false
  return (
    left_out.completed.includes(cut(title, SHOWN_CHARS)) ||
    plan.some((step) => step.done && isShownAs(title, step.title))
  )
}

/** The steps that the plan does not have yet. What needs neither a call nor an answer is no step. */
const newSteps = ({ plan }: SessionTalk, played: ReplayedItem[]): ReplayedItem[] =>
  played.filter((item) => isOpen(item) && !plan.some((step) => isShownAs(item.title, step.title)))

function calling(talk: SessionTalk, played: ReplayedItem[], open: ReplayedItem): RulesTurn {
  const words = wordsOf(talk.locale)
  const { tool, input } = open.thought.next_action ?? { tool: '', input: '' }
  const declared = newSteps(talk, played)
  const seen: ItemObservation = { item_id: 'step', tool, input, ok: true, result: '' }
  const supposed = open.observations.map((one) => ({ ...one, item_id: 'step' }))
  const then = thoughtOf(talk, { id: 'step', title: open.title }, [...supposed, seen])
  const finished = then.status === 'done' && !words.notDoneWord.test(then.response ?? '')
  const marked = isBehindAfter(talk, played, finished) ? [words.stepDone] : []
  const text = [...declared.map(({ title }) => `${STEP}${title}`), words.working(open.title), ...marked].join('\n')
  const name = BUILT_IN_TOOLS.find((card) => card.name === tool)?.text ?? 'input'
  return { text, tool_calls: [{ id: 'call_1', name: tool, arguments: JSON.stringify({ [name]: input }) }] }
}

/** Whether the program, which advances one step for each mark, has ticked off fewer steps than will be done after this call. */
function isBehindAfter({ plan }: SessionTalk, played: ReplayedItem[], finished: boolean): boolean {
  const steps = played.filter(({ title }) => plan.some((step) => isShownAs(title, step.title)))
  const done = steps.filter((item) => !isOpen(item)).length + (finished ? 1 : 0)
  return done > plan.filter((step) => step.done).length
}

/** Asks a question, which ends the run; its text declares the steps that are settled by now. */
function askText(talk: SessionTalk, played: ReplayedItem[], open: ReplayedItem): string {
  const question = questionText(open.thought.question ?? '', talk.locale)
  const kept = newSteps(talk, played).map(({ title }) => `${STEP}${title}`)
  return kept.length === 0 ? question : `${question}\n\n${kept.join('\n')}`
}

function answer(talk: SessionTalk, played: ReplayedItem[], unread: string[]): string {
  const words = wordsOf(talk.locale)
  const shown = played.filter(({ earlier }) => !earlier)
  const earlier = played.filter((item) => item.earlier).map(({ title }) => title)
  const told = earlier.length === 0 ? [] : [words.earlier(earlier)]
  const nothing = shown.length + unread.length === 0 && told.length > 0
  return [...told, ...(nothing ? [] : [writeSummary(contextOf(talk, shown), { unread, left: 0 })])].join('\n')
}

const contextOf = (
  { texts, locale, local_time, clarifications }: SessionTalk,
  played: ReplayedItem[],
): ReplanContext => ({
  phase: 'replan',
  goal: texts[0] ?? '',
  locale,
  local_time,
  clarifications,
  ...NO_PROGRESS,
  completed: played.map(({ title }) => title),
  observations: played.flatMap(({ observations }) => observations),
})

/** The answer of a side turn: the progress, as far as it is known. */
function sideTurnText(talk: SessionTalk, played: ReplayedItem[], unread: string[]): string {
  const words = wordsOf(talk.locale)
  const open = played.filter(isOpen).map(({ title }) => `- ${title}`)
  const done = played.filter((item) => !isOpen(item))
  return [
    ...(done.length === 0 ? [] : [answer(talk, done, [])]),
    ...(open.length === 0 ? [] : [words.stillOpen, ...open]),
    ...unread.map((remark) => words.unread(remark)),
    ...(played.length + unread.length === 0 ? [words.nothing] : []),
  ].join('\n')
}
