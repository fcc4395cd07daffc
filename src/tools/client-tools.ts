/** The tools that clients bring: how each kind is called, and how sources are listed. What performs a kind is loaded by its first call. */
import type { Secrets, ClientTools } from '../shell/tool-ports.ts'
import { httpTool, type HttpToolPorts } from './http-tool.ts'

interface ClientToolPorts extends Omit<HttpToolPorts, 'secrets'> {
  /** `whsec_…` by tenant: signed tools are called with them. */
  signing: HttpToolPorts['secrets']
  secrets: Secrets
}

export function clientTools({ signing, secrets, ...outside }: ClientToolPorts): ClientTools {
  return {
    async run(tool, _sources, input, call) {
      if (tool.call === undefined) return httpTool({ ...outside, secrets: signing }, tool).run(input, call)
      if (tool.call.kind === 'mcp') return { ok: false, code: 'not_called', text: 'no source' }
      const { httpCallTool } = await import('./http/http-call-tool.ts')
      return httpCallTool({ ...outside, secrets }, tool, tool.call).run(input, call)
    },
    list: () =>
      Promise.resolve({ kind: 'tools_unlisted', reason: 'no such source', passing: false, retry_after_ms: null }),
    abandon: () => Promise.resolve(),
  }
}
