/** What a call does: it reads, it acts – that is, it changes something –, or nobody here can tell (a tool of the client's own). */
export type Nature = 'reads' | 'acts' | 'unknown'

const READS: ReadonlySet<string> = new Set(['internet_search', 'read_file', 'list_files'])
const ACTS: ReadonlySet<string> = new Set(['write_file'])

/** Commands that change nothing; what is no command at all changes nothing either, but it is no reading. */
const READING_COMMAND = /^\/(?:view\b|todo\s+(?:list|search|get)\b|schedule\s+(?:list|view|get)\b)/i
const COMMANDS: ReadonlySet<string> = new Set(['todo', 'schedule'])

export function natureOf(tool: string, input: string): Nature {
  if (READS.has(tool)) return 'reads'
  if (ACTS.has(tool)) return 'acts'
  if (!COMMANDS.has(tool) || !input.trim().startsWith('/')) return 'unknown'
  return READING_COMMAND.test(input.trim()) ? 'reads' : 'acts'
}
