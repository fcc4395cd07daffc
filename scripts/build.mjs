/** `npm run build`: the static files and the bundle; prints how big it is. */
import { buildAssets } from './lib/assets.mjs'
import { build } from './lib/build.mjs'

const kb = (bytes) => `${(bytes / 1000).toFixed(0)} kB`
const print = ({ raw, gzip }) => `${kb(gzip)} gzip (${kb(raw)} raw)`
try {
  await buildAssets()
  const { size } = await build()
  console.log(`bundle: ${print(size.start)} loaded at start, ${print(size.upload)} uploaded in all`)
} catch (error) {
  console.error(`error: ${error.message}`)
  process.exit(1)
}
