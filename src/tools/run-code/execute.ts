/**
 * One call of `run_code`: its input read, its dataset found, the code run, what it makes kept, and told as JSON (O1-07, O1-08). What code
 * prints and saves is data: it is quoted, and nothing in it is looked for.
 */
import { RESULTS } from '../../core/terms/files/file-types.ts'
import { cut } from '../../core/terms/text.ts'
import { openGate, type Pause } from '../../shell/compute-lock.ts'
import type { CodeRun, CodeRunner, Files, OpenFile, Tool, ToolCall } from '../../shell/ports.ts'
import { chosenDataset } from '../choose-dataset.ts'
import { kept } from './output-files.ts'
import { codeInputOf, type CodeInput } from './input.ts'
import { CODE_WORDS } from './text.ts'
import { DATASET_WORDS } from '../dataset-texts.ts'
import { seqOf, taken } from '../files.ts'
import type { RunCodePorts } from './tool.ts'

type Returned = Awaited<ReturnType<Tool['run']>>

/** For the code itself (O1-01); a runner may take longer for what it has to be sent. */
const RUN_MS = 30_000
const STDOUT_CHARS_MAX = 2_000
const STDERR_CHARS_MAX = 500
/** Of the members saved in a run, as JSON; larger ones are in the file. */
const RESULT_CHARS_MAX = 1_500
const RESULTS_BYTES_MAX = 262_144

export async function ranCode(ports: RunCodePorts, input: string, call: ToolCall): Promise<Returned> {
  const words = CODE_WORDS[call.locale]
  const wanted = codeInputOf(input)
  if (!wanted.ok) return failed('usage_error', words.flaws[wanted.flaw])
  const runner = wanted.value.language === 'python' ? ports.python : ports.javascript
  if (runner === null) return failed('no_python', words.no_python)
  // Python runs elsewhere, where as many run at a time as its runner takes.
  const { gate = openGate } = wanted.value.language === 'python' ? {} : ports
  const ran = await gate<Ran>(call, { returned: failed('busy', DATASET_WORDS[call.locale].busy) }, (pause, rest_ms) =>
    ranInTurn(ports.files, runner, wanted.value, { ...call, pause, timeout_ms: rest_ms }),
  )
  if ('returned' in ran) return ran.returned
  const { run, before, hint } = ran
  // A runner gives back what it was given too: that is nothing new.
  const results = run.results === before ? null : run.results
  const { artifacts, refused } = await kept(ports.files, call, { ...run, results })
  return told(run, { artifacts, notes: [...refused, ...hintOf(run, hint)], before })
}

type Ran = { run: CodeRun; before: string | null; hint: string } | { returned: Returned }
type PausedCall = ToolCall & { pause: Pause }

async function ranInTurn(files: Files, runner: CodeRunner, input: CodeInput, call: PausedCall): Promise<Ran> {
  const chosen = await chosenDataset(files, input.dataset, call)
  // Code may do without a dataset that nobody has named.
  const without = !chosen.ok && (chosen.code === 'no_dataset' || chosen.code === 'dataset_unnamed')
  if (!chosen.ok && !without) return { returned: failed(chosen.code, chosen.why) }
  const before = await resultsBefore(files, call)
  const dataset = chosen.ok ? chosen.file : null
  const run = await ranBy(runner, input, { dataset, before, call })
  return run === null
    ? { returned: failed('runner_failed', CODE_WORDS[call.locale].runner_failed) }
    : { run, before, hint: chosen.ok ? '' : chosen.why }
}

const failed = (code: string, stderr: string): Returned => ({
  ok: false,
  code,
  text: JSON.stringify({ tool: 'run_code', status: 'error', stdout: '', stderr, has_image: false, artifacts: [] }),
})

/** Code without data that failed may have wanted it. */
const hintOf = ({ ok, stderr }: CodeRun, hint: string): string[] =>
  !ok && hint !== '' && /\bdata\b|no column|undefined/.test(stderr) ? [hint] : []

/**
 * What runs before this one have saved. What this effect has written itself, when it is repeated, is none of that: what was there before it is
 * not known any more, so the code begins without results, and the file stays as it was first written.
 */
async function resultsBefore(files: Files, call: ToolCall): Promise<string | null> {
  const file = taken(await files.open(call, RESULTS))
  if (file === null) return null
  const earlier = file.entry.seq < seqOf(call.key)
  if (earlier && file.entry.bytes <= RESULTS_BYTES_MAX) return await new Response(file.body).text()
  await file.body.cancel()
  return null
}

/** null: the runner failed, which says nothing about the code. */
async function ranBy(
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

interface About {
  artifacts: string[]
  /** Ours, behind what the code said. */
  notes: string[]
  before: string | null
}

function told(run: CodeRun, { artifacts, notes, before }: About): Returned {
  const stderr = [run.stderr, ...notes].filter((text) => text !== '').join('\n')
  const saved = savedIn(run.results, before)
  const text = JSON.stringify({
    tool: 'run_code',
    status: run.ok ? 'success' : 'error',
    stdout: cut(run.stdout.toWellFormed(), STDOUT_CHARS_MAX),
    stderr: endOf(stderr.toWellFormed(), STDERR_CHARS_MAX),
    has_image: artifacts.some((name) => name !== RESULTS),
    artifacts,
    ...(saved === null ? {} : { result: saved }),
    ...(run.stdout.length > STDOUT_CHARS_MAX || stderr.length > STDERR_CHARS_MAX ? { truncated: true } : {}),
  })
  return { ok: run.ok, code: run.ok ? 'code_ran' : 'code_failed', text }
}

/** What went wrong stands at the end. */
function endOf(text: string, chars_max: number): string {
  return text.length <= chars_max ? text : `…${text.slice(1 - chars_max).replace(/^[\udc00-\udfff]/, '')}`
}

/** The members that are new or another; null: none, or more than is worth showing. */
function savedIn(results: string | null, before: string | null): Record<string, unknown> | null {
  const old = new Map([...membersOf(before)].map(([name, value]) => [name, JSON.stringify(value)]))
  const saved = [...membersOf(results)].filter(([name, value]) => old.get(name) !== JSON.stringify(value))
  const made = Object.fromEntries(saved)
  return saved.length === 0 || JSON.stringify(made).length > RESULT_CHARS_MAX ? null : made
}

function membersOf(text: string | null): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new Map(Object.entries(value))
      : new Map()
  } catch {
    return new Map()
  }
}
