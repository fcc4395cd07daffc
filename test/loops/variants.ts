/** The five modes, each in the settings that change what a request has or how often the model is called. */
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import type { Settings } from '../../src/core/terms/settings.ts'

export type Variant = [name: string, mode: ModeName, settings: Partial<Settings>]

export const VARIANTS: Variant[] = [
  ['plan_execute', 'plan_execute', {}],
  ['plan_execute with few calls', 'plan_execute', { calls: 'few' }],
  ['dynamic', 'dynamic', {}],
  ['dynamic with merged calls', 'dynamic', { merged_calls: true }],
  ['dynamic with few calls', 'dynamic', { calls: 'few' }],
  ['orchestrator', 'orchestrator', {}],
  ['session', 'session', {}],
  ['autonomous', 'autonomous', {}],
  ['autonomous in stages', 'autonomous', { agent_mode: 'staged' }],
]
