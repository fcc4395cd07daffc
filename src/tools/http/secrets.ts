/** The secrets of one call: they are revealed for its address alone, and nothing that is shown of its answer contains them. */
import type { Attempt } from '../../core/terms/attempt.ts'
import type { Secrets } from '../../shell/ports.ts'

export interface RevealedSecrets {
  /** The value of a secret that the text of a template names. Refused in words without the value. */
  reveal(name: string, address: URL): Promise<Attempt<string, string>>
  /** The text with `[secret name]` in place of every value that was revealed. */
  hide(text: string): string
}

/** One call goes to one address, so the port is asked once for each name. */
export function revealedSecrets(secrets: Secrets, tenant: string): RevealedSecrets {
  const values = new Map<string, string>()
  return {
    async reveal(name, address) {
      const known = values.get(name)
      if (known !== undefined) return { ok: true, value: known }
      const revealed = await secrets.reveal(tenant, name, address)
      if (revealed.ok) values.set(name, revealed.value)
      return revealed
    },
    hide(text) {
      let hidden = text
      // A value may be a part of another one, so the longest is hidden first.
      const longest_first = [...values].toSorted(([, one], [, other]) => other.length - one.length)
      for (const [name, value] of longest_first)
        for (const spelling of spellingsOf(value)) hidden = hidden.replaceAll(spelling, `[secret ${name}]`)
      return hidden
    },
  }
}

/** As it is, as an address has it, and as JSON has it. */
function spellingsOf(value: string): string[] {
  const text = value.toWellFormed()
  const spellings = [value, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]
  return [...new Set(spellings)].filter((spelling) => spelling !== '')
}
