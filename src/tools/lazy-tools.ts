import { BUILT_IN_TOOLS } from '../core/mode/tools.ts'
import type { ClientTools, Tool } from '../shell/tool-ports.ts'

/** The built-in tools by their names. What runs them is loaded by the first call of any of them, so that a start need not read it (U28). */
export function lazyTools(load: () => Promise<ReadonlyMap<string, Tool>>): ReadonlyMap<string, Tool> {
  let loading: Promise<ReadonlyMap<string, Tool>> | null = null
  const lazy = (name: string): Tool => ({
    name,
    async run(input, call) {
      loading ??= load()
      const tools = await loading.catch((error: unknown) => {
        loading = null
        throw error
      })
      const tool = tools.get(name)
      if (tool === undefined) throw new Error(`no tool is called ${name}`)
      return tool.run(input, call)
    },
  })
  return new Map(BUILT_IN_TOOLS.map(({ name }) => [name, lazy(name)]))
}

/** The tools of clients. What calls and lists them is loaded by the first call, for the same reason. */
export function lazyClientTools(load: () => Promise<ClientTools>): ClientTools {
  return {
    run: async (...call) => (await load()).run(...call),
    list: async (...call) => (await load()).list(...call),
    abandon: async (...call) => (await load()).abandon(...call),
  }
}
