/** Model text → data, strictly (O0-04, R26): after removing think blocks the whole text is one JSON object. */
import type * as z from 'zod'

export type Read<T> = { ok: true; value: T } | { ok: false; reason: string }

const THINK_BLOCK = /<think>[\s\S]*?<\/think>/gi

/** Parses and validates a reply against its contract; the reason is written for the model that has to do better. */
export function readReply<T>(contract: z.ZodType<T>, text: string): Read<T> {
  const object = readObject(text)
  if (!object.ok) return object
  const parsed = contract.safeParse(object.value)
  if (parsed.success) return { ok: true, value: parsed.data }
  const issues = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.') || 'reply'}: ${issue.message}`)
  return { ok: false, reason: issues.join('; ').slice(0, 500) }
}

function readObject(text: string): Read<object> {
  const bare = text.replace(THINK_BLOCK, '').trim()
  if (bare === '') return { ok: false, reason: 'the reply is empty' }
  let value: unknown
  try {
    // An escaped half of a pair is no character: nothing could send it on.
    value = JSON.parse(bare, (_key, part: unknown) =>
      typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '\uFFFD') : part,
    )
  } catch {
    return { ok: false, reason: 'the reply is not one JSON object (no prose, no code fence around it)' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, reason: 'the reply is JSON, but not an object' }
  }
  return { ok: true, value }
}
