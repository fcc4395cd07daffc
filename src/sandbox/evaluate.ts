/**
 * Evaluates the code of one run. It runs as a script where possible, whose last value counts, as in a notebook. Otherwise it runs as the body of
 * an async function, for `await` and `return` at its top. Promises run until no job is left.
 */
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import type { Guest } from './guest.ts'
import { FUEL_KEPT, JOBS_PER_TURN, MEMORY_BYTES } from './limits.ts'
import type { Machine } from './machine.ts'
import { errorText, stoppedText } from './error-text.ts'
import type { RunOutput } from './run-output.ts'
import type { RunWords } from './words.ts'

interface CodeEvaluation {
  code: string
  words: RunWords
  out: RunOutput
  fuel: number
}
const FILE = 'code.js'
/** A statement at the top that awaits. In a script `await (x)` would call a function of that name. */
const AWAITS = /^(?:(?:const|let|var)\s[^=\n\r\u2028\u2029]+=\s*)?await\b/m

/** Returns the error text, empty on success. Never throws: a trap of the interpreter is an error like any other. */
export function evaluateCode(machine: Machine, guest: Guest, { code, words, out, fuel }: CodeEvaluation): string {
  const told = { code, words, guest }
  let stopped = false
  machine.setFuel(fuel + FUEL_KEPT)
  machine.stopWhen(() => (stopped ||= machine.fuel() < FUEL_KEPT))
  const fail = (thrown: QuickJSHandle) => {
    // The reserve of fuel is for this.
    machine.stopWhen(() => false)
    machine.setFuel(FUEL_KEPT)
    return errorText(thrown, { ...told, stopped, full: machine.memoryBytes() >= MEMORY_BYTES })
  }
  try {
    const script = asScript(machine, code)
    const evaluated = machine.vm.evalCode(script ? code : `(async()=>{${code}\n})()`, FILE)
    if (evaluated.error) return fail(evaluated.error)
    const unfinished = runJobs(machine)
    if (unfinished !== null) return fail(unfinished)
    const state = machine.vm.getPromiseState(evaluated.value)
    if (state.type === 'rejected') return fail(state.error)
    if (stopped) return stoppedText(guest, words)
    const unhandled = machine.unhandled()
    if (unhandled !== null) return fail(unhandled)
    if (state.type === 'pending') return pendingOf(machine, words)
    if (!script || out.text('stdout') === '') echo(machine, guest, state.value, out)
    return stopped ? stoppedText(guest, words) : ''
  } catch (error) {
    return trapText(machine, error, { words, guest, stopped })
  }
}

function asScript({ vm }: Machine, code: string): boolean {
  if (AWAITS.test(code)) return false
  const compiled = vm.evalCode(code, FILE, { compileOnly: true })
  const { error } = compiled
  compiled.dispose()
  return error === undefined
}

/** Runs the jobs of promises, and returns an error that none of them has caught. */
function runJobs({ runtime }: Machine): QuickJSHandle | null {
  for (;;) {
    const turn = runtime.executePendingJobs(JOBS_PER_TURN)
    if (turn.error) return turn.error
    if (turn.value === 0) return null
  }
}

/** A promise stays pending where no fuel or memory was left to settle it. */
function pendingOf(machine: Machine, words: RunWords): string {
  if (machine.fuel() < FUEL_KEPT) return words.fuel
  return machine.memoryBytes() >= MEMORY_BYTES ? words.memory : words.unsettled
}

/** Prints the returned value, or the last value of a script that printed nothing. */
function echo({ vm }: Machine, guest: Guest, value: QuickJSHandle, out: RunOutput): void {
  if (vm.typeof(value) === 'undefined' || vm.typeof(value) === 'function') return
  const shown = guest.value(value)
  if (shown !== null) out.line('stdout', shown)
}

type StopContext = Pick<CodeEvaluation, 'words'> & { guest: Guest; stopped: boolean }

function trapText(machine: Machine, error: unknown, { words, guest, stopped }: StopContext): string {
  if (stopped || machine.fuel() < 0) return stoppedText(guest, words)
  // Native recursion of the interpreter can use up the stack of the platform.
  if (error instanceof RangeError) return words.stack
  return machine.memoryBytes() >= machine.memoryBytesMax ? words.memory : words.crashed
}
