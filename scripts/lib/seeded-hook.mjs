/** `SEEDED_BUG=<name> node --import ./scripts/lib/seeded-hook.mjs <script>`: a script over sources with that bug in them. */
import { registerHooks } from 'node:module'

if (process.env.SEEDED_BUG || process.env.SEEDED_LOG) {
  const { nodeHooks } = await import('./seeded.mjs')
  registerHooks(nodeHooks())
}
