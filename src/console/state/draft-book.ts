/** What has been typed and is not sent yet, by where it was typed. It lives in memory, and belongs to the key under which it was typed. */

export interface DraftBook {
  read(key: string): unknown
  keep(key: string, draft: unknown): void
  drop(key: string): void
  /** What was typed under another key is forgotten; null: all of it is. A key that is only refused for a while finds its own again. */
  belongTo(owner: string | null): void
}

/** `unsaved` hears whether there is anything to lose, whenever that changes. */
export function draftBook(unsaved: (is: boolean) => void): DraftBook {
  const kept = new Map<string, unknown>()
  let owner: string | null = null
  const telling = (change: () => void) => {
    const before = kept.size > 0
    change()
    if (kept.size > 0 !== before) unsaved(!before)
  }
  return {
    read: (key) => kept.get(key),
    keep: (key, draft) => telling(() => kept.set(key, draft)),
    drop: (key) => telling(() => kept.delete(key)),
    belongTo(next) {
      if (next === null || next !== owner) telling(() => kept.clear())
      owner = next
    },
  }
}
