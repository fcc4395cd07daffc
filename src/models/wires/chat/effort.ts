/** The words in which endpoints name the effort of reasoning. They differ, and a refusal names those that are accepted. */
import type { ReasoningEffort } from '../../../core/terms/settings.ts'

/** From least to most. `default` says that the model thinks as it does by itself. */
const WORDS = ['none', 'minimal', 'low', 'default', 'medium', 'high', 'xhigh', 'max'] as const

/**
 * The accepted word that is nearest to an effort. It never means more than was asked, unless all accepted words do. null: no word of the list is
 * accepted.
 */
export function effortWord(effort: ReasoningEffort, accepted: readonly string[] | null): string | null {
  if (accepted === null) return effort
  const asked = WORDS.indexOf(effort)
  const known = WORDS.filter((word) => accepted.includes(word))
  return known.findLast((word) => WORDS.indexOf(word) <= asked) ?? known[0] ?? null
}

const QUOTED = /(['"`‘“])(none|minimal|low|default|medium|high|xhigh|max)['"`’”]/g

/** The words that a refusal names, without the one that it refuses. */
export const namedEfforts = (said: string, refused: string): string[] => [
  ...new Set(
    [...said.matchAll(QUOTED)].flatMap(([, , word]) => (word === undefined || word === refused ? [] : [word])),
  ),
]
