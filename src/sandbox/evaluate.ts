/**
 * One run, from the text of the code to what went wrong. As a script when it can be one – its last value counts, as in a notebook – else
 * as the body of an async function, for `await` and `return` at its top. Promises go on until there is nothing left to do.
 */
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import type { Guest } from './guest.ts'
import { FUEL_KEPT, JOBS_PER_TURN, MEMORY_BYTES } from './limits.ts'
import type { Machine } from './machine.ts'
import { errorText, stoppedText } from './error-text.ts'
import type { RunOutput } from './run-output.ts'
import type { RunWords } from './words.ts'

interface Work {
  code: string
  words: RunWords
  out: RunOutput
  fuel: number
}
const FILE = 'code.js'
/** A statement at the top that awaits: as a script `await (x)` would call a function of that name. */
const AWAITS = /^(?:(?:const|let|var)\s[^=\n\r\u2028\u2029]+=\s*)?await\b/m

/** What went wrong, empty when nothing did. Never throws: a trap of the interpreter is an end like any other. */
export function evaluateCode(machine: Machine, guest: Guest, { code, words, out, fuel }: Work): string {
  const told = { code, words, guest }
  let stopped = false
  machine.setFuel(fuel + FUEL_KEPT)
  machine.stopWhen(() => (stopped ||= machine.fuel() < FUEL_KEPT))
  const fail = (thrown: QuickJSHandle) => {
    // So much is kept back for this.
    machine.stopWhen(() => false)
    machine.setFuel(FUEL_KEPT)
    return errorText(thrown, { ...told, stopped, full: machine.memoryBytes() >= MEMORY_BYTES })
  }
  try {
    const script = asScript(machine, code)
    const evaluated = machine.vm.evalCode(script ? code : `(async()=>{${code}\n})()`, FILE)
    if (evaluated.error) return fail(evaluated.error)
    const unfinished = jobsDone(machine)
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
    return trapped(machine, error, { words, guest, stopped })
  }
}

function asScript({ vm }: Machine, code: string): boolean {
  if (AWAITS.test(code)) return false
  const compiled = vm.evalCode(code, FILE, { compileOnly: true })
  const { error } = compiled
  compiled.dispose()
  return error === undefined
}

/** Runs what promises have put off; answers with what was thrown past them all. */
function jobsDone({ runtime }: Machine): QuickJSHandle | null {
  for (;;) {
    const turn = runtime.executePendingJobs(JOBS_PER_TURN)
    if (turn.error) return turn.error
    if (turn.value === 0) return null
  }
}

/** A promise waits for ever where there was no fuel or no memory left to settle it. */
function pendingOf(machine: Machine, words: RunWords): string {
  if (machine.fuel() < FUEL_KEPT) return words.fuel
  return machine.memoryBytes() >= MEMORY_BYTES ? words.memory : words.unsettled
}

/** The value that was returned, or the last one of a script that printed nothing. */
function echo({ vm }: Machine, guest: Guest, value: QuickJSHandle, out: RunOutput): void {
  if (vm.typeof(value) === 'undefined' || vm.typeof(value) === 'function') return
  const shown = guest.value(value)
  if (shown !== null) out.line('stdout', shown)
}

type Stopped = Pick<Work, 'words'> & { guest: Guest; stopped: boolean }

function trapped(machine: Machine, error: unknown, { words, guest, stopped }: Stopped): string {
  if (stopped || machine.fuel() < 0) return stoppedText(guest, words)
  // The stack of the platform, which native recursion of the interpreter can use up.
  if (error instanceof RangeError) return words.stack
  return machine.memoryBytes() >= machine.memoryBytesMax ? words.memory : words.crashed
}
