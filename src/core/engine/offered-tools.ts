/** The tools of a task: the built-in ones of its mode, and those its client brought. */
import { isSameToolName, type ClientTool } from '../terms/client-tools.ts'
import type { Brief } from '../terms/effect.ts'
import { modeOf } from '../modes/index.ts'
import { BUILT_IN_TOOLS, type ToolCard } from '../mode/tools.ts'

/** A client's tool of the name of a built-in one stands in its place; the others come behind. */
export function offeredTools({ mode, tools }: Pick<Brief, 'mode' | 'tools'>): readonly ToolCard[] {
  const names = new Set(modeOf(mode).tools)
  const builtIn = BUILT_IN_TOOLS.filter(({ name }) => names.has(name))
  const own = tools.map(cardOf)
  const placed = builtIn.map((card) => own.find(({ name }) => isSameToolName(name, card.name)) ?? card)
  return [...placed, ...own.filter((card) => !placed.includes(card))]
}

/** Endpoints that take native calls want both words of an object. */
function cardOf({ name, idempotent, description, parameters }: ClientTool): ToolCard {
  return {
    name,
    idempotent,
    description: { en: description, zh: description },
    parameters: { type: 'object', properties: {}, ...parameters },
    text: null,
  }
}

/** The client's tool of that name, where it is one. */
export const clientTool = ({ tools }: Pick<Brief, 'tools'>, name: string): ClientTool | null =>
  tools.find((tool) => tool.name === name) ?? null
