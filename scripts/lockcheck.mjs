/**
 * Checks the lockfiles. Fails when one lacks a platform package that some locked package names: `npm ci` would refuse it,
 * on this machine or another; and when one names the registry it was made with, which others may not reach.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './lib/node.mjs'

const LOCKFILES = ['package-lock.json', 'mutation/package-lock.json', ...peers()]

const complaints = LOCKFILES.flatMap((file) => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
  const entries = Object.entries(packages)
  const missing = entries.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(packages, path, name)),
  )
  const addressed = entries.flatMap(([path, { resolved }]) => (resolved === undefined ? [] : [path]))
  return [
    ...(missing.length > 0 ? [`${file} lacks: ${missing.join(', ')}`] : []),
    ...(addressed.length > 0 ? [`${file} names an address for: ${addressed.join(', ')}`] : []),
    ...(entries.length > 1 ? [] : [`${file} locks nothing`]),
  ]
})
for (const complaint of complaints) console.error(complaint)
process.exit(complaints.length > 0 ? 1 : 0)

/** Each peer that the bench measures has its own lockfile; a folder without one is listed too and fails to open. */
function peers() {
  const folders = globSync('bench/peers/*/package.json', { cwd: ROOT })
  if (folders.length === 0) throw new Error('no peers under bench/peers')
  return folders.map((file) => file.replace(/package\.json$/, 'package-lock.json'))
}

/** Searches in the order of Node: below the package itself, then below each package around it, then at the top. */
function isLocked(packages, path, name) {
  const around = path.split('/node_modules/')
  return (
    around.some(
      (_, depth) => packages[`${around.slice(0, depth + 1).join('/node_modules/')}/node_modules/${name}`] !== undefined,
    ) || packages[`node_modules/${name}`] !== undefined
  )
}
