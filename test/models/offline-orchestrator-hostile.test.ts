/** Mode orchestrator of the offline model under contexts drawn at random: it never throws, and its replies keep their shape. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, EvaluationReply, PlanReply, planOf, titlesOf } from './orchestrator-asks.ts'

const step = (title: string) => ({ title, description: `about ${title}`, constraints: 'c', expected_output: 'e' })

describe('replies to any request', () => {
  const awkward = [
    ' and ',
    ', then ',
    '。',
    '，',
    '\n',
    '- ',
    '1. ',
    'fix it',
    '复现',
    '"',
    '`',
    '(',
    '）',
    '\uD800',
    '\uE000',
    '不要改',
    'without ',
    'also ',
    'drop step 1',
    '删除第1步',
    'ABORT:',
    'done',
    '\u0000',
    'Constraints:',
    '#',
  ]
  const text = fc
    .array(fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 24 })
    .map((parts) => parts.join(''))
  const texts = fc.array(text, { maxLength: 3 })
  const locale = fc.constantFrom('en' as const, 'zh' as const)
  const shared = { goal: text, locale, remarks: texts, timezone: fc.constant('UTC') }
  const plans = fc.record({
    phase: fc.constant('plan'),
    ...shared,
    plan: fc.option(fc.array(text.map(step), { maxLength: 30 }), { nil: null }),
    requested_change: fc.option(text, { nil: undefined }),
  })
  const evaluations = fc.record({
    phase: fc.constant('evaluate'),
    ...shared,
    completed: fc.array(fc.record({ title: text, status: text, result: fc.option(text) }), { maxLength: 3 }),
    remaining: texts,
    plan: fc.array(text.map(step), { maxLength: 3 }),
    current_item: text.map(step),
    retries_left: fc.nat(3),
    replans_left: fc.nat(3),
    report: fc.record({
      status: fc.constantFrom('SUCCESS', 'FAILED', 'PARTIAL_SUCCESS', 'UNKNOWN'),
      results: fc.option(text),
      pitfalls: fc.option(text),
      next_steps: fc.option(text),
      text,
    }),
  })
  const summaries = fc.record({
    phase: fc.constant('summary'),
    ...shared,
    completed: fc.array(
      fc.record({
        title: text,
        status: fc.constantFrom('completed', 'failed', 'skipped', 'pending', 'x'),
        commands: fc.nat(3),
        result: fc.option(text),
      }),
      { maxLength: 12 },
    ),
    totals: fc.record({ commands: fc.nat(9), failed_attempts: fc.nat(9), replans: fc.nat(9) }),
  })

  it('a plan has 1 to 20 steps with different titles, and the same request gets the same reply', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (context) => {
        const said = await ask(context)
        const { steps } = PlanReply.parse(JSON.parse(said))
        expect(new Set(titlesOf(steps)).size).toBe(steps.length)
        expect(await ask(context)).toBe(said)
      }),
      { numRuns: 400, seed: 21 },
    )
  })

  it('an evaluation is one of four decisions with a reason, and only a replan has steps', async () => {
    await fc.assert(
      fc.asyncProperty(evaluations, async (context) => {
        const { decision, adjusted_steps } = EvaluationReply.parse(JSON.parse(await ask(context)))
        expect(adjusted_steps.length > 0).toBe(decision === 'replan')
        if (context.replans_left === 0) expect(decision).not.toBe('replan')
      }),
      { numRuns: 400, seed: 22 },
    )
  })

  it('a summary has two to six lines', async () => {
    await fc.assert(
      fc.asyncProperty(summaries, async (context) => {
        const said = (await ask(context)).split('\n')
        expect(said.length).toBeGreaterThanOrEqual(2)
        expect(said.length).toBeLessThanOrEqual(6)
        expect(said.every((line) => line.trim() !== '')).toBe(true)
      }),
      { numRuns: 300, seed: 23 },
    )
  })

  it.each([
    'fix it, ',
    '，',
    '再',
    '并',
    '1. ',
    '- a\n',
    '(',
    '"',
    '```',
    'https://',
    ' to run and ',
    '在不改的前提下，',
    'please ',
    'Constraints:\n',
  ])('a goal of 8,000 characters of %j is read to its end', async (piece) => {
    const goal = `Fix the parser ${piece.repeat(8_000)}`.slice(0, 8_000)
    expect((await planOf(goal, { remarks: [goal] })).steps.length).toBeGreaterThanOrEqual(1)
  })

  it('a context of the wrong shape is a failed call', async () => {
    await expect(ask({ phase: 'turn', goal: 'x', locale: 'en' })).rejects.toThrow('the context does not fit: phase')
    await expect(ask({ phase: 'plan', locale: 'en' })).rejects.toThrow('the context does not fit: goal')
  })
})
