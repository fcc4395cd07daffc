/** The tools of a task: the built-in ones of its mode. */
import type { Brief } from './effect.ts'
import { modeOf } from './modes/index.ts'
import { BUILT_IN_TOOLS, type ToolCard } from './tools.ts'

export function offeredTools({ mode }: Brief): readonly ToolCard[] {
  const names = new Set(modeOf(mode).tools)
  return BUILT_IN_TOOLS.filter(({ name }) => names.has(name))
}
