/**
 * Fills secrets into the texts of one effect, and takes them out of all texts that leave it. A server may repeat what it was sent, and
 * neither a model nor a row may see that.
 */
import type { Attempt } from '../../core/terms/attempt.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import type { Secrets } from '../../shell/ports.ts'

const MARK = 'secret:'
const NAME = /^[A-Za-z0-9_.-]{1,64}$/
const REPLACEMENT = '[secret]'
/** A shorter text is no secret, and replacing it would break words. */
const CHARS_MIN = 6
/** Values nest no deeper than this, because a server's message is checked first. */
const DEPTH_MAX = 200

export interface SecretTexts {
  /** The text for an address. A text that ends in `secret:name` gets its value. The error is in words without the value. */
  fill(text: string, address: URL): Promise<Attempt<string, string>>
  /** Adds a value that must not leave, for example a token. */
  hide(value: string): void
  /** The same value without what was filled in. */
  redact<T>(value: T): T
}

export function secretTexts(secrets: Secrets, tenant: string): SecretTexts {
  const hidden = new Set<string>()
  const hide = (value: string) => {
    if (value.length >= CHARS_MIN) hidden.add(value)
  }
  const redactText = (text: string) =>
    // The longest first, because one value may contain another.
    [...hidden].sort((a, b) => b.length - a.length).reduce((rest, value) => rest.replaceAll(value, REPLACEMENT), text)
  const redactValue = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return redactText(value)
    if (depth > DEPTH_MAX) return null
    if (Array.isArray(value)) return value.map((one) => redactValue(one, depth + 1))
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [redactText(name), redactValue(one, depth + 1)]),
    )
  }
  return {
    async fill(text, address) {
      const at = text.lastIndexOf(MARK)
      const name = at < 0 ? '' : text.slice(at + MARK.length)
      if (!NAME.test(name)) return { ok: true, value: text }
      const revealed = await secrets.reveal(tenant, name, address)
      if (!revealed.ok) return revealed
      hide(revealed.value)
      return { ok: true, value: text.slice(0, at) + revealed.value }
    },
    hide,
    // The cast holds because only texts change, and they stay texts.
    redact: <T>(value: T) => (hidden.size === 0 ? value : (redactValue(value, 0) as T)),
  }
}
