/** The guide from plan_execute to dynamic is held to the code. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { modeOf } from '../../src/core/modes/index.ts'
import { DEFAULT_SETTINGS } from '../../src/core/settings.ts'
import { CreateTask } from '../../src/http/schemas.ts'

const [, guide = ''] = readFileSync('docs/modes.md', 'utf8').split('## From plan_execute to dynamic\n')

it('S3-27 S3-26 the request of the guide makes a dynamic task; without a mode it is plan_execute', () => {
  const [, body = ''] = /```json\n(.*?)```/s.exec(guide) ?? []
  expect(CreateTask.parse(JSON.parse(body)).mode).toBe('dynamic')
  expect(CreateTask.parse({ goal: 'x' }).mode).toBe('plan_execute')
})

it('S3-27 O3-01 each setting of the mode stands in the guide with its default', () => {
  const defaults = { ...DEFAULT_SETTINGS, ...modeOf('dynamic').presets }
  const listed = [...guide.matchAll(/^\| `(\w+)` +\| (\S+) +\|/gm)].map(([, name = '', preset]) => [name, preset])
  const known = new Map<string, unknown>(Object.entries(defaults))
  expect(listed.slice(-6)).toEqual(listed.slice(-6).map(([name = '']) => [name, String(known.get(name))]))
  expect(listed.slice(-6).map(([name]) => name)).toEqual([
    'max_actions_per_step',
    'step_timeout_s',
    'repeat_action_limit',
    'max_adjustments',
    'dynamic_planning',
    'merged_calls',
  ])
  expect(guide).toContain(`${defaults.max_steps} unless set`)
  for (const phase of modeOf('dynamic').model_phases) expect(guide).toContain(`\`${phase}\``)
})
