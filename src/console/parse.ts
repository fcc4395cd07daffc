/** Reads typed texts and values of unknown shape. */

/** The value of an entry, or the error of it. */
export type EntryResult<T, E> = { ok: true; value: T } | { ok: false; error: E }

export function parseJson(text: string): EntryResult<unknown, 'json'> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    return { ok: false, error: 'json' }
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)
