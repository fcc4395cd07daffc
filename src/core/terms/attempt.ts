/** What an operation comes to that may fail in a way its caller has to handle: a value, or an error that says why there is none. */
export type Attempt<T, E> = { ok: true; value: T } | { ok: false; error: E }
