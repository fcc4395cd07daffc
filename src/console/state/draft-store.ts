/** Texts that are typed and not sent yet, by their place. They stay in memory and belong to the API key in use. */

export interface DraftStore {
  read(key: string): unknown
  keep(key: string, draft: unknown): void
  drop(key: string): void
  /** Drops all drafts whose keys begin with `prefix`, except the one of `except`. */
  dropAll(prefix: string, except?: string): void
  isEmpty(): boolean
  /** The API key under which all drafts were typed. */
  owner(): string | null
  /** Calls `onChange` after every change at that key. Returns a function that ends this. */
  watch(key: string, onChange: () => void): () => void
  /** Forgets drafts of another API key; null forgets all. A key that is refused for a while finds its drafts again. */
  belongTo(owner: string | null): void
}

/** `onUnsaved` is called whenever there begins or ceases to be a draft that could be lost. */
export function draftStore(onUnsaved: (hasDrafts: boolean) => void): DraftStore {
  const drafts = new Map<string, unknown>()
  const watchers = new Set<{ key: string; onChange: () => void }>()
  let owner: string | null = null
  const changeDrafts = (keys: readonly string[], change: () => void) => {
    const before = drafts.size > 0
    change()
    if (drafts.size > 0 !== before) onUnsaved(!before)
    for (const { key, onChange } of watchers) if (keys.includes(key)) onChange()
  }
  const drop = (keys: readonly string[]) => changeDrafts(keys, () => keys.forEach((key) => drafts.delete(key)))
  return {
    read: (key) => drafts.get(key),
    keep: (key, draft) => changeDrafts([key], () => drafts.set(key, draft)),
    drop: (key) => drop([key]),
    dropAll: (prefix, except) => drop([...drafts.keys()].filter((key) => key.startsWith(prefix) && key !== except)),
    isEmpty: () => drafts.size === 0,
    owner: () => owner,
    watch(key, onChange) {
      const watcher = { key, onChange }
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    belongTo(next) {
      if (next === null || next !== owner) drop([...drafts.keys()])
      owner = next
    },
  }
}
