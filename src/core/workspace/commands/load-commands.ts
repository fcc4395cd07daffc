/** The slash commands and their texts. They are loaded by whoever holds a book, so that a start need not read them (U28). */
import type * as Running from './run.ts'
import type * as Texts from './texts/texts.ts'

interface SlashCommands extends Pick<typeof Running, 'runCommand' | 'runToolCall' | 'plainResult'> {
  textsOf: typeof Texts.textsOf
}
let loaded: SlashCommands | null = null

/** Loads the commands once. The functions of `slashCommands` are called without waiting. */
export async function loadCommands(): Promise<void> {
  if (loaded !== null) return
  const [running, { textsOf }] = await Promise.all([import('./run.ts'), import('./texts/texts.ts')])
  loaded = { ...running, textsOf }
}

const known = (): SlashCommands => {
  if (loaded === null) throw new Error('the commands are not loaded: loadCommands() comes first')
  return loaded
}

export const slashCommands: SlashCommands = {
  runCommand: (...call) => known().runCommand(...call),
  runToolCall: (...call) => known().runToolCall(...call),
  plainResult: (...call) => known().plainResult(...call),
  textsOf: (locale) => known().textsOf(locale),
}
