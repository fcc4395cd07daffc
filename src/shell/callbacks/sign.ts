/** The signature of Standard Webhooks, in a module of its own: `import()` loads it, so that a start does not pay for it. */
import { Webhook } from 'standardwebhooks'

/** One signature for each secret, in the order of the secrets. */
export const signatures = (secrets: readonly string[], id: string, at: Date, text: string): string =>
  secrets.map((secret) => new Webhook(secret).sign(id, at, text)).join(' ')
