/**
 * What the scripted model says, as a function of task and row alone: whoever asks again after a kill is told the same, and every
 * todo, query and question of the run is named after the row that decided on it.
 */
/** Where in the run a call stands: `cf-aig-metadata` as sent. */
export interface Spot {
  task: string
  phase: string
  seq: number
}
export interface Said {
  text: string
  usage: { input: number; output: number }
  /** The tool this reply sets in motion. */
  tool: 'todo' | 'internet_search' | null
}

/** Murmur's finalizer over FNV-1a: FNV alone gives texts that differ in their last character neighbouring numbers. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
const roll = (sides: number, ...parts: (string | number)[]) => hashOf(parts.join(' ')) % sides
const nameOf = (task: string, seq: number) => hashOf(`${task} ${seq}`).toString(16).padStart(8, '0')

export const todoOf = (task: string, seq: number) => `chaos ${task} row ${seq}`
export const queryOf = (task: string, seq: number) => `${task} row ${seq}`

/** Behind this row a task is brought to its end. */
const lastRow = (task: string) => 10 + roll(40, task, 'length')

export function sayingOf(spot: Spot, output_cap: number): Said {
  const { task, seq } = spot
  const { reply, tool } = decisionOf(spot)
  // Below any reservation, and different for each row so that a mix-up shows.
  const usage = { input: 10 + roll(90, task, seq, 'in'), output: 1 + roll(Math.min(output_cap, 60), task, seq, 'out') }
  return { text: JSON.stringify(reply), usage, tool }
}

function decisionOf({ task, phase, seq }: Spot): { reply: object; tool: Said['tool'] } {
  const over = seq > lastRow(task)
  const dice = roll(100, task, seq, 'decision')
  if (phase === 'plan') return { reply: { status: 'planned', plan: titles(task, seq) }, tool: null }
  if (phase === 'replan') {
    const ends = over || dice < 6
    const reply = ends
      ? { status: 'done', plan: [], response: 'done' }
      : { status: 'replanned', plan: titles(task, seq) }
    return { reply, tool: null }
  }
  if (over || dice >= 80) return { reply: thought({ status: 'done' }), tool: null }
  if (dice < 45) return { reply: acting('todo', `/todo add ${todoOf(task, seq)}`), tool: 'todo' }
  if (dice < 65) return { reply: acting('internet_search', queryOf(task, seq)), tool: 'internet_search' }
  const question = `Which colour has ${nameOf(task, seq)}?`
  return { reply: thought({ status: 'ask_user', current_step: 'ask', question }), tool: null }
}

const titles = (task: string, seq: number) =>
  Array.from({ length: 2 + roll(3, task, seq, 'items') }, (_, index) => `item ${index + 1} of row ${seq}`)

const thought = (fields: object) => ({
  current_step: null,
  next_action: null,
  question: null,
  response: null,
  ...fields,
})
const acting = (tool: string, input: string) =>
  thought({ status: 'continue', current_step: 'act', next_action: { tool, input } })

/** Three calls in a hundred go wrong. */
export const isFaulty = (seed: number, { task, seq }: Spot): boolean => roll(1000, seed, task, seq, 'fault') < 30

/** Ms until the model answers: mostly at once, sometimes long enough to be met by a kill or by another request. */
export function delayOf(seed: number, { task, seq }: Spot): number {
  return roll(10, seed, task, seq, 'slow') === 0 ? 150 + roll(250, task, seq, 'ms') : 5 + roll(45, task, seq, 'ms')
}
