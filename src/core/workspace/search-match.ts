/** Compares texts without case for a search of the index. SQLite folds only ASCII letters, so the code folds them. */

export const foldCase = (text: string): string => text.toLowerCase()

/** `goal` and `query` are folded. An entry of an earlier release has no goal, and is found only by its id. */
export const matchesSearch = (query: string, { id, goal }: { id: string; goal: string }): boolean =>
  goal.includes(query) || foldCase(id).includes(query)
