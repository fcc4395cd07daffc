/** Reads the settings of a task from the document of the service: their names, kinds and limits. */
import { traitsOf } from '../../api/mode-traits.ts'
import type { ModeName } from '../../api/wire.ts'
import type { Attempt } from '../../../core/terms/attempt.ts'
import { asNumber, asText, parseJson } from '../../parse.ts'
import { isRecord } from '../../../core/terms/plain/is-record.ts'

type SettingKind = 'integer' | 'number' | 'text' | 'choice' | 'boolean' | 'json'
export interface SettingSpec {
  name: string
  kind: SettingKind
  /** The description in the words of the service. */
  description: string
  choices: string[]
  min: number | null
  max: number | null
  /** Whether the value may be null. */
  nullable: boolean
}

/** `document` is /openapi.json. A document of another shape has no settings. */
export function specsOf(document: unknown): SettingSpec[] {
  const settings = at(document, 'components', 'schemas', 'SettingsInput', 'properties')
  return isRecord(settings) ? Object.entries(settings).map(([name, schema]) => specOf(name, schema)) : []
}

function specOf(name: string, schema: unknown): SettingSpec {
  const options = at(schema, 'anyOf')
  const nullable = Array.isArray(options) && options.some((option) => at(option, 'type') === 'null')
  const own = Array.isArray(options) ? options.find((option) => at(option, 'type') !== 'null') : schema
  const choices = at(own, 'enum')
  return {
    name,
    kind: kindOf(own),
    description: asText(at(schema, 'description')) ?? '',
    choices: Array.isArray(choices) ? choices.map(String) : [],
    min: asNumber(at(own, 'minimum')),
    max: asNumber(at(own, 'maximum')),
    nullable,
  }
}

function kindOf(schema: unknown): SettingKind {
  const type = at(schema, 'type')
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  if (type !== 'string') return 'json'
  return Array.isArray(at(schema, 'enum')) ? 'choice' : 'text'
}

type SettingEntry = Attempt<unknown, 'number' | 'json'>

/** Reads a typed text as a value of its kind. The service decides whether the value is allowed. */
export function readEntry(kind: SettingKind, text: string): SettingEntry {
  if (kind === 'boolean') return { ok: true, value: text === 'true' }
  if (kind === 'json') return parseJson(text)
  if (kind === 'text' || kind === 'choice') return { ok: true, value: text }
  const value = Number(text)
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, error: 'number' }
}

interface SettingGroups {
  budget: SettingSpec[]
  /** The settings of the chosen mode alone. */
  mode: SettingSpec[]
  general: SettingSpec[]
  others: SettingSpec[]
}
const MONEY_AND_TIME = ['max_tokens', 'max_cost_usd', 'max_seconds']

/** Groups the settings. The description of a setting begins with its modes: `` `session`: …``. */
export function groupSettings(specs: readonly SettingSpec[], mode: ModeName): SettingGroups {
  const budget = [traitsOf(mode).counts, ...MONEY_AND_TIME]
  const groups: SettingGroups = { budget: [], mode: [], general: [], others: [] }
  for (const spec of specs) {
    const modes = /^(?:`\w+`(?:, )?)+(?=:)/.exec(spec.description)?.[0] ?? null
    if (budget.includes(spec.name)) groups.budget.push(spec)
    else if (modes === null) groups.general.push(spec)
    else groups[modes.includes(`\`${mode}\``) ? 'mode' : 'others'].push(spec)
  }
  return groups
}

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value)
