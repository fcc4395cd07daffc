/** Fails when package-lock.json lacks a platform package that some locked package names: `npm ci` would refuse it, on this machine or another. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './lib/node.mjs'

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
)
if (missing.length > 0) {
  console.error(`package-lock.json lacks: ${missing.join(', ')}`)
  process.exit(1)
}

/** Looks where Node would: below the package itself, then below each package around it, then at the top. */
function isLocked(path, name) {
  const around = path.split('/node_modules/')
  return (
    around.some(
      (_, depth) => packages[`${around.slice(0, depth + 1).join('/node_modules/')}/node_modules/${name}`] !== undefined,
    ) || packages[`node_modules/${name}`] !== undefined
  )
}
