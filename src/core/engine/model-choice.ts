/**
 * Which endpoint a model call goes to: the one that the settings name, or the next one of its fallback list once it was given up.
 * The lists are frozen in the brief, so that a replay and a fork choose as the task did.
 */
import { modeOf } from '../modes/index.ts'
import type { Brief, StoredEffect } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import { RESULT_PHASE, type Settings } from '../terms/settings.ts'
import { DEFAULT_ENDPOINT } from '../terms/values/endpoint-name.ts'
import { isAllowedModel, listUnder, type ModelRules } from './model-rules.ts'

type ModelCall = Extract<StoredEffect, { kind: 'call_model' }>

/** The model of a phase, or else the model of the task. null: the default. */
export function modelFor(settings: Pick<Settings, 'model' | 'models'>, phase: string): string | null {
  const models: Partial<Record<string, string>> = settings.models
  return models[phase] ?? settings.model
}

/** The names for a phase in the order in which they are asked. */
export function namesFor({ settings, fallbacks }: Pick<Brief, 'settings' | 'fallbacks'>, phase: string): string[] {
  const first = modelFor(settings, phase) ?? DEFAULT_ENDPOINT
  return [first, ...(listUnder(fallbacks, first) ?? [])]
}

type CallingBrief = Pick<Brief, 'mode' | 'settings' | 'fallbacks' | 'output_schema'>

/** All names that the calls of a task may go to. */
export function namesOfTask(brief: CallingBrief): string[] {
  const { model_phases } = modeOf(brief.mode)
  const phases = brief.output_schema === undefined ? model_phases : [...model_phases, RESULT_PHASE]
  return [...new Set(phases.flatMap((phase) => namesFor(brief, phase)))]
}

/** The name that the next call of a phase goes to in place of the one in the settings. null: the settings say it. */
export function standInFor({ given_up }: Pick<Head, 'given_up'>, brief: Brief, phase: string): string | null {
  const [first, ...others] = namesFor(brief, phase)
  if (first === undefined || !given_up.includes(first)) return null
  return others.find((name) => !given_up.includes(name)) ?? null
}

/** The name that a call goes to. null: the default. */
export const nameOfCall = ({ endpoint, phase }: Pick<ModelCall, 'endpoint' | 'phase'>, settings: Settings) =>
  endpoint ?? modelFor(settings, phase)

/** The name that is asked after the endpoint of a failed call is given up, and those that are given up then. null: no other is left. */
export function nextName(
  { given_up }: Pick<Head, 'given_up'>,
  brief: Brief,
  call: Pick<ModelCall, 'endpoint' | 'phase'>,
): { from: string; to: string; given_up: string[] } | null {
  const from = nameOfCall(call, brief.settings) ?? DEFAULT_ENDPOINT
  const gone = [...given_up, from]
  const to = namesFor(brief, call.phase).find((name) => !gone.includes(name))
  return to === undefined ? null : { from, to, given_up: gone }
}

/** The fallback lists of a new task: of the names that it uses, as far as its tenant may use theirs. */
export function fallbacksFor(
  task: Omit<CallingBrief, 'fallbacks'>,
  rules: ModelRules,
  tenant: string,
): Brief['fallbacks'] {
  const lists = namesOfTask({ ...task, fallbacks: {} }).map((name): [string, string[]] => [
    name,
    (listUnder(rules.fallbacks, name) ?? []).filter((other) => isAllowedModel(rules, tenant, other)),
  ])
  return Object.fromEntries(lists.filter(([, list]) => list.length > 0))
}

/** The lists of a fork: those of its parent, because the copied rows were decided by them, and new ones of the names that it adds. */
export function fallbacksOfFork(
  parent: Brief,
  settings: Settings,
  rules: ModelRules,
  tenant: string,
): Brief['fallbacks'] {
  const added = fallbacksFor({ ...parent, settings }, rules, tenant)
  const used = namesOfTask({ ...parent, fallbacks: {} })
  const kept = namesOfTask({ ...parent, settings, fallbacks: {} }).filter((name) => used.includes(name))
  const lists = [
    ...Object.entries(added).filter(([name]) => !used.includes(name)),
    ...Object.entries(parent.fallbacks).filter(([name]) => kept.includes(name)),
  ]
  return Object.fromEntries(lists)
}
