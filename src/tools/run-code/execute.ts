/**
 * One call of `run_code`: reads the input, finds the dataset, runs the code, keeps its files and answers JSON (O1-07, O1-08). What code
 * prints and saves is data: it is quoted and never parsed for instructions.
 */
import { RESULT_FILE } from '../../core/terms/files/file-types.ts'
import { cut } from '../../core/terms/text.ts'
import { jsonOrNull } from '../../core/terms/values/parse-json.ts'
import { freeLock, type ComputeLock, type Pause } from '../../shell/compute-lock.ts'
import type { CodeRun, CodeRunner, Files, OpenFile } from '../../shell/ports.ts'
import type { Tool, ToolContext } from '../../shell/tool-ports.ts'
import { chooseDataset } from '../choose-dataset.ts'
import { keepOutputFiles } from './output-files.ts'
import { readCodeInput, type CodeInput } from './input.ts'
import { CODE_WORDS } from './text.ts'
import { DATASET_WORDS } from '../dataset-texts.ts'
import { seqOf, valueOrThrow } from '../files.ts'

export interface RunCodePorts {
  files: Files
  javascript: CodeRunner
  /** null: no Python runner is configured. */
  python: CodeRunner | null
  /** Bounds how many runs compute in this isolate. */
  gate?: ComputeLock
}
type ToolResult = Awaited<ReturnType<Tool['run']>>

/** The time that the code itself may take (O1-01). A runner may take longer, because data has to be sent to it. */
const RUN_MS = 30_000
const STDOUT_CHARS_MAX = 2_000
const STDERR_CHARS_MAX = 500
/** How much of the saved members the result shows as JSON; larger results are only in the file. */
const RESULT_CHARS_MAX = 1_500
const RESULTS_BYTES_MAX = 262_144

export async function executeCode(ports: RunCodePorts, input: string, call: ToolContext): Promise<ToolResult> {
  const words = CODE_WORDS[call.locale]
  const read = readCodeInput(input)
  if (!read.ok) return failure('usage_error', words.input_errors[read.error])
  const python = read.value.language === 'python'
  const runner = python ? ports.python : ports.javascript
  if (runner === null) return failure('no_python', words.no_python)
  // Python runs elsewhere, and its runner decides how many runs it takes at a time.
  const { gate = freeLock } = python ? {} : ports
  const busy = { returned: failure('busy', DATASET_WORDS[call.locale].busy) }
  const executed = await gate<Execution>(call, busy, (pause, rest_ms) =>
    executeInTurn(ports.files, runner, read.value, { ...call, pause, timeout_ms: rest_ms }),
  )
  if ('returned' in executed) return executed.returned
  const { run, before, hint, lacking } = executed
  // A runner also returns the results that it was given; those are not new.
  const results = run.results === before ? null : run.results
  const { artifacts, refused } = await keepOutputFiles(ports.files, call, { ...run, results })
  const hints = hintOf(run, hint)
  const code = run.ok ? 'code_ran' : hints.length > 0 && lacking === 'dataset_missing' ? lacking : 'code_failed'
  return resultOf(run, { code, artifacts, notes: [...refused, ...hints], before })
}

/** `lacking`: why the code ran without a dataset. null: it had one. */
type Execution =
  | { run: CodeRun; before: string | null; hint: string; lacking: string | null }
  | { returned: ToolResult }
type PausedCall = ToolContext & { pause: Pause }

async function executeInTurn(files: Files, runner: CodeRunner, input: CodeInput, call: PausedCall): Promise<Execution> {
  const choice = await chooseDataset(files, input.dataset, call)
  // Code may run without a dataset when none was named.
  if (!choice.ok && choice.named) return { returned: failure(choice.code, choice.why) }
  const before = await resultsBefore(files, call)
  const dataset = choice.ok ? choice.file : null
  const run = await runWith(runner, input, { dataset, before, call })
  return run === null
    ? { returned: failure('runner_failed', CODE_WORDS[call.locale].runner_failed) }
    : { run, before, hint: choice.ok ? '' : choice.why, lacking: choice.ok ? null : choice.code }
}

const failure = (code: string, stderr: string): ToolResult => ({
  ok: false,
  code,
  text: JSON.stringify({ tool: 'run_code', status: 'error', stdout: '', stderr, has_image: false, artifacts: [] }),
})

/** Code that ran without data may have failed because it needs data. */
const hintOf = ({ ok, stderr }: CodeRun, hint: string): string[] =>
  !ok && hint !== '' && /\bdata\b|no column|undefined/.test(stderr) ? [hint] : []

/**
 * The results that earlier runs have saved. If an effect is repeated, the file may be one that the effect itself wrote. The earlier
 * results are then lost, so the code begins without results, and the file stays as it was first written.
 */
async function resultsBefore(files: Files, call: ToolContext): Promise<string | null> {
  const file = valueOrThrow(await files.open(call, RESULT_FILE))
  if (file === null) return null
  const earlier = file.entry.seq < seqOf(call.key)
  if (earlier && file.entry.bytes <= RESULTS_BYTES_MAX) return await new Response(file.body).text()
  await file.body.cancel()
  return null
}

/** null: the runner itself failed, which says nothing about the code. */
async function runWith(
  runner: CodeRunner,
  { code, sheet }: CodeInput,
  { dataset, before, call }: { dataset: OpenFile | null; before: string | null; call: PausedCall },
): Promise<CodeRun | null> {
  const { tenant, key, timeout_ms, locale, pause } = call
  try {
    const job = { tenant, code, dataset, sheet, results: before, key, locale, pause }
    return await runner.run({ ...job, timeout_ms: Math.min(RUN_MS, timeout_ms) })
  } catch {
    return null
  }
}

interface RunSummary {
  code: string
  artifacts: string[]
  /** Texts of the service that follow the stderr of the code. */
  notes: string[]
  before: string | null
}

function resultOf(run: CodeRun, { code, artifacts, notes, before }: RunSummary): ToolResult {
  const stderr = [run.stderr, ...notes].filter((text) => text !== '').join('\n')
  const saved = savedIn(run.results, before)
  const text = JSON.stringify({
    tool: 'run_code',
    status: run.ok ? 'success' : 'error',
    stdout: cut(run.stdout.toWellFormed(), STDOUT_CHARS_MAX),
    stderr: endOf(stderr.toWellFormed(), STDERR_CHARS_MAX),
    has_image: artifacts.some((name) => name !== RESULT_FILE),
    artifacts,
    ...(saved === null ? {} : { result: saved }),
    ...(run.stdout.length > STDOUT_CHARS_MAX || stderr.length > STDERR_CHARS_MAX ? { truncated: true } : {}),
  })
  return { ok: run.ok, code, text }
}

/** A long stderr keeps its end, because the error stands there. */
function endOf(text: string, chars_max: number): string {
  return text.length <= chars_max ? text : `…${text.slice(1 - chars_max).replace(/^[\udc00-\udfff]/, '')}`
}

/** The members that are new or have changed; null: there are none, or they are too long to be shown. */
function savedIn(results: string | null, before: string | null): Record<string, unknown> | null {
  const old = new Map([...membersOf(before)].map(([name, value]) => [name, JSON.stringify(value)]))
  const saved = [...membersOf(results)].filter(([name, value]) => old.get(name) !== JSON.stringify(value))
  const members = Object.fromEntries(saved)
  return saved.length === 0 || JSON.stringify(members).length > RESULT_CHARS_MAX ? null : members
}

function membersOf(text: string | null): ReadonlyMap<string, unknown> {
  const value = jsonOrNull(text ?? '')
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : new Map()
}
