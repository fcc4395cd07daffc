/** Tasks in the modes whose replies are JSON, with one reply each that is told imperfectly. */
import type { Slot } from './judge.ts'

const GOAL = 'Buy milk and bread'
const base = { settings: {}, goal: GOAL }

const act = (item: string) => ({
  status: 'continue',
  current_step: `Note the ${item}`,
  next_action: { tool: 'todo', input: `/todo add ${item}` },
  question: null,
  response: null,
})
const done = (response: string | null) => ({
  status: 'done',
  current_step: null,
  next_action: null,
  question: null,
  response,
})
const ask = {
  status: 'ask_user',
  current_step: 'Only the user knows it',
  next_action: null,
  question: 'Which milk',
  response: null,
}
const PLANNED = { status: 'planned', plan: ['Note the milk', 'Note the bread'] }
const REPLANNED = { status: 'replanned', plan: ['Note the bread'], response: null }
const CLOSED = { status: 'done', plan: [], response: 'Milk and bread are noted' }

/** A text with quotation marks and with signs of full width, which a model often writes without a backslash. */
const SAID = '店主说"没有牛奶"，然后走了：要"改天"，再来'
const GIVEN_UP = { ...done(SAID), achieved: false }

const PLAN_EXECUTE = [
  PLANNED,
  act('milk'),
  done('Milk is noted'),
  REPLANNED,
  act('bread'),
  done('Bread is noted'),
  CLOSED,
]
const ASKING = [PLANNED, ask, REPLANNED, act('bread'), done('Bread is noted'), CLOSED]
const GIVING_UP = [
  { status: 'planned', plan: [`Ask: ${SAID}`, 'Note the bread'] },
  GIVEN_UP,
  REPLANNED,
  act('bread'),
  done('Bread is noted'),
  { ...CLOSED, response: SAID, achieved: false },
]
const FEW = { calls: 'few' } as const
const endingItem = { ...act('milk'), next_action: { tool: 'todo', input: '/todo add milk', ends_item: true } }
const FEW_CALLS = [{ status: 'planned', plan: ['Note the milk'] }, endingItem, { ...CLOSED, achieved: true }]
const planExecute = (name: string, at: number, replies: object[] = PLAN_EXECUTE): Slot => ({
  ...base,
  name: `plan_execute ${name}`,
  mode: 'plan_execute',
  replies,
  at,
})

const fewCalls = (mode: Slot['mode'], at: number, replies: object[]): Slot => ({
  ...base,
  name: `${mode} action that ends its item`,
  mode,
  settings: FEW,
  replies,
  at,
})

const step = (name: string) => ({ name, description: `Do it: ${name}`, expected_output: 'It is on the list' })
const STEPS = { steps: [step('Note the milk'), step('Note the bread')] }
const THOUGHT = { thought: 'It is clear what comes next' }
const decision = (is_complete: boolean, reason: string) => ({
  is_complete,
  reason,
  answer: is_complete ? reason : null,
  add_steps: [],
  remove_steps: [],
})
const action = (item: string) => ({ tool: 'todo', input: `/todo add ${item}`, save_as: null })
const ADDING = {
  ...decision(true, 'Milk is noted'),
  add_steps: [step('Note the eggs')],
  remove_steps: ['Note the bread'],
}
const round = (item: string, end: object) => [
  THOUGHT,
  decision(false, 'It is not on the list yet'),
  action(item),
  THOUGHT,
  end,
]
const DYNAMIC = [STEPS, ...round('milk', ADDING), ...round('eggs', decision(true, 'Eggs are noted'))]
const move = (item: string) => ({ ...THOUGHT, ...decision(false, 'It is not on the list yet'), action: action(item) })
const moved = (end: object) => ({ ...THOUGHT, ...end, action: null })
const MERGED = [STEPS, move('milk'), moved(ADDING), move('eggs'), moved(decision(true, 'Eggs are noted'))]
const FAILING = { ...ADDING, reason: SAID, achieved: false }
const DYNAMIC_FAILING = [STEPS, ...round('milk', FAILING), ...round('eggs', decision(true, 'Eggs are noted'))]
const MERGED_FAILING = MERGED.with(2, moved(FAILING))
const DYNAMIC_FEW = [
  { steps: [step('Note the milk')] },
  { ...move('milk'), action: { ...action('milk'), ends_item: true } },
  { ...moved({ ...decision(true, 'Milk is noted'), answer: SAID, achieved: true }) },
]
const dynamic = (name: string, at: number, replies: object[] = DYNAMIC): Slot => ({
  ...base,
  name: `dynamic ${name}`,
  mode: 'dynamic',
  replies,
  round: name === 'action' ? 2 : 0,
  at,
})
const merged = (name: string, at: number, replies: object[] = MERGED): Slot => ({
  ...base,
  name: `dynamic ${name}`,
  mode: 'dynamic',
  settings: { merged_calls: true },
  replies,
  at,
})

const command = (title: string) => ({
  title,
  description: `Do it: ${title}`,
  constraints: 'None',
  expected_output: 'A list',
})
const COMMANDS = { steps: [command('Note the milk'), command('Note the bread')] }
const judged = (word: string, steps: object[] = []) => ({
  decision: word,
  reason: `The report says so: ${word}`,
  adjusted_steps: steps,
})
const ORCHESTRATOR = [
  COMMANDS,
  judged('retry'),
  judged('replan', [command('Note the eggs')]),
  judged('next'),
  'All is noted.',
]
const GIVING_UP_STEP = [
  { steps: [{ ...command('Note the milk'), description: SAID }, command('Note the bread')] },
  { ...judged('next'), reason: SAID, achieved: false },
  { ...judged('next'), achieved: true },
  'All is noted.',
]
const orchestrator = (name: string, at: number, replies: Slot['replies'] = ORCHESTRATOR): Slot => ({
  ...base,
  name: `orchestrator ${name}`,
  mode: 'orchestrator',
  replies,
  at,
})

export const JSON_SLOTS: readonly Slot[] = [
  planExecute('plan', 0),
  planExecute('thought that acts', 1),
  planExecute('thought that concludes', 2),
  planExecute('thought that asks', 1, ASKING),
  planExecute('replan', 3),
  planExecute('last replan', 6),
  planExecute('plan with quotation marks', 0, GIVING_UP),
  planExecute('thought that gives up', 1, GIVING_UP),
  planExecute('last replan that gives up', 5, GIVING_UP),
  fewCalls('plan_execute', 1, FEW_CALLS),
  dynamic('plan', 0),
  dynamic('think', 1),
  dynamic('decision to go on', 2),
  dynamic('decision that ends and changes', 5),
  dynamic('action', 3),
  dynamic('decision that gives up', 5, DYNAMIC_FAILING),
  fewCalls('dynamic', 1, DYNAMIC_FEW),
  merged('move', 1),
  merged('move that gives up', 2, MERGED_FAILING),
  merged('move that ends and changes', 2),
  orchestrator('plan', 0),
  orchestrator('evaluation: retry', 1),
  orchestrator('evaluation: replan', 2),
  orchestrator('evaluation: next', 3),
  orchestrator('plan with quotation marks', 0, GIVING_UP_STEP),
  orchestrator('evaluation that gives up', 1, GIVING_UP_STEP),
]
