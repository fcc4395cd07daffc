/** Types of sessions.mjs for the tests. */
export function remember(sessions: Set<string>, reported: unknown): boolean
