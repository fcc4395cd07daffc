/** The worst prompt of each mode, built by hand through its own loop, stays below what its forecast counts for one call. */
import { describe, expect, it } from 'vitest'
import { worstCall, worstSeconds } from '../../src/core/engine/forecast/forecast-limits.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES, type ModeName } from '../../src/core/terms/mode-names.ts'
import { ENDED_MAX } from '../../src/core/modes/orchestrator/state.ts'
import type { Report } from '../../src/core/terms/delegation.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'
import {
  CALLER,
  act,
  benchOf,
  calling,
  createTask,
  done,
  NONE,
  say,
  step,
  type Bench,
  type Script,
} from '../support/scripted.ts'

/** A client's tools of nearly 32 KB, with quotation marks in them. */
const TOOLS = Array.from({ length: 32 }, (_, index) => ({
  name: `tool_${index}`,
  description: '"'.repeat(150),
  parameters: { type: 'object', properties: { what: { type: 'string', description: '\\'.repeat(150) } } },
  url: 'https://example.com/tool',
  idempotent: false,
}))
/** What takes the most bytes in JSON within JSON, and in JSON. */
const CONTROL = '\u0001'
const CHINESE = '中'
const INSTRUCTIONS = `x${CONTROL.repeat(15_998)}x`

interface Worst {
  settings: Partial<Settings>
  script: Script
  goal: string
  remarks: string[]
}
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const WORST: Record<ModeName, () => Worst> = {
  plan_execute: () => ({
    settings: { max_steps: 1_000, observation_history_limit: 30, failure_limit: 100 },
    goal: CHINESE.repeat(8_000),
    remarks: times(6, () => CHINESE.repeat(16_000)),
    script: {
      plan: [{ status: 'planned', plan: times(100, (n) => `${n}`.padEnd(500, CHINESE)) }],
      thought: [...times(30, (n) => act(`/todo add ${n}`)), done()],
      tools: times(30, () => ({ ok: true, text: CHINESE.repeat(10_000) })),
    },
  }),
  dynamic: () => ({
    settings: {
      observation_history_limit: 30,
      max_actions_per_step: 100,
      max_adjustments: 0,
      merged_calls: true,
      max_output_tokens: 8_192,
      repeat_action_limit: 100,
    },
    goal: CONTROL.repeat(8_000),
    remarks: times(6, () => `x${CONTROL.repeat(15_998)}x`),
    script: {
      plan: [{ steps: times(100, (n) => longStep(`${n}`)) }],
      step_decision: times(30, (n) => ({
        thought: 'on',
        is_complete: false,
        reason: `a${CONTROL.repeat(400)}b`,
        add_steps: times(100, (at) => ({ ...longStep(`add ${at}`), description: '', expected_output: '' })),
        remove_steps: times(100, (at) => `remove ${at}${CONTROL.repeat(200)}b`),
        action: {
          tool: 'todo',
          input: `/todo add ${n}${CONTROL.repeat(1_000)}b`,
          save_as: `${n}`.padEnd(100, '中'),
        },
      })),
      tools: times(30, () => ({ ok: true, text: CONTROL.repeat(10_000) })),
    },
  }),
  session: () => ({
    settings: {
      max_iterations: 100,
      failure_limit: 100,
      observation_char_limit: 100_000,
      transcript_token_limit: 8_000,
    },
    goal: CONTROL.repeat(8_000),
    remarks: times(6, () => `x${CONTROL.repeat(15_998)}x`),
    script: {
      turn: [
        calling(times(100, (n) => `[Step] ${n}${CONTROL.repeat(480)}b`).join('\n'), [
          'todo',
          { command: CONTROL.repeat(4_000) },
        ]),
        ...times(3, () => calling('', ...times(32, (): [string, object] => ['todo', { command: CONTROL.repeat(10) }]))),
      ],
      tools: times(1 + 3 * 32, () => ({ ok: true, text: CONTROL.repeat(10_000) })),
    },
  }),
  autonomous: () => ({
    settings: {
      max_iterations: 100,
      failure_limit: 100,
      observation_char_limit: 100_000,
      transcript_token_limit: 8_000,
    },
    goal: CONTROL.repeat(8_000),
    remarks: times(6, () => `x${CONTROL.repeat(15_998)}x`),
    script: {
      turn: [
        calling(`<tasks>\n${times(100, (n) => `- [ ] ${n}${CONTROL.repeat(480)}b`).join('\n')}\n</tasks>`, [
          'run_code',
          { code: CONTROL.repeat(4_000) },
        ]),
        ...times(3, () =>
          calling('', ...times(32, (): [string, object] => ['run_code', { code: CONTROL.repeat(10) }])),
        ),
      ],
      tools: times(1 + 3 * 32, () => ({ ok: true, text: CONTROL.repeat(10_000) })),
    },
  }),
  // A plan that is changed again and again before it is approved: made anew, all of it is shown with all its texts.
  orchestrator: () => ({
    settings: { approve: 'plan' },
    goal: CONTROL.repeat(8_000),
    remarks: times(6, () => `x${CONTROL.repeat(15_998)}x`),
    script: {
      plan: times(7, () => ({
        steps: times(100, (n) => {
          const { name, description, expected_output } = longStep(`${n}`)
          return { title: name, description, constraints: description, expected_output }
        }),
      })),
    },
  }),
}
function longStep(name: string) {
  const filled = (length: number) => `a${CONTROL.repeat(length - 2)}b`
  return { name: `${name}${filled(500 - name.length)}`, description: filled(2_000), expected_output: filled(2_000) }
}

/** The most that was reserved for the input of one call. */
function largest(bench: Bench, id: string): number {
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  const seqs = times(rows?.records.size ?? 0, (index) => index + 1)
  return Math.max(...seqs.map((seq) => rows?.closed(seq)?.reserved?.input_tokens ?? 0))
}

describe.each(MODE_NAMES)('the worst prompt of %s', (mode) => {
  it("U55 with the longest of everything, a client's tools and instructions, it is within what the forecast counts, and near it", async () => {
    const { settings, script, goal, remarks } = WORST[mode]()
    const bench = benchOf(script)
    const task = await createTask(
      bench,
      settings,
      { rounds: 1, max_ms: 25_000 },
      {
        mode,
        goal,
        tools: TOOLS,
        instructions: INSTRUCTIONS,
      },
    )
    for (const remark of remarks) await say(bench, task.id, remark, { rounds: 0, max_ms: 25_000 })
    for (let left = true; left;) left = await goOn(bench, task.id)
    const effective = Settings.parse({ ...modeOf(mode).presets, ...settings })
    const bound = worstCall({ mode, settings: effective, tools: TOOLS, instructions: INSTRUCTIONS })
    const reserved = largest(bench, task.id)
    expect(reserved).toBeLessThanOrEqual(bound.input_tokens)
    expect(reserved).toBeGreaterThan(bound.input_tokens / 8)
  })
})

/** Until the script has no more to say. */
async function goOn(bench: Bench, id: string): Promise<boolean> {
  try {
    return (await step(bench, id)).status === 'running'
  } catch {
    return false
  }
}

describe('the other prompts of orchestrator', () => {
  const words = (length: number) => `a${CONTROL.repeat(length - 2)}b`
  const listed = (count: number) => ({
    steps: times(count, (n) => {
      const { name, description, expected_output } = longStep(`${n}`)
      return { title: name, description, constraints: description, expected_output }
    }),
  })
  const judged = (decision: string, steps: object[] = []) => ({ decision, reason: words(4_000), adjusted_steps: steps })
  const said: Report = {
    status: 'PARTIAL_SUCCESS',
    session_id: 'session-1',
    results: words(20_000),
    pitfalls: words(20_000),
    next_steps: words(20_000),
    text: words(60_000),
  }
  const report = async (bench: Bench, id: string) => {
    const { pending } = await step(bench, id)
    if (pending?.kind !== 'report') throw new Error('no report is waited for')
    await bench.service.reportDelegation(CALLER, pending.delegation_id, {
      command_id: null,
      report: said,
      spent: null,
    })
  }

  it('with the longest list, report, instruction and remarks, evaluation and summary are within the bound too', async () => {
    const done = times(ENDED_MAX, () => judged('next'))
    const rest = times(10, () => judged('next'))
    const evaluate = [...done, judged('replan', listed(100).steps), judged('retry'), ...rest]
    const bench = benchOf({ plan: [listed(100)], evaluate, summary: ['so'] })
    const settings = { max_retries_per_step: 0, max_steps: 1_000 }
    const { id } = await createTask(bench, settings, NONE, { mode: 'orchestrator', goal: CONTROL.repeat(8_000) })
    for (const _ of times(ENDED_MAX + 2, (n) => n)) {
      await report(bench, id)
      await step(bench, id)
    }
    await say(bench, id, words(16_000), NONE)
    for (const _ of times(5, (n) => n)) await say(bench, id, words(16_000), NONE)
    for (const n of rest.keys()) {
      await report(bench, id)
      await step(bench, id)
      if (n > 0) continue
      // The longest list has been judged; a short one is soon at its end.
      const items = times(rest.length - 1, (at) => ({ title: words(500 - at), description: words(2_000) }))
      await bench.service.editPlan(CALLER, id, items, null)
    }
    const task = await step(bench, id)
    expect([task.status, task.plan.items.length]).toEqual(['completed', ENDED_MAX + rest.length - 1])
    const { input_tokens } = worstCall({ mode: 'orchestrator', settings: Settings.parse(settings), tools: [] })
    const phases = ['evaluate', 'summary'].map((phase) => {
      const sizes = bench.requests.filter(({ metadata }) => metadata.phase === phase).map(bytesOf)
      return Math.max(...sizes)
    })
    for (const bytes of phases) {
      expect(bytes).toBeLessThanOrEqual(input_tokens)
      expect(bytes).toBeGreaterThan(input_tokens / 8)
    }
  }, 60_000)
})
const bytesOf = ({ messages }: ModelRequest) => new TextEncoder().encode(JSON.stringify(messages)).length

describe('the longest a task can work', () => {
  it.each([
    ['plan_execute', { max_steps: 10 }, 14 * 60 + 5 * 55],
    ['dynamic', { max_steps: 10, merged_calls: true, failure_limit: 1 }, (3 + 464) * 60 + 10 * 55],
    ['session', { max_iterations: 10 }, 10 * 60 + 10 * 32 * 55],
  ])('%s counts its calls of tools, each to its time-out', (mode, settings, seconds) => {
    expect(worstSeconds({ mode, settings: Settings.parse(settings), tools: [], fallbacks: {} })).toBe(seconds)
  })
})
