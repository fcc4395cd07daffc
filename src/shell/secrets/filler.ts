/**
 * Fills secrets into the texts of one call of a tool, and blots their values out of what comes back. A text is filled as the client wrote it.
 * Arguments of a model are put into the part before the secret only, because an argument `secret:other` would read another one.
 */
import type { Attempt } from '../../core/terms/attempt.ts'
import type { Locale } from '../../core/terms/locale.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import type { Secrets } from '../tool-ports.ts'
import { newWorkBudget, redactor, type Redactor } from './redaction.ts'
import { readReference } from './references.ts'

export interface SecretFiller {
  /** The text with the value of the secret that it names. `around` changes the part before the value. */
  fill(text: string, address: URL, around?: (text: string) => string): Promise<Attempt<string, string>>
  /** The same with each of several texts, such as headers. The first error ends it, with the name of its text. */
  fillAll(texts: Readonly<Record<string, string>>, address: URL): Promise<Attempt<Record<string, string>, string>>
  /**
   * Replaces each value that this call has revealed, in a text as it will be shown, because a value that is a number in JSON leaves no JSON
   * behind. It has to come before the text is cut, or a part of a value would remain.
   */
  redact(text: string): string
  /** The same for a text of any length. Other requests are served between its pieces. */
  redactLong(text: string, pause: () => Promise<void>): Promise<string>
  /** The same value with every text in it redacted. */
  redactAll<T>(value: T): T
  /** Adds a value that came from elsewhere and must not be shown, for example a token. */
  hide(value: string): void
}

/** A shorter text is no secret, and blotting it out would break words. */
const HIDDEN_CHARS_MIN = 6
/** Values nest no deeper than this, because whoever reads an answer bounds it first. */
const DEPTH_MAX = 200

/** A filler belongs to one call, so that it knows which values to blot out. */
export function secretFiller(secrets: Secrets, { tenant, locale }: { tenant: string; locale: Locale }): SecretFiller {
  const revealed: [name: string, value: string][] = []
  const asked = new Map<string, Promise<Attempt<string, string>>>()
  let known: Redactor | null = null

  /** Each secret is looked up once for a place, however many texts name it. */
  async function valueFor(name: string, address: URL): Promise<Attempt<string, string>> {
    const key = `${name} ${address.origin}`
    const asking = asked.get(key) ?? secrets.reveal(tenant, name, address, locale)
    asked.set(key, asking)
    const value = await asking
    if (value.ok) {
      // Hosts and media types are read in lower case.
      const spelled = new Set([value.value, value.value.toLowerCase()])
      revealed.push(...Array.from(spelled, (one): [string, string] => [name, one]))
      known = null
    }
    return value
  }

  const ofRevealed = (): Redactor => (known ??= redactor(revealed))

  async function fill(text: string, address: URL, around = asItIs): Promise<Attempt<string, string>> {
    const reference = readReference(text)
    if (!reference.ok) return reference
    const { text: before, name } = reference.value
    if (name === null) return { ok: true, value: around(before) }
    const value = await valueFor(name, address)
    return value.ok ? { ok: true, value: around(before) + value.value } : value
  }

  return {
    fill,
    async fillAll(texts, address) {
      const filled: [string, string][] = []
      for (const [name, text] of Object.entries(texts)) {
        const value = await fill(text, address)
        if (!value.ok) return { ok: false, error: `${name}: ${value.error}` }
        filled.push([name, value.value])
      }
      return { ok: true, value: Object.fromEntries(filled) }
    },
    redact: (text) => ofRevealed().redact(text),
    redactLong: async (text, pause) => (revealed.length === 0 ? text : ofRevealed().redactLong(text, pause)),
    // The cast holds because only texts change, and they stay texts.
    redactAll<T>(value: T) {
      if (revealed.length === 0) return value
      const budget = newWorkBudget()
      return redactIn(value, (text) => ofRevealed().redact(text, budget), 0) as T
    },
    hide(value) {
      if (value.length < HIDDEN_CHARS_MIN) return
      revealed.push(['token', value])
      known = null
    },
  }
}

function redactIn(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return redact(value)
  if (depth > DEPTH_MAX) return null
  if (Array.isArray(value)) return value.map((one) => redactIn(one, redact, depth + 1))
  if (!isRecord(value)) return value
  const members = Object.entries(value).map(([name, one]) => [redact(name), redactIn(one, redact, depth + 1)])
  return Object.fromEntries(members)
}

const asItIs = (text: string) => text
