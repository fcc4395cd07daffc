/** `npm run assets`: the static files that the Worker serves. */
import { buildAssets } from './lib/assets.mjs'

await buildAssets()
