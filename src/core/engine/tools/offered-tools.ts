/** The tools of a task: the built-in tools of its mode, and the tools of its client. */
import { isSameToolName, type ClientTool } from '../../terms/tools/client-tools.ts'
import type { Brief } from '../../terms/effect.ts'
import { modeOf } from '../../modes/index.ts'
import { BUILT_IN_TOOLS, type ToolCard } from '../../mode/tools.ts'

/** Without a language the tools are told as for JavaScript. */
type Offer = Pick<Brief, 'mode' | 'tools'> & Partial<Pick<Brief, 'code_language'>>

/** A client's tool with the name of a built-in tool replaces it. The other tools of the client follow. */
export function offeredTools({ mode, tools, code_language }: Offer): readonly ToolCard[] {
  const builtIn = builtInCards(mode, code_language === 'python')
  if (tools.length === 0) return builtIn
  const fromClient = tools.map(cardOf)
  const cards = builtIn.map((card) => fromClient.find(({ name }) => isSameToolName(name, card.name)) ?? card)
  return [...cards, ...fromClient.filter((card) => !cards.includes(card))]
}

/** A mode offers the same ones to all of its tasks. */
const offers = new Map<string, readonly ToolCard[]>()

function builtInCards(mode: Brief['mode'], in_python: boolean): readonly ToolCard[] {
  const key = `${mode} ${in_python}`
  const known = offers.get(key)
  if (known !== undefined) return known
  const names = new Set(modeOf(mode).tools)
  const cards = BUILT_IN_TOOLS.filter(({ name }) => names.has(name)).map((card) =>
    in_python ? { ...card, ...card.python } : card,
  )
  offers.set(key, cards)
  return cards
}

/** The card of a client's tool. Endpoints with native calls require both `type` and `properties` of an object. */
function cardOf({ name, idempotent, description, parameters }: ClientTool): ToolCard {
  return {
    name,
    idempotent,
    nature: 'unknown',
    description: { en: description, zh: description },
    parameters: { type: 'object', properties: {}, ...parameters },
    text: null,
  }
}

/** The tool of the client with this name, or null. */
export const findClientTool = ({ tools }: Pick<Brief, 'tools'>, name: string): ClientTool | null =>
  tools.find((tool) => tool.name === name) ?? null
