/** What prompts and native calls say of the tools of a mode. */
import { expect } from 'vitest'
import { BUILT_IN_TOOLS } from '../../src/core/mode/tools.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import type { Locale } from '../../src/core/terms/locale.ts'

/** The cards of the tools of a mode. */
export const cardsOf = (mode: string) => BUILT_IN_TOOLS.filter(({ name }) => modeOf(mode).tools.includes(name))

/** Compares the tools of a context with their cards, and puts a word in their place, so that a new tool changes no snapshot. */
export function withCheckedTools(context: Record<string, unknown>, mode: string, locale: Locale) {
  if (!('tools' in context)) return context
  const told = cardsOf(mode).map(({ name, description, text, parameters, signature }) =>
    text === null
      ? { name, description: description[locale], parameters: signature ?? parameters }
      : { name, description: description[locale] },
  )
  expect(context['tools']).toEqual(told)
  return { ...context, tools: 'as their cards say' }
}

/** Checks that a system text says of each tool what its card says, and leaves that out, so that a new tool changes no snapshot. */
export function withoutToolTexts(system: string, mode: string, locale: Locale): string {
  return cardsOf(mode).reduce((text, { name, description, text: argument, parameters, signature }) => {
    const shown = argument === null ? `  ${signature ?? JSON.stringify(parameters)}\n` : ''
    const line = `- ${name}: ${description[locale]}\n${shown}`
    expect(text).toContain(line)
    return text.replace(line, '')
  }, system)
}
