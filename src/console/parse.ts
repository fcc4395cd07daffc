/** Reads typed texts and values of unknown shape. */
import type { Attempt } from '../core/terms/attempt.ts'

export function parseJson(text: string): Attempt<unknown, 'json'> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    return { ok: false, error: 'json' }
  }
}

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)
