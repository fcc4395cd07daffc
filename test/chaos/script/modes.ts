/** The replies of the scripted model in each mode. */
import { actOf, type Act } from './acts.ts'
import { isOver, nameOf, roll, type Spot } from './rolls.ts'

/** A reply: a text, the acts that it sets in motion, and whether they are native calls. */
export interface Reply {
  text: string
  acts: Act[]
  native: boolean
}

const json = (value: object, ...acts: Act[]): Reply => ({ text: JSON.stringify(value), acts, native: false })
const dice = ({ task, seq }: Spot, of: string, sides = 100) => roll(sides, task, seq, of)
const listOf = (spot: Spot) =>
  Array.from({ length: 1 + dice(spot, 'items', 3) }, (_, index) => `item ${index + 1} of row ${spot.seq}`)

const thought = (fields: object) => ({
  current_step: null,
  next_action: null,
  question: null,
  response: null,
  ...fields,
})

export function planExecute(spot: Spot): Reply {
  const { phase } = spot
  const thrown = dice(spot, 'decision')
  if (phase === 'plan') return json({ status: 'planned', plan: listOf(spot) })
  if (phase === 'replan') {
    const ends = isOver(spot) || thrown < 6
    return json(
      ends
        ? { status: 'done', plan: [], response: 'done' }
        : { status: 'replanned', plan: listOf(spot), response: null },
    )
  }
  if (isOver(spot) || thrown >= 80) return json(thought({ status: 'done' }))
  if (thrown < 65) {
    const act = actOf(spot, 0)
    const next_action = { tool: act.tool, input: act.input }
    return json(thought({ status: 'continue', current_step: 'act', next_action }), act)
  }
  return json(thought({ status: 'ask_user', current_step: 'ask', question: `Which colour has ${nameOf(spot)}?` }))
}

const stepsOf = (spot: Spot) =>
  listOf(spot).map((name) => ({ name, description: 'as it says', expected_output: 'done' }))

/** `merged`: thought, decision and action in one reply. */
export function dynamic(spot: Spot, merged: boolean): Reply {
  const { phase } = spot
  if (phase === 'plan') return json({ steps: stepsOf(spot) })
  if (phase === 'think') return json({ thought: `what ${nameOf(spot)} needs` })
  const act = actOf(spot, 0)
  const action = { tool: act.tool, input: act.input, save_as: null }
  if (phase === 'action') return json(action, act)
  const is_complete = isOver(spot) || dice(spot, 'complete') < 30
  const adds = !isOver(spot) && dice(spot, 'adds') < 12
  const decision = {
    is_complete,
    reason: `by ${nameOf(spot)}`,
    add_steps: adds ? stepsOf(spot).slice(0, 1) : [],
    remove_steps: [],
  }
  if (!merged) return json(decision)
  const whole = { thought: `what ${nameOf(spot)} needs`, ...decision, action: is_complete ? null : action }
  return is_complete ? json(whole) : json(whole, act)
}

const actsOf = (spot: Spot) => Array.from({ length: 1 + dice(spot, 'calls', 3) }, (_, call) => actOf(spot, call))

/** `may_call`: whether tools were offered; a side turn has none. */
export function session(spot: Spot, may_call: boolean): Reply {
  const answers = !may_call || isOver(spot) || dice(spot, 'decision') < 12
  if (answers) return { text: `It is ${nameOf(spot)}.`, acts: [], native: true }
  const declared = dice(spot, 'declares') < 30 ? listOf(spot).map((title) => `[Step] ${title}\n`) : []
  const done = dice(spot, 'done') < 25 ? '[Done]\n' : ''
  return { text: `${declared.join('')}${done}Working on ${nameOf(spot)}.`, acts: actsOf(spot), native: true }
}

export function autonomous(spot: Spot): Reply {
  if (isOver(spot) || dice(spot, 'ends') < 5)
    return { text: `# Report\nIt is ${nameOf(spot)}.\n[ANALYSIS_COMPLETE]`, acts: [], native: true }
  const tasks = listOf(spot).map((name, index) => `- [${index === 0 ? 'x' : ' '}] ${name}`)
  const list = dice(spot, 'tasks') < 40 ? `<tasks>\n${tasks.join('\n')}\n- [ ] the rest\n</tasks>\n` : ''
  const acts = dice(spot, 'idle') < 10 ? [] : actsOf(spot).slice(0, 2)
  return { text: `<thinking>About ${nameOf(spot)}.</thinking>\n${list}`, acts, native: true }
}

const commandsOf = (spot: Spot) =>
  listOf(spot).map((title) => ({ title, description: `do ${title}`, constraints: '', expected_output: 'it is there' }))

export function orchestrator(spot: Spot): Reply {
  const { phase } = spot
  if (phase === 'plan') return json({ steps: commandsOf(spot) })
  if (phase === 'summary') return { text: `All of ${nameOf(spot)} is done.`, acts: [], native: false }
  const thrown = dice(spot, 'decision')
  const decision =
    isOver(spot) || thrown < 60
      ? 'next'
      : thrown < 80
        ? 'retry'
        : thrown < 94
          ? 'replan'
          : thrown < 98
            ? 'ask'
            : 'abort'
  const adjusted_steps = decision === 'replan' ? commandsOf(spot) : []
  const question = decision === 'ask' ? `Which way for ${nameOf(spot)}?` : null
  return json({ reason: `by ${nameOf(spot)}`, decision, adjusted_steps, question })
}
