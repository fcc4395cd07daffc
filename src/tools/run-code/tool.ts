/**
 * The tool `run_code`: runs code that the model has written over a dataset of the task and keeps its output as files (docs/tools.md). The
 * first call loads the rest of this room, so that a start does not pay for it.
 */
import type { Tool } from '../../shell/tool-ports.ts'
import type { RunCodePorts } from './execute.ts'

/** Codes: `code_ran`; `code_failed`, `runner_failed`, `usage_error`, `no_python`, `dataset_missing`, `not_found`, `busy`. */
export const runCode = (ports: RunCodePorts): Tool => ({
  name: 'run_code',
  async run(input, call) {
    const { executeCode } = await import('./execute.ts')
    return await executeCode(ports, input, call)
  },
})
