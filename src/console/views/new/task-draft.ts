/** A task that is being written: its entries, the body that is sent for it, and the field of each error. */
import { traitsOf } from '../../api/mode-traits.ts'
import type { ModeName } from '../../api/wire.ts'
import { parseJson } from '../../parse.ts'
import { readEntry, type SettingSpec } from './setting-specs.ts'

interface Label {
  key: string
  value: string
}
/** The texts as they were typed. An empty one is not sent. */
export interface TaskDraft {
  goal: string
  instructions: string
  output_schema: string
  mode: ModeName
  drive: 'manual' | 'background'
  rounds: string
  locale: string
  timezone: string
  callback_url: string
  idle_ttl_s: string
  max_ms: string
  metadata: Label[]
  /** The entries by the name of the setting; null stands for the value null. */
  settings: Record<string, string | null>
  tools: string
}
/** What every part of the form works on. */
export interface DraftForm {
  draft: TaskDraft
  change(part: Partial<TaskDraft>): void
  /** What is wrong at a pointer, in words; null: nothing. */
  errorAt(pointer: string): string | null
}
export const EMPTY_TASK: TaskDraft = {
  goal: '',
  instructions: '',
  output_schema: '',
  mode: 'plan_execute',
  drive: 'manual',
  rounds: '1',
  locale: '',
  timezone: '',
  callback_url: '',
  idle_ttl_s: '',
  max_ms: '',
  metadata: [],
  settings: {},
  tools: '',
}
export const GOAL_MAX = 8_000

/** Counts the code points of the trimmed goal, as the service does. */
export const goalLength = (goal: string): number => Array.from(goal.trim()).length

/** Errors that prevent sending: no number, no JSON, two labels with one name, or settings that are not known yet. */
type TaskFieldErrorCode = 'number' | 'json' | 'twice' | 'unread'
/** The errors by the pointers of their fields. */
export type TaskFieldErrors = Record<string, TaskFieldErrorCode>
export interface TaskBody {
  body: Record<string, unknown>
  /** The fields with errors are missing in the body. */
  errors: TaskFieldErrors
}

/** `files` names the files that are uploaded after the task is created. The task must not begin before. */
export function taskBodyOf(
  draft: TaskDraft,
  specs: readonly SettingSpec[],
  files: readonly string[],
  isDataset: boolean,
): TaskBody {
  const errors: TaskFieldErrors = {}
  const settings = settingsOf(draft, specs, errors)
  const [file] = files
  const namesDataset = offersDataset(draft, files) && isDataset && !Object.hasOwn(settings, 'dataset')
  if (namesDataset && file !== undefined) settings['dataset'] = file
  const metadata = draft.metadata.filter(({ key, value }) => key !== '' || value !== '')
  if (new Set(metadata.map(({ key }) => key)).size < metadata.length) errors['/metadata'] = 'twice'
  const tools = jsonIfFilled('tools', draft.tools, errors)
  const output_schema = jsonIfFilled('output_schema', draft.output_schema, errors)
  return {
    errors,
    body: {
      goal: draft.goal,
      mode: draft.mode,
      ...driveOf(draft, files, errors),
      ...(draft.locale === '' ? {} : { locale: draft.locale }),
      ...textIfFilled('timezone', draft.timezone),
      ...textIfFilled('callback_url', draft.callback_url),
      ...integerIfFilled('idle_ttl_s', draft.idle_ttl_s, errors),
      ...integerIfFilled('max_ms', draft.max_ms, errors),
      ...(metadata.length === 0
        ? {}
        : { metadata: Object.fromEntries(metadata.map(({ key, value }) => [key, value])) }),
      ...(Object.keys(settings).length === 0 ? {} : { settings }),
      ...textIfFilled('instructions', draft.instructions),
      ...output_schema,
      ...tools,
    },
  }
}

/** Whether the form asks if the task is about its only file. A text is no dataset. */
export const offersDataset = ({ mode }: TaskDraft, files: readonly string[]): boolean =>
  traitsOf(mode).readsDataset && files.length === 1 && !/\.(?:md|txt|png|jpe?g|webp|gif)$/i.test(files[0] ?? '')

const textIfFilled = (name: string, text: string) => (text.trim() === '' ? {} : { [name]: text.trim() })

function jsonIfFilled(name: string, text: string, errors: TaskFieldErrors): Record<string, unknown> {
  if (text.trim() === '') return {}
  const read = parseJson(text)
  if (!read.ok) errors[`/${name}`] = read.error
  return read.ok ? { [name]: read.value } : {}
}

function integerIfFilled(name: string, text: string, errors: TaskFieldErrors): Record<string, unknown> {
  if (text.trim() === '') return {}
  const read = readEntry('integer', text)
  if (!read.ok) errors[`/${name}`] = read.error
  return read.ok ? { [name]: read.value } : {}
}

/** A task that the service drives begins by itself and has no `rounds`. A task with files begins only when they are there. */
function driveOf(
  { drive, rounds }: TaskDraft,
  files: readonly string[],
  errors: TaskFieldErrors,
): Record<string, unknown> {
  if (files.length > 0) return { drive: 'manual', rounds: 0 }
  if (drive === 'background') return { drive }
  return { drive, ...integerIfFilled('rounds', rounds, errors) }
}

function settingsOf(
  { settings }: TaskDraft,
  specs: readonly SettingSpec[],
  errors: TaskFieldErrors,
): Record<string, unknown> {
  if (specs.length === 0 && Object.values(settings).some((entry) => entry === null || entry.trim() !== '')) {
    errors['/settings'] = 'unread'
    return {}
  }
  const changed = specs.flatMap(({ name, kind }) => {
    const entry = settings[name]
    if (entry === null) return [[name, null] as const]
    if (entry === undefined || entry.trim() === '') return []
    const read = readEntry(kind, entry)
    if (!read.ok) errors[pointerOf(name)] = read.error
    return read.ok ? [[name, read.value] as const] : []
  })
  return Object.fromEntries(changed)
}

export const pointerOf = (setting: string): string => `/settings/${setting}`
export const isChanged = ({ settings }: TaskDraft, { name }: SettingSpec): boolean =>
  settings[name] !== undefined && (settings[name] ?? 'null').trim() !== ''
