/** The command line: which command, which texts, which options. Nothing is done here. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { hintOf } from './nearest.ts'

const OPTIONS = {
  after: { type: 'string' },
  drive: { type: 'string' },
  file: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  limit: { type: 'string' },
  'max-steps': { type: 'string' },
  mode: { type: 'string' },
  status: { type: 'string' },
  step: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig
type OptionName = keyof typeof OPTIONS

/** What each command takes: its texts in order, and its options. */
const COMMANDS = {
  run: { texts: ['goal'], options: ['mode', 'drive', 'max-steps', 'file', 'json'] },
  watch: { texts: ['ID'], options: ['step', 'json'] },
  answer: { texts: ['ID', 'text'], options: ['json'] },
  put: { texts: ['ID', 'file'], options: ['json'] },
  tail: { texts: ['ID'], options: ['after', 'json'] },
  list: { texts: [], options: ['status', 'mode', 'limit', 'json'] },
  show: { texts: ['ID'], options: ['json'] },
  cancel: { texts: ['ID'], options: ['json'] },
  retry: { texts: ['ID'], options: ['drive', 'json'] },
} as const satisfies Record<string, { texts: readonly string[]; options: readonly OptionName[] }>
export type CommandName = keyof typeof COMMANDS

export const DRIVES = ['background', 'manual'] as const
export const MODES = ['plan_execute', 'dynamic', 'session', 'autonomous', 'orchestrator'] as const
export const STATUSES = [
  'queued',
  'running',
  'input_required',
  'waiting_external',
  'paused',
  'completed',
  'failed',
  'canceled',
] as const

export interface CommandLine {
  command: CommandName
  texts: string[]
  mode?: (typeof MODES)[number]
  drive?: (typeof DRIVES)[number]
  status?: (typeof STATUSES)[number]
  maxSteps?: number
  limit?: number
  after?: number
  files: string[]
  json: boolean
  step: boolean
}

/** A mistake in the command line, in words for the person who wrote it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)
const isOption = (name: string): name is OptionName => Object.hasOwn(OPTIONS, name)

/** null: help is asked for. Throws a UsageError. */
export function readArguments(argv: readonly string[]): CommandLine | null {
  const end = argv.indexOf('--')
  const args = argv.map((arg, index) => (end !== -1 && index >= end ? arg : guarded(arg, index)))
  const { values, positionals } = parse(args)
  const whole = (text: string) => unguarded(text, argv)
  const value = (text: string | undefined) => (text === undefined ? undefined : whole(text))
  const [command, ...rest] = positionals.map(whole)
  if (values.help === true || command === undefined) return helpOrMistake(values.help === true)
  if (!isCommand(command))
    throw new UsageError(`There is no command "${command}".${hintOf(command, Object.keys(COMMANDS))}`)
  const { texts, options } = COMMANDS[command]
  const allowed: readonly string[] = options
  for (const name of Object.keys(values))
    if (!allowed.includes(name)) throw new UsageError(`loop ${command} takes no --${name}.`)
  checkTexts(command, texts, rest)
  return {
    command,
    texts: rest,
    ...optional('mode', oneOf('mode', value(values.mode), MODES)),
    ...optional('drive', oneOf('drive', value(values.drive), DRIVES)),
    ...optional('status', oneOf('status', value(values.status), STATUSES)),
    ...optional('maxSteps', wholeNumber('max-steps', value(values['max-steps']), 1)),
    ...optional('limit', wholeNumber('limit', value(values.limit), 1)),
    ...optional('after', wholeNumber('after', value(values.after), 0)),
    files: values.file?.map(whole) ?? [],
    json: values.json ?? false,
    step: values.step ?? false,
  }
}

function helpOrMistake(asked: boolean): null {
  if (asked) return null
  throw new UsageError('Which command?')
}

/**
 * A text that begins with "-" and is no option: a number, or what has white space and is not "--name=…". The parser takes such texts only
 * behind "--", so a mark and its place stand for it until it is parsed. No argument of a process has the character NUL.
 */
const isText = (arg: string) => /^-\d/.test(arg) || (/^-.*\s/s.test(arg) && !/^--[a-z-]+=/.test(arg))
const guarded = (arg: string, index: number) => (isText(arg) ? `\0${index}` : arg)
const unguarded = (text: string, argv: readonly string[]) =>
  text.startsWith('\0') ? (argv[Number(text.slice(1))] ?? '') : text

function parse(args: string[]) {
  const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option' || isOption(token.name)) continue
    const known = Object.keys(OPTIONS).map((name) => `--${name}`)
    const text = 'A text that begins with "-" stands behind "--".'
    throw new UsageError(`There is no option ${token.rawName}.${hintOf(token.rawName, known)} ${text}`)
  }
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true })
  } catch (error) {
    // What is left are values that are missing, and values of options that take none.
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

function checkTexts(command: CommandName, wanted: readonly string[], given: readonly string[]): void {
  const missing = wanted[given.length]
  if (missing !== undefined)
    throw new UsageError(`loop ${command} needs ${missing === 'ID' ? 'the id of a task' : `the ${missing}`}.`)
  const [id = ''] = given
  if (wanted[0] === 'ID' && !/^task_[\w-]+$/.test(id))
    throw new UsageError(`"${id}" is not the id of a task. loop list shows those that there are.`)
  if (given.length <= wanted.length) return
  const quotes = command === 'run' || command === 'answer' ? ' Put a text with blanks in quotes.' : ''
  throw new UsageError(
    `loop ${command} takes ${wanted.join(' and ') || 'no text'}, and got "${given[wanted.length]}" too.${quotes}`,
  )
}

function oneOf<const T extends string>(name: string, value: string | undefined, known: readonly T[]): T | undefined {
  if (value === undefined) return undefined
  const found = known.find((one) => one === value)
  if (found === undefined)
    throw new UsageError(`--${name} is one of ${known.join(', ')}, not "${value}".${hintOf(value, known)}`)
  return found
}

function wholeNumber(name: string, value: string | undefined, min: number): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,9}$/.test(value) || Number(value) < min)
    throw new UsageError(`--${name} must be a whole number from ${min} on, not "${value}".`)
  return Number(value)
}

/** A member that is left out when there is no value. */
const optional = <N extends string, V>(name: N, value: V | undefined): { [K in N]?: V } => {
  const member: { [K in N]?: V } = {}
  if (value !== undefined) member[name] = value
  return member
}
