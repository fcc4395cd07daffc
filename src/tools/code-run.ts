/**
 * One call of `run_code`: its input read, its dataset found, the code run, what it makes kept, and told as JSON (O1-07, O1-08). What code
 * prints and saves is data: it is quoted, and nothing in it is looked for.
 */
import { cut } from '../core/text.ts'
import { isDatasetName } from '../datasets/names.ts'
import type { CodeRun, CodeRunner, Files, OpenFile, Tool, ToolCall } from '../shell/ports.ts'
import { kept, RESULTS } from './code-files.ts'
import { codeInputOf, type CodeInput } from './code-input.ts'
import { CODE_WORDS } from './code-words.ts'
import { DATASET_WORDS } from './dataset-words.ts'
import { taken } from './files.ts'
import type { RunCodePorts } from './run-code.ts'

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
  const found = await datasetOf(ports.files, wanted.value, call)
  if (!found.ok) return found.returned
  const before = await resultsBefore(ports.files, call)
  const run = await ranBy(runner, wanted.value, { dataset: found.file, before, call })
  if (run === null) return failed('runner_failed', words.runner_failed)
  // A runner gives back what it was given too: that is nothing new.
  const results = run.results === before ? null : run.results
  const { artifacts, refused } = await kept(ports.files, call, { ...run, results })
  return told(run, { artifacts, notes: [...refused, ...hintOf(run, found)], before })
}

const failed = (code: string, stderr: string): Returned => ({
  ok: false,
  code,
  text: JSON.stringify({ tool: 'run_code', status: 'error', stdout: '', stderr, has_image: false, artifacts: [] }),
})

type Found = { ok: true; file: OpenFile | null; hint: string } | { ok: false; returned: Returned }

/** The one that is named, that of the settings, or the only one there is; without one `data` is empty. */
async function datasetOf(files: Files, { dataset }: CodeInput, call: ToolCall): Promise<Found> {
  const words = DATASET_WORDS[call.locale]
  const there = taken(await files.list(call)).flatMap(({ name }) =>
    isDatasetName(name) && name !== RESULTS ? [name] : [],
  )
  const [only = null, ...others] = there
  const name = dataset ?? call.settings.dataset ?? (others.length === 0 ? only : null)
  if (name === null) return { ok: true, file: null, hint: only === null ? words.none(call.task) : words.several(there) }
  if (!isDatasetName(name))
    return { ok: false, returned: failed('usage_error', CODE_WORDS[call.locale].not_a_dataset(cut(name, 128))) }
  const file = taken(await files.open(call, name))
  return file === null
    ? { ok: false, returned: failed('not_found', words.notFound(name, there, call.task)) }
    : { ok: true, file, hint: '' }
}

/** Code without data that failed may have wanted it. */
const hintOf = ({ ok, stderr }: CodeRun, { hint }: { hint: string }): string[] =>
  !ok && hint !== '' && /\bdata\b|no column|undefined/.test(stderr) ? [hint] : []

async function resultsBefore(files: Files, call: ToolCall): Promise<string | null> {
  const file = taken(await files.open(call, RESULTS))
  if (file === null) return null
  if (file.entry.bytes <= RESULTS_BYTES_MAX) return await new Response(file.body).text()
  await file.body.cancel()
  return null
}

/** null: the runner failed, which says nothing about the code. */
async function ranBy(
  runner: CodeRunner,
  { code, sheet }: CodeInput,
  { dataset, before, call }: { dataset: OpenFile | null; before: string | null; call: ToolCall },
): Promise<CodeRun | null> {
  const { key, timeout_ms, locale } = call
  try {
    const job = { code, dataset, sheet, results: before, key, locale }
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
