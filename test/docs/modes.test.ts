/** The guides from plan_execute to the other modes are held to the code. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { modeOf } from '../../src/core/modes/index.ts'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import { CreateTask, TASK_DEFAULTS } from '../../src/http/shapes/task-requests.ts'

const page = readFileSync('docs/modes.md', 'utf8')
const guideTo = (mode: string) => page.split(`## From plan_execute to ${mode}\n`)[1]?.split('\n## ')[0] ?? ''
const defaultsOf = (mode: string) => ({ ...DEFAULT_SETTINGS, ...modeOf(mode).presets })

/** The last table of a guide: settings with their defaults. */
const listedIn = (guide: string) =>
  [...(guide.split('| setting ')[1] ?? '').matchAll(/^\| `(\w+)` +\| (\S+) +\|/gm)].map(
    ([, name = '', preset = '']): [string, string] => [name, preset],
  )

it.each(['dynamic', 'session', 'autonomous', 'orchestrator'])(
  'S3-27 S3-26 the request of the guide makes a task of mode %s',
  (mode) => {
    const [, body = ''] = /```json\n(.*?)```/s.exec(guideTo(mode)) ?? []
    expect(CreateTask.parse(JSON.parse(body)).mode).toBe(mode)
    expect(TASK_DEFAULTS.mode).toBe('plan_execute')
  },
)

it.each([
  [
    'dynamic',
    [
      'max_actions_per_step',
      'step_timeout_s',
      'repeat_action_limit',
      'max_adjustments',
      'dynamic_planning',
      'merged_calls',
    ],
  ],
  [
    'session',
    [
      'max_iterations',
      'transcript_token_limit',
      'auto_continue',
      'tool_boundary_hint',
      'fallback_by_step_size',
      'plan_templates',
    ],
  ],
  ['autonomous', ['max_iterations', 'dataset', 'agent_mode', 'transcript_token_limit']],
  [
    'orchestrator',
    ['report_timeout_s', 'worker_pool', 'max_retries_per_step', 'max_replans', 'max_clarifications', 'command_budget'],
  ],
])('S3-27 O3-01 each setting of mode %s stands in its guide with its default', (mode, names) => {
  const known = new Map<string, unknown>(Object.entries(defaultsOf(mode)))
  const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
  expect(listedIn(guideTo(mode))).toEqual(names.map((name) => [name, shown(known.get(name))]))
  for (const phase of modeOf(mode).model_phases) expect(guideTo(mode)).toContain(`\`${phase}\``)
})

it.each([
  ['dynamic', 'max_steps'],
  ['session', 'max_iterations'],
  ['autonomous', 'max_iterations'],
  ['orchestrator', 'max_steps'],
] as const)('S3-27 the guide to %s says how much a task is granted', (mode, setting) => {
  expect(guideTo(mode)).toContain(`${defaultsOf(mode)[setting]} unless set`)
})
