/** The tool `think`: what the model works out without touching the world is a result like any other, kept and named. */
import type { Tool } from '../shell/ports.ts'

export const think: Tool = {
  name: 'think',
  run: (input) => Promise.resolve({ ok: true, code: 'thought', text: input }),
}
