/** `npm run build`: the static files and the bundles; prints how big each is. */
import { buildAssets } from './lib/assets.mjs'
import { build } from './lib/build.mjs'
import { onOrphaned } from './lib/watch.mjs'

// wrangler runs this as a command of its own, and leaves it behind when it is killed.
onOrphaned(() => process.exit(1))

const kb = (bytes) => `${(bytes / 1000).toFixed(0)} kB`
const print = ({ raw, gzip }) => `${kb(gzip)} gzip (${kb(raw)} raw)`
try {
  await buildAssets()
  for (const [name, { size }] of Object.entries(await build()))
    console.log(`${name}: ${print(size.start)} loaded at start, ${print(size.upload)} uploaded in all`)
} catch (error) {
  console.error(`error: ${error.message}`)
  process.exit(1)
}
