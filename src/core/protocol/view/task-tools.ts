/** The tools of a task with their origin, and what became of its sources. */
import { BUILT_IN_TOOLS, type ToolCard } from '../../mode/tools.ts'
import { briefOf } from '../../mode/mode.ts'
import type { SourceEntry, TaskTools, ToolEntry, ToolList } from '../../shown/tool-view.ts'
import type { Event, Recall } from '../../terms/effect.ts'
import type { Head } from '../../terms/head.ts'
import type { Locale } from '../../terms/locale.ts'
import { MODE_NAMES } from '../../terms/mode-names.ts'
import type { ClientTool, ToolSource } from '../../terms/tools/client-tools.ts'
import { findClientTool, offeredTools } from '../../engine/tools/offered-tools.ts'
import { sourcesOf, withListedTools } from '../../engine/tools/tool-lists.ts'
import { modeOf } from '../../modes/index.ts'

export function taskTools(head: Head, closed: Recall): TaskTools {
  const recall = withListedTools(head, closed)
  const brief = briefOf(recall)
  const sources = sourcesOf(recall)
  return {
    data: offeredTools(brief).map((card) => {
      const own = findClientTool(brief, card.name)
      return own === null ? builtInEntry(card, brief.locale) : clientEntry(own, sources)
    }),
    sources: sources.map((source, position) => {
      const { row = null, changed = false } = head.lists[position] ?? {}
      return sourceEntry(source, row === null ? null : recall(row).event, changed)
    }),
  }
}

const builtInEntry = (card: ToolCard, locale: Locale): ToolEntry => ({
  name: card.name,
  description: card.description[locale],
  parameters: card.parameters,
  origin: 'built_in',
  source: null,
  method: null,
  repeatable: card.idempotent,
  read_only: readsOnly(card),
  destructive: null,
})

const readsOnly = ({ nature }: ToolCard): boolean | null =>
  nature === 'reads' ? true : nature === 'acts' ? false : null

/** A tool of a client as callers see it. A tool that a source listed begins with the name of the source. */
export function clientEntry(tool: ClientTool, sources: readonly ToolSource[]): ToolEntry {
  const { name, description, parameters, call, idempotent, read_only = null, destructive = null } = tool
  const source = call === undefined ? undefined : sources.find((one) => name.startsWith(`${one.name}.`))
  return {
    name,
    description,
    parameters: parameters ?? { type: 'object' },
    origin: call === undefined ? 'signed' : (source?.kind ?? call.kind),
    source: source?.name ?? null,
    method: call?.kind === 'http' ? call.method : call === undefined ? 'POST' : null,
    repeatable: idempotent,
    read_only,
    destructive,
  }
}

/** A source as callers see it. `event`: what became of its list; null: it was not asked yet. */
export function sourceEntry({ name, kind }: ToolSource, event: Event | null, changed: boolean): SourceEntry {
  const base = { name, kind, tools: 0, changed, digest: null, notes: [] }
  if (event?.kind === 'tools_unlisted') return { ...base, state: 'unavailable', notes: [event.reason] }
  if (event?.kind !== 'tools_listed') return { ...base, state: 'not_listed' }
  return { ...base, state: 'listed', tools: event.tools.length, digest: event.digest, notes: event.notes }
}

/** The built-in tools, with the modes that offer them. */
export function builtInList(locale: Locale): ToolList {
  const offering = (name: string) => MODE_NAMES.filter((mode) => modeOf(mode).tools.includes(name))
  return {
    data: BUILT_IN_TOOLS.flatMap((card) => {
      const modes = offering(card.name)
      const { name, description, parameters } = card
      return modes.length === 0
        ? []
        : [{ name, description: description[locale], parameters, modes, read_only: readsOnly(card) }]
    }),
    sources: ['signed', 'http', 'mcp', 'openapi'],
  }
}
