/** The acts of a model: an action of a tool of the mode, or of a tool of the client. */
import type { ModeName } from '../../../src/core/terms/mode-names.ts'
import { markOf, roll, type Spot } from './rolls.ts'

/** The client's own tools: the first may be called only once for an effect, the second may be repeated under the same key. */
export const RINGS = { once: 'ring_once', again: 'ring_again' } as const

export interface Act {
  tool: string
  /** Its input where actions are texts. */
  input: string
  /** Its arguments where it is called natively. */
  args: object
}

const COMMON = ['todo', 'todo', 'todo', 'internet_search', 'internet_search', RINGS.once, RINGS.again] as const
type Tool = (typeof COMMON)[number] | 'read_file' | 'write_file' | 'think' | 'run_code' | 'read_dataset'

/** The file that models read. Some goals name it, so that their tasks wait for it. */
export const NOTES = 'notes.md'

const OFFERED: Record<ModeName, readonly Tool[]> = {
  plan_execute: COMMON,
  dynamic: [...COMMON, 'read_file', 'write_file', 'think'],
  session: [...COMMON, 'read_file', 'write_file', 'think'],
  autonomous: [RINGS.once, RINGS.again, 'read_dataset', 'read_dataset', 'run_code'],
  orchestrator: [],
}

/** The `call`th act of a reply. */
export function actOf(spot: Spot, call: number): Act {
  const offered = OFFERED[spot.mode]
  const tool = offered[roll(offered.length, spot.task, spot.seq, call, 'tool')] ?? 'todo'
  return { tool, ...givenTo(tool, markOf(spot, call), `note-${spot.seq}-${call}.txt`) }
}

function givenTo(tool: Tool, mark: string, name: string): Omit<Act, 'tool'> {
  const json = (args: object) => ({ input: JSON.stringify(args), args })
  switch (tool) {
    case 'todo':
      return { input: `/todo add ${mark}`, args: { command: `/todo add ${mark}` } }
    case 'internet_search':
      return { input: mark, args: { query: mark } }
    case 'think':
      return { input: mark, args: { thought: mark } }
    case 'read_file':
      return json({ name: NOTES })
    case 'write_file':
      return json({ name, content: mark })
    case 'read_dataset':
      return json({ name: 'sales.csv', preview_rows: 2 })
    case 'run_code':
      return json({ code: `// ${mark}\nconsole.log(data.rows.length)`, language: 'javascript' })
    case RINGS.once:
    case RINGS.again:
      return json({ mark })
  }
}
