/** What a search of the index compares: texts without regard to case. SQLite folds ASCII alone, so the folding is done here. */

export const foldCase = (text: string): string => text.toLowerCase()

/** `goal` and `sought` are folded; an entry of an earlier release has no goal, and is found by its id. */
export const matchesSearch = (sought: string, { id, goal }: { id: string; goal: string }): boolean =>
  goal.includes(sought) || foldCase(id).includes(sought)
