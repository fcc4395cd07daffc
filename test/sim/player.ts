/**
 * The model as a player. A `sound` one mostly works towards an end, a `flawed` one fails and breaks contracts on the way,
 * a `hostile` one says whatever hurts: arbitrary text, contract-valid replies that never end, failures, absurd usage.
 */
import type { EventOf } from '../../src/core/terms/effect.ts'
import type { Usage } from '../../src/core/terms/values/usage.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'
import type { CallContext } from '../../src/shell/tool-ports.ts'
import { randomReply, type Said } from '../support/random-reply.ts'
import { actingWith, readingFile, readsFiles } from '../support/reading-file.ts'
import { leading, RETRY } from './leading.ts'
import { offeredOutside } from './outside.ts'
import type { Random } from './random.ts'

export type Temper = 'sound' | 'flawed' | 'hostile'
export type Outcome = EventOf<'model_replied'> | EventOf<'model_failed'>
export type Player = (request: ModelRequest, call: CallContext) => Outcome & { took_ms: number }

const HOUR_MS = 3_600_000

const NOISE = [
  '',
  'I would rather not.',
  '{"status":"planned","plan":["A"]',
  '```json\n{"status":"done"}\n```',
  '{"status":"done"}{"status":"done"}',
  '[1,2]',
  'null',
  '<html><body>502</body></html>',
  '<think>never closed {"status":"done"}',
  '{"status":"step_done","response":"x"}',
  '{"status":"continue","current_step":"x","next_action":{"tool":"ask_user","input":"x"},"question":null,"response":null}',
  '{"status":"ask_user","current_step":"x","next_action":null,"question":"x","response":"both"}',
  '{"status":"planned","plan":"A"}',
  '{"status":"replanned","plan":[],"response":null}',
  '{"__proto__":{"status":"done"}}',
  '{"status":NaN}',
  '{"status":"完成","plan":["写代码"]}',
  '[ANALYSIS_COMPLETE] </tasks> [完成]',
  `${'['.repeat(90)}${']'.repeat(90)}`,
  'x'.repeat(1_000),
]

export const planned = (...plan: string[]) => ({ status: 'planned', plan })
const thought = (status: string, rest: object) => ({
  status,
  current_step: status,
  next_action: null,
  question: null,
  response: null,
  ...rest,
})
export const act = (tool: string, input: string) => thought('continue', { next_action: { tool, input } })
export const endingAct = (tool: string, input: string) =>
  thought('continue', { next_action: { tool, input, ends_item: true } })
export const ask = (question: string) => thought('ask_user', { question })
export const done = (response: string | null = null) => thought('done', { response })
export const replanned = (...plan: string[]) => ({ status: 'replanned', plan, response: null })
export const closing = (response: string) => ({ status: 'done', plan: [], response })

/** The files that a model reads. The goals of clients name all but the last. */
const FILES = ['sales.csv', 'sales.csv', 'notes.md', 'photo.png', 'photo.png', 'made-up.md']
/** The share of actions that read one of them. */
const READING_SHARE = 0.2

const reading = (said: Said, request: ModelRequest, random: Random, share: number): Said =>
  readsFiles(request) && random.chance(share) ? readingFile(said, random.pick(FILES)) : said

/** The share of actions that call a tool of a source, where the request offers one. */
const CALLING_SHARE = 0.7

/** No two of these calls are equal, so that what a server did is of one action. */
function calling(said: Said, request: ModelRequest, random: Random, serial: number): Said {
  const tool = offeredOutside(request, random)
  return tool !== null && random.chance(CALLING_SHARE) ? actingWith(said, tool, `{"mark":"${serial}"}`) : said
}

/** `serial` numbers all replies of the run, so that no two actions are equal by accident. `away` is an endpoint that seldom answers. */
export function playerOf(
  random: Random,
  temper: () => Temper,
  away: string | null,
  reading_share = READING_SHARE,
): Player {
  let serial = 0
  // Random replies alone never repeat the same action again and again.
  const stubborn = random.chance(0.4)
  return (request, call) => {
    serial += 1
    const mood = temper()
    const took_ms = durationOf(random, mood, call.timeout_ms)
    if (took_ms >= call.timeout_ms) return { ...failed('timed out', null, null), took_ms: call.timeout_ms }
    const broken = { sound: 0.02, flawed: 0.25, hostile: 0.4 }[mood]
    const isAway = (request.model ?? 'default') === away && random.chance(0.8)
    if (isAway || random.chance(broken / 2)) return { ...failure(random), took_ms }
    const saying = stubborn ? insisting : valid
    const spoken = random.chance(broken) ? { text: random.pick(NOISE) } : saying(random, request, mood, serial)
    // Another action in between would be no repetition.
    const isStuck = stubborn && request.metadata.mode === 'dynamic'
    const said = isStuck ? spoken : calling(reading(spoken, request, random, reading_share), request, random, serial)
    return { ...replied(random, mood, request), ...said, took_ms }
  }
}

function durationOf(random: Random, mood: Temper, timeout_ms: number): number {
  if (random.chance(mood === 'sound' ? 0.02 : 0.05)) return timeout_ms
  return random.chance(0.1) ? random.between(5_000, 50_000) : random.between(50, 2_000)
}

const failed = (reason: string, status: number | null, retry_after_ms: number | null): Outcome => ({
  kind: 'model_failed',
  reason,
  status,
  retry_after_ms,
})

function failure(random: Random): Outcome {
  const status = random.pick([null, 400, 401, 408, 429, 429, 500, 503])
  const named = status === 429 || status === 503 ? random.pick([null, 0, 20_000, 90_000, HOUR_MS]) : null
  const told = failed(status === null ? 'connection lost' : `HTTP ${status}`, status, named)
  // A refusal is not a completion, and is charged all the same.
  return status === null && random.chance(0.5) ? { ...told, usage: { input_tokens: 200, output_tokens: 9 } } : told
}

/** The usage is missing, absurd, or within the allowance of the call; only an absurd one breaks a promise that we depend on. */
function replied(random: Random, mood: Temper, request: ModelRequest) {
  const { form } = request
  const within = usageWithin(random, request.max_output_tokens)
  const huge = mood === 'hostile' && random.chance(0.08)
  const usage = random.chance(0.1) ? null : huge ? { input_tokens: 9_000_000, output_tokens: 9_000_000 } : within
  return { kind: 'model_replied' as const, usage, model: 'player', form }
}

/** Half of the calls tell what came from a cache, what went into it, and what the model has thought. */
function usageWithin(random: Random, output_max: number): Usage {
  const [input_tokens, output_tokens] = [random.between(50, 400), random.between(1, output_max)]
  if (random.chance(0.5)) return { input_tokens, output_tokens }
  const cache_read_tokens = random.between(0, input_tokens)
  const cache_write_tokens = random.between(0, input_tokens - cache_read_tokens)
  return {
    input_tokens,
    output_tokens,
    cache_read_tokens,
    cache_write_tokens,
    reasoning_tokens: random.between(0, output_tokens),
  }
}

/** The replies for plan_execute are written here, more sensible than random ones; other modes get random replies that their contracts allow. */
function valid(random: Random, request: ModelRequest, mood: Temper, serial: number): Said {
  const { mode, phase } = request.metadata
  if (phase === 'result') return randomReply(request, random, serial)
  const led = mode === 'orchestrator' ? leading(phase, random, mood === 'hostile', serial) : null
  if (led !== null) return { text: JSON.stringify(led) }
  if (mode !== 'plan_execute') return randomReply(request, random, serial)
  if (request.tools.length > 0 && random.chance(0.4)) return nativeCall(random, request.tools, serial)
  const make = phase === 'plan' ? plan : phase === 'replan' ? replan : decision
  return { text: JSON.stringify(make(random, mood, serial)) }
}

const SAME = { tool: 'think', input: 'the same again', save_as: null }

/** In mode dynamic no step is ever complete, and each has one action; in mode orchestrator no report is accepted. */
function insisting(random: Random, request: ModelRequest, mood: Temper, serial: number): Said {
  const said = valid(random, request, mood, serial)
  const { mode, phase } = request.metadata
  if (mode === 'orchestrator' && phase === 'evaluate') return { text: JSON.stringify(RETRY) }
  if (
    mode !== 'dynamic' ||
    phase === 'plan' ||
    phase === 'result' ||
    phase === 'think' ||
    said.tool_calls !== undefined
  )
    return said
  const reply = JSON.parse(said.text) as object // of an object's schema
  const going = { is_complete: false, add_steps: [], remove_steps: [] }
  const other = phase === 'action' ? SAME : 'action' in reply ? { ...going, action: SAME } : going
  return { text: JSON.stringify({ ...reply, ...other }) }
}

function plan(random: Random, mood: Temper, serial: number): object {
  if (mood === 'hostile')
    return planned(...random.pick([[], ['A', 'A'], Array.from({ length: 9 }, (_, i) => `${i}`), ['x'.repeat(500)]]))
  return planned(...random.pick([['A'], ['A', 'B'], ['A', 'B'], [], [`A ${serial}`]]))
}

function decision(random: Random, mood: Temper, serial: number): object {
  if (mood === 'hostile' && random.chance(0.6)) return attack(random, serial)
  const roll = random.below(10)
  if (roll < 5) return act(...action(random, serial))
  return roll < 6 ? ask(`Question ${serial}?`) : done(random.chance(0.5) ? `conclusion ${serial}` : null)
}

/** Replies that are valid by contract and never help. */
function attack(random: Random, serial: number): object {
  return random.pick([
    ask('Really?'),
    ask('really'),
    act('rm', '-rf /'),
    act('todo', '/todo delete 1'),
    act('todo', 'no command </tasks>'),
    act('internet_search', 'http://169.254.169.254/'),
    act('ring', `ring ${serial}`),
    done(),
  ])
}

/** A call where tools are offered natively, at times two at once, with arguments that cannot be read, or of a tool that is not offered. */
function nativeCall(random: Random, tools: ModelRequest['tools'], serial: number): Said {
  const call = (id: number) => {
    const [name, input] = action(random, serial)
    const text = name === 'internet_search' ? { query: input } : { command: input }
    const args = random.chance(0.1) ? 'no json' : JSON.stringify({ ...text, ends_item: random.chance(0.6), why: 'so' })
    return { id: `call_${id}`, name: random.chance(0.1) ? random.pick(tools).name : name, arguments: args }
  }
  return { text: '', tool_calls: random.chance(0.2) ? [call(1), call(2)] : [call(1)] }
}

function action(random: Random, serial: number): [string, string] {
  return random.pick<[string, string]>([
    ['todo', `/todo add item ${serial}`],
    ['todo', `/todo add item ${serial}`],
    ['schedule', `book ${serial}`],
    ['internet_search', `words ${serial}`],
    ['ring', `ring ${serial}`],
  ])
}

function replan(random: Random, mood: Temper, serial: number): object {
  if (random.chance(mood === 'hostile' ? 0.1 : 0.45)) return closing(`answer ${serial}`)
  return replanned(...random.pick([['A'], ['B'], ['A', 'B'], [`new ${serial}`]]))
}

/** The replies of the model after the faults: the shortest way to an end in plan_execute, and random replies in other modes. */
export function finisherOf(random: Random): Player {
  let serial = 1_000_000
  return (request) => {
    const { mode, phase } = request.metadata
    const reply = { plan: planned('A'), thought: done(), replan: closing('the end') }[phase] ?? done()
    serial += 1
    const spoken =
      mode === 'plan_execute' && phase !== 'result'
        ? { text: JSON.stringify(reply) }
        : valid(random, request, 'sound', serial)
    const said = calling(reading(spoken, request, random, READING_SHARE), request, random, serial)
    const usage = { input_tokens: 10, output_tokens: 5 }
    return { kind: 'model_replied', ...said, usage, model: 'player', form: request.form, took_ms: 100 }
  }
}
