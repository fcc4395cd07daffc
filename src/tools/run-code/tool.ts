/**
 * The tool `run_code`: runs code that the model has written over a dataset of the task, keeps what it makes as files, and tells of it
 * (docs/tools.md). How is loaded by the first call.
 */
import type { Gate } from '../../shell/compute-lock.ts'
import type { CodeRunner, Files, Tool } from '../../shell/ports.ts'

export interface RunCodePorts {
  files: Files
  javascript: CodeRunner
  /** null: there is none. */
  python: CodeRunner | null
  /** Of what computes in this isolate. */
  gate?: Gate
}

/** Codes: `code_ran`; `code_failed`, `runner_failed`, `usage_error`, `no_python`, `not_found`, `busy`. */
export const runCode = (ports: RunCodePorts): Tool => ({
  name: 'run_code',
  async run(input, call) {
    const { ranCode } = await import('./execute.ts')
    return await ranCode(ports, input, call)
  },
})
