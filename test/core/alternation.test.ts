/** Requests of the modes that are one conversation alternate as providers demand it, whatever is replied, said, lost and resumed. Runs are drawn. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNextTurn } from '../../src/core/mode/correction.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import { alternationErrors } from '../support/alternation.ts'
import {
  benchOf,
  calling,
  CALLER,
  createTask,
  cutReply,
  ONE,
  step,
  type Bench,
  type Line,
} from '../support/scripted.ts'

const LONG = 'x'.repeat(1_500)
const list = (...marks: string[]) =>
  `<tasks>\n${marks.map((mark, at) => `- [${mark}] Task ${at}`).join('\n')}\n</tasks>`
const COMMON: Line[] = [
  'An answer.',
  '',
  cutReply('So lo'),
  new Error('down'),
  calling('', ['ask_user', { question: 'Which one?' }], ['rocket', {}]),
]
const MODES = {
  session: [
    ...COMMON,
    calling('[Step] A\n[Step] B\n[Step] C', ['todo', { command: '/todo list' }]),
    calling('[Done]', ['todo', { command: '/todo list' }], ['write_file', { name: 'a.md', content: LONG }]),
    '[Done]',
    '[Step] D\nI begin.',
    'So I call:\n```json\n{"name":"todo","arguments":{"command":"/todo list"}}\n```',
    'Which one?',
    '[Not done: no reason]',
  ],
  autonomous: [
    ...COMMON,
    calling(list(' ', ' '), ['read_dataset', {}]),
    calling(LONG, ['run_code', { code: 'print(1)' }], ['run_code', { code: 'print(2)' }]),
    list(' ', ' '),
    list('x', 'x'),
    'I will now call {"name":"run_code","arguments":{"code":"1"}}.',
    '[ANALYSIS_COMPLETE]',
    '# Report\n[ANALYSIS_COMPLETE]',
    `<tasks>\n${'- [ ] Task\n'.repeat(101)}</tasks>`,
  ],
} satisfies Record<string, Line[]>

const MOVES = ['step', 'step', 'steps', 'say', 'continue', 'ask', 'pause', 'resume', 'lose'] as const
const runOf = (lines: Line[]) =>
  fc.record({
    turn: fc.array(fc.constantFrom(...lines), { minLength: 80, maxLength: 80 }),
    moves: fc.array(fc.constantFrom(...MOVES), { minLength: 8, maxLength: 20 }),
    settings: fc.record({
      max_iterations: fc.integer({ min: 2, max: 9 }),
      failure_limit: fc.integer({ min: 2, max: 4 }),
      transcript_token_limit: fc.constantFrom(1_000, 32_000),
      agent_mode: fc.constantFrom<Settings['agent_mode'][]>('autonomous', 'staged'),
      strict_replies: fc.constantFrom(false, false, true),
    }),
  })

const WORDS: Partial<Record<(typeof MOVES)[number], string>> = {
  say: 'by the way',
  continue: 'continue',
  ask: 'how far are you?',
}

/** A worker begins what is next and is never heard of again. */
async function lose({ store, ports, clock }: Bench, id: string): Promise<void> {
  const more = 'new_round' as const
  const ticket = { slice: ports.random_id(), boot: 'boot', more, wall_ms: clock.now, rounds: 9, key: null }
  await store.of(CALLER.tenant, id).begin(ticket)
  clock.now += 120_000
}

async function move(bench: Bench, id: string, what: (typeof MOVES)[number]): Promise<void> {
  if (what === 'step') await step(bench, id)
  if (what === 'steps') await step(bench, id, { rounds: 5, max_ms: 25_000 })
  const words = WORDS[what]
  // A task that has ended refuses it.
  if (words !== undefined) await bench.service.inputTask(CALLER, id, words, null, ONE)
  if (what === 'lose') await lose(bench, id)
  if (what === 'pause' || what === 'resume') await bench.service.tellTask(CALLER, id, { kind: what })
}

describe.each(Object.entries(MODES))('the requests of mode %s', (mode, lines) => {
  it('U33 begin with the user, have no two replies in a row, and have all results behind each call', async () => {
    const seen = { requests: 0, separated: 0 }
    await fc.assert(
      fc.asyncProperty(runOf(lines), async ({ turn, moves, settings }) => {
        const bench = benchOf({ turn, numbered_results: true })
        const task = await createTask(bench, settings, ONE, { mode })
        for (const what of moves) await move(bench, task.id, what)
        for (const { messages } of bench.requests) {
          expect(alternationErrors(messages)).toEqual([])
          seen.requests += 1
          if (messages.some(isNextTurn)) seen.separated += 1
        }
      }),
      { numRuns: 120 },
    )
    // Replies did stand in a row, or the runs prove nothing.
    expect(seen.separated).toBeGreaterThan(seen.requests / 20)
  })
})
