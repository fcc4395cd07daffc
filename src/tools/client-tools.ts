/** The tools that clients bring: how each kind is called, and how sources are listed. What performs a kind is loaded by its first call. */
import type { ClientTools } from '../shell/tool-ports.ts'
import { httpTool, type HttpToolPorts } from './http-tool.ts'

export function clientTools(outside: HttpToolPorts): ClientTools {
  return {
    run(tool, _sources, input, call) {
      return httpTool(outside, tool).run(input, call)
    },
    list: () =>
      Promise.resolve({ kind: 'tools_unlisted', reason: 'no such source', passing: false, retry_after_ms: null }),
    abandon: () => Promise.resolve(),
  }
}
