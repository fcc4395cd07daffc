/** Reads the members of a reply before its contract is applied, for modes that accept other names and missing members. */

export type Members = ReadonlyMap<string, unknown>

/** null: the value is not an object. */
export const membersOf = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map<string, unknown>(Object.entries(value))
    : null

/** The first of these members that exists. */
export const oneOf = (members: Members, ...names: string[]): unknown =>
  names.map((name) => members.get(name)).find((value) => value !== undefined && value !== null)

/** The entries of a list of steps without the blank ones. The contract checks any other value. */
export const stepsOf = (value: unknown, step: (entry: unknown, index: number) => unknown): unknown =>
  Array.isArray(value) ? value.filter((entry) => !isBlank(entry)).map(step) : value

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')
