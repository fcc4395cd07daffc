/** A function for each kind of a union. */
export type ByKind<U extends { kind: string }, A extends unknown[], R> = {
  readonly [K in U['kind']]: (value: U & { kind: K }, ...more: A) => R
}

/** Calls the function for the kind of `value`. TypeScript cannot see that the two fit, so this is the one cast for it. */
export function callByKind<U extends { kind: string }, A extends unknown[], R>(
  functions: ByKind<U, A, R>,
  value: U,
  ...more: A
): R {
  const call = functions[value.kind as U['kind']] as (value: U, ...more: A) => R
  return call(value, ...more)
}
