/** What has been typed and is not sent yet, by where it was typed. It lives in memory, and belongs to the key under which it was typed. */

export interface DraftBook {
  read(key: string): unknown
  keep(key: string, draft: unknown): void
  drop(key: string): void
  /** All whose keys begin so, but for one. */
  dropAll(prefix: string, but?: string): void
  isEmpty(): boolean
  /** The key under which all of it was typed. */
  owner(): string | null
  /** `changed` hears of every change at that key, whoever makes it; gives back what ends that. */
  watch(key: string, changed: () => void): () => void
  /** What was typed under another key is forgotten; null: all of it is. A key that is only refused for a while finds its own again. */
  belongTo(owner: string | null): void
}

/** `unsaved` hears whether there is anything to lose, whenever that changes. */
export function draftBook(unsaved: (is: boolean) => void): DraftBook {
  const kept = new Map<string, unknown>()
  const watchers = new Set<{ key: string; changed: () => void }>()
  let owner: string | null = null
  const telling = (keys: readonly string[], change: () => void) => {
    const before = kept.size > 0
    change()
    if (kept.size > 0 !== before) unsaved(!before)
    for (const { key, changed } of watchers) if (keys.includes(key)) changed()
  }
  const drop = (keys: readonly string[]) => telling(keys, () => keys.forEach((key) => kept.delete(key)))
  return {
    read: (key) => kept.get(key),
    keep: (key, draft) => telling([key], () => kept.set(key, draft)),
    drop: (key) => drop([key]),
    dropAll: (prefix, but) => drop([...kept.keys()].filter((key) => key.startsWith(prefix) && key !== but)),
    isEmpty: () => kept.size === 0,
    owner: () => owner,
    watch(key, changed) {
      const watcher = { key, changed }
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    belongTo(next) {
      if (next === null || next !== owner) drop([...kept.keys()])
      owner = next
    },
  }
}
