/**
 * Mode session by the rules of the thought phase: the rules replay the run from its conversation, call by call, up to what is missing. A reply
 * makes one call, declares the new steps, and says when its step will be done (S4-14, S4-17).
 */
import type { ToolCall } from '../../core/terms/effect.ts'
import { cut } from '../../core/terms/text.ts'
import { ASK_USER, asksUser } from '../../core/mode/ask-user.ts'
import { BUILT_IN_TOOLS } from '../../core/mode/tools.ts'
import type { ItemObservation, ReplanContext, ThoughtContext } from './context.ts'
import { isContinue, missingTitles, readGoal } from './goal/goal.ts'
import { TOTAL_MAX } from './replan.ts'
import { questionText, STEP, type Act, type SessionTalk } from './session-talk.ts'
import { factsOf, writeSummary } from './summary.ts'
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

/** `tools`: the tools that may be called; a side turn has none. */
export function sessionTurn(talk: SessionTalk, tools: readonly string[]): RulesTurn {
  const { titles, unread } = wantedIn(talk)
  const items_replayed = replayItems(talk, titles)
  if (tools.length === 0) return { text: sideTurnText(talk, items_replayed, unread) }
  const open = items_replayed.find(isOpen)
  if (open === undefined) return { text: answer(talk, items_replayed, unread) }
  return open.thought.next_action === null
    ? asking(talk, items_replayed, open, tools.some(asksUser) && !talk.asks_again)
    : calling(talk, items_replayed, open)
}

const isOpen = ({ thought, earlier }: ReplayedItem) => !earlier && thought.status !== 'done'

/** The declared titles, whose dates are settled, then everything else that was asked for. */
function wantedIn({ texts, plan, declared, left_out, now, locale }: SessionTalk): {
  titles: string[]
  unread: string[]
} {
  const [goal = '', ...remarks] = texts
  const { intents, unread } = isContinue(goal) && remarks.length === 0 ? NOTHING : readGoal(goal, remarks, now)
  const missing_titles = missingTitles(intents, [], locale, now)
  const shown = plan.flatMap(
    ({ title }) => [...declared, ...missing_titles].find((full) => isShownAs(full, title)) ?? whole(title),
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
    const act = takeAct(acts, thought.next_action, talk.left_out !== null)
    if (act === null) break
    observations.push({ item_id: item.id, ...act })
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
const newSteps = ({ plan }: SessionTalk, items_replayed: ReplayedItem[]): ReplayedItem[] =>
  items_replayed.filter((item) => isOpen(item) && !plan.some((step) => isShownAs(item.title, step.title)))

function calling(talk: SessionTalk, items_replayed: ReplayedItem[], open: ReplayedItem): RulesTurn {
  const words = wordsOf(talk.locale)
  const { tool, input } = open.thought.next_action ?? { tool: '', input: '' }
  const declared = newSteps(talk, items_replayed)
  const observation: ItemObservation = { item_id: 'step', tool, input, ok: true, result: '' }
  const observations = open.observations.map((one) => ({ ...one, item_id: 'step' }))
  const nextThought = thoughtOf(talk, { id: 'step', title: open.title }, [...observations, observation])
  const finished = nextThought.status === 'done' && !words.notDoneWord.test(nextThought.response ?? '')
  // Behind results of a step a mark is about them, so a step of several calls is marked by the reply after its last one.
  const isFirst = observations.length === 0 && talk.clarifications.length === 0
  const marks = isBehindAfter(talk, items_replayed, finished && isFirst) ? [words.stepDone] : []
  const text = [...declared.map(({ title }) => `${STEP}${title}`), words.working(open.title), ...marks].join('\n')
  const member = BUILT_IN_TOOLS.find((card) => card.name === tool)?.text ?? null
  // A tool without one text takes the object of its arguments, which the input is.
  const args = member === null ? input : JSON.stringify({ [member]: input })
  return { text, tool_calls: [{ id: 'call_1', name: tool, arguments: args }] }
}

/** Whether the program, which advances one step for each mark, has ticked off fewer steps than will be done after this call. */
function isBehindAfter({ plan }: SessionTalk, items_replayed: ReplayedItem[], finished: boolean): boolean {
  const steps = items_replayed.filter(({ title }) => plan.some((step) => isShownAs(title, step.title)))
  const done = steps.filter((item) => !isOpen(item)).length + (finished ? 1 : 0)
  return done > plan.filter((step) => step.done).length
}

/** Asks a question by a call, and declares the steps that are settled by now. Without the call the question ends the run. */
function asking(talk: SessionTalk, items_replayed: ReplayedItem[], open: ReplayedItem, by_call: boolean): RulesTurn {
  const question = open.thought.question ?? ''
  if (!by_call) return { text: questionText(question, talk.locale) }
  const marks = isBehindAfter(talk, items_replayed, false) ? [wordsOf(talk.locale).stepDone] : []
  const text = [...newSteps(talk, items_replayed).map(({ title }) => `${STEP}${title}`), ...marks]
  const call = { id: 'call_1', name: ASK_USER, arguments: JSON.stringify({ question }) }
  return { text: text.join('\n'), tool_calls: [call] }
}

function answer(talk: SessionTalk, items_replayed: ReplayedItem[], unread: string[]): string {
  const words = wordsOf(talk.locale)
  const shown = items_replayed.filter(({ earlier }) => !earlier)
  const earlier = items_replayed.filter((item) => item.earlier).map(({ title }) => title)
  const earlier_lines = earlier.length === 0 ? [] : [words.earlier(earlier)]
  const nothing = shown.length + unread.length === 0 && earlier_lines.length > 0
  const text = nothing ? [] : [writeSummary(contextOf(talk, shown), { unread, left: 0 })]
  const verdict = verdictLines(talk, shown, unread, earlier.length > 0)
  const marks = verdict.length === 0 && isBehindAfter(talk, items_replayed, false) ? [words.stepDone] : []
  return [...earlier_lines, ...text, ...verdict, ...marks].join('\n')
}

const VERDICT_CHARS = 200

/** The line that tells the program what was not done. */
function verdictLines(talk: SessionTalk, shown: ReplayedItem[], unread: string[], has_earlier: boolean): string[] {
  const words = wordsOf(talk.locale)
  const facts = factsOf(contextOf(talk, shown))
  const reasons = [
    ...facts.filter(({ ok }) => !ok).map(({ line }) => line.replace(words.notDoneWord, '')),
    ...unread.map((remark) => words.unread(remark)),
  ]
  const [reason = null] = reasons
  if (reason === null) return []
  const mark = has_earlier || facts.some(({ ok }) => ok) ? words.partlyMark : words.notDoneMark
  return [`[${mark}${cut(reason.replaceAll(/\s+/g, ' '), VERDICT_CHARS)}]`]
}

const contextOf = (
  { texts, locale, local_time, clarifications }: SessionTalk,
  items_replayed: ReplayedItem[],
): ReplanContext => ({
  phase: 'replan',
  goal: texts[0] ?? '',
  locale,
  local_time,
  clarifications,
  ...NO_PROGRESS,
  completed: items_replayed.map(({ title }) => ({ title, status: 'completed', result: null })),
  observations: items_replayed.flatMap(({ observations }) => observations),
})

/** The answer of a side turn: the progress, as far as it is known. */
function sideTurnText(talk: SessionTalk, items_replayed: ReplayedItem[], unread: string[]): string {
  const words = wordsOf(talk.locale)
  const open = items_replayed.filter(isOpen).map(({ title }) => `- ${title}`)
  const done = items_replayed.filter((item) => !isOpen(item))
  return [
    ...(done.length === 0 ? [] : [answer(talk, done, [])]),
    ...(open.length === 0 ? [] : [words.stillOpen, ...open]),
    ...unread.map((remark) => words.unread(remark)),
    ...(items_replayed.length + unread.length === 0 ? [words.nothing] : []),
  ].join('\n')
}
