/**
 * Mode session by the rules of the thought phase: the run is played again from its conversation, call by call, up to what is missing.
 * A reply makes one call, declares the steps nobody has declared yet, and says when its step will be done (S4-14, S4-17).
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

/** An item of the run and how far it is: `earlier`: done in rounds that were left out. */
interface Played {
  title: string
  observations: ItemObservation[]
  thought: RulesThoughtReply
  earlier: boolean
}

/** `tools`: whether any may be called; in a side turn none may. */
export function sessionTurn(talk: SessionTalk, tools: boolean): RulesTurn {
  const { titles, unread } = wantedIn(talk)
  const played = play(talk, titles)
  if (!tools) return { text: aside(talk, played, unread) }
  const open = played.find(isOpen)
  if (open === undefined) return { text: answer(talk, played, unread) }
  return open.thought.next_action === null ? { text: asking(talk, played, open) } : calling(talk, played, open)
}

const isOpen = ({ thought, earlier }: Played) => !earlier && thought.status !== 'done'

/** The titles that were declared, whose dates are settled, then what else was asked for. */
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
  // Of rounds that were left out only the plan still has the order.
  const known = [...new Set(left_out === null ? [...declared, ...shown] : [...shown, ...declared])]
  return { titles: [...known, ...missingTitles(intents, known, locale, now)].slice(0, TOTAL_MAX), unread }
}
const NOTHING = { intents: [], unread: [] }

/** Of a longer title the program shows the beginning. */
const SHOWN_CHARS = 120
const isShownAs = (title: string, shown: string) => cut(title, SHOWN_CHARS) === shown
const whole = (shown: string) => (shown.length === SHOWN_CHARS && shown.endsWith('...') ? [] : [shown])

/** Item by item with the calls that were made for it. */
function play(talk: SessionTalk, titles: string[]): Played[] {
  const acts = [...talk.acts]
  return titles.map((title, index) => playItem(talk, { id: `step_${index + 1}`, title }, acts))
}

/** More calls than the rules make for one item. */
const CALLS_MAX = 20

function playItem(talk: SessionTalk, item: { id: string; title: string }, acts: Act[]): Played {
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

/** An item is all that a thought is about. */
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

/**
 * The call as it was made. What was read into an answer may be another time by now: as long as nothing was left out, the next call that
 * was made is the one.
 */
function takeAct(acts: Act[], { tool, input }: { tool: string; input: string }, shortened: boolean): Act | null {
  const same = acts.findIndex((act) => act.tool === tool && act.input === input)
  const next = acts[0]
  const alike = !shortened && next !== undefined && next.tool === tool && headOf(next.input) === headOf(input)
  const at = same === -1 && alike ? 0 : same
  return at === -1 ? null : (acts.splice(at, 1)[0] ?? null)
}
const headOf = (command: string) => command.split(/\s/u, 2).join(' ')

/** A step the program has ticked off, in rounds that are no longer shown. */
function wasDone({ left_out, plan }: SessionTalk, title: string): boolean {
  if (left_out === null) return false
  return (
    left_out.completed.includes(cut(title, SHOWN_CHARS)) ||
    plan.some((step) => step.done && isShownAs(title, step.title))
  )
}

/** Steps that are not in the plan yet; what needs neither a call nor an answer is no step. */
const newSteps = ({ plan }: SessionTalk, played: Played[]): Played[] =>
  played.filter((item) => isOpen(item) && !plan.some((step) => isShownAs(item.title, step.title)))

function calling(talk: SessionTalk, played: Played[], open: Played): RulesTurn {
  const words = wordsOf(talk.locale)
  const { tool, input } = open.thought.next_action ?? { tool: '', input: '' }
  const declared = newSteps(talk, played)
  const seen: ItemObservation = { item_id: 'step', tool, input, ok: true, result: '' }
  const supposed = open.observations.map((one) => ({ ...one, item_id: 'step' }))
  const then = thoughtOf(talk, { id: 'step', title: open.title }, [...supposed, seen])
  const finished = then.status === 'done' && !words.notDoneWord.test(then.response ?? '')
  const marked = behindAfter(talk, played, finished) ? [words.stepDone] : []
  const text = [...declared.map(({ title }) => `${STEP}${title}`), words.working(open.title), ...marked].join('\n')
  const name = BUILT_IN_TOOLS.find((card) => card.name === tool)?.text ?? 'input'
  return { text, tool_calls: [{ id: 'call_1', name: tool, arguments: JSON.stringify({ [name]: input }) }] }
}

/** Whether the program, that goes on by one step for each mark, has ticked off less than will be done after this call. */
function behindAfter({ plan }: SessionTalk, played: Played[], finished: boolean): boolean {
  const steps = played.filter(({ title }) => plan.some((step) => isShownAs(title, step.title)))
  const done = steps.filter((item) => !isOpen(item)).length + (finished ? 1 : 0)
  return done > plan.filter((step) => step.done).length
}

/** A question ends the run; the steps that are settled by now are kept in its text. */
function asking(talk: SessionTalk, played: Played[], open: Played): string {
  const question = questionText(open.thought.question ?? '', talk.locale)
  const kept = newSteps(talk, played).map(({ title }) => `${STEP}${title}`)
  return kept.length === 0 ? question : `${question}\n\n${kept.join('\n')}`
}

function answer(talk: SessionTalk, played: Played[], unread: string[]): string {
  const words = wordsOf(talk.locale)
  const shown = played.filter(({ earlier }) => !earlier)
  const earlier = played.filter((item) => item.earlier).map(({ title }) => title)
  const told = earlier.length === 0 ? [] : [words.earlier(earlier)]
  const nothing = shown.length + unread.length === 0 && told.length > 0
  return [...told, ...(nothing ? [] : [writeSummary(contextOf(talk, shown), { unread, left: 0 })])].join('\n')
}

const contextOf = ({ texts, locale, local_time, clarifications }: SessionTalk, played: Played[]): ReplanContext => ({
  phase: 'replan',
  goal: texts[0] ?? '',
  locale,
  local_time,
  clarifications,
  ...NO_PROGRESS,
  completed: played.map(({ title }) => title),
  observations: played.flatMap(({ observations }) => observations),
})

/** Beside the work: how far it is, from what is known. */
function aside(talk: SessionTalk, played: Played[], unread: string[]): string {
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
