/** The signature of Standard Webhooks. A module of its own, to be loaded by `import()`: a start pays for none of it. */
import { Webhook } from 'standardwebhooks'

/** One signature for each secret, in their order. */
export const signatures = (secrets: readonly string[], id: string, at: Date, text: string): string =>
  secrets.map((secret) => new Webhook(secret).sign(id, at, text)).join(' ')
