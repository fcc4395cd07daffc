/** Types of options.mjs for the tests. */
export type Read = { ok: true; values: Record<string, unknown> | null } | { ok: false; reason: string }
export function readOptions(
  args: string[],
  env: Record<string, string | undefined>,
  wanted: { own: Record<string, { type: 'string' | 'boolean'; default?: string | boolean }>; required: string[] },
): Read
export function startedIn(env?: Record<string, string | undefined>): string
