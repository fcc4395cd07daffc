/** The result of an operation that may fail: a value, or an error that the caller has to handle. */
export type Attempt<T, E> = { ok: true; value: T } | { ok: false; error: E }
