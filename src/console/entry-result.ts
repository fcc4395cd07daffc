/** What was entered, as the value that it stands for, or what is wrong with it. */
export type EntryResult<T, E> = { ok: true; value: T } | { ok: false; error: E }
