/**
 * The seeded bug of `SEEDED_BUG=<name>` (test/sensitivity), put into its file while that is loaded: by vite, by esbuild, or by Node itself
 * (`--import ./scripts/lib/seeded-hook.mjs`). `SEEDED_LOG=<file>` is told which sources are loaded at all. Only loaded when one is set.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUGS } from '../../test/sensitivity/bugs.ts'
import { seedBug } from '../../test/sensitivity/seeded-bug.ts'
import { ROOT } from './node.mjs'

const SOURCES = join(ROOT, 'src') + sep
const { SEEDED_BUG, SEEDED_LOG } = process.env
/** null for unchanged sources. */
const bug = SEEDED_BUG ? bugOf(SEEDED_BUG) : null
const told = new Set()

/** Throws for a name that is not in the list. */
function bugOf(name) {
  const found = BUGS.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no seeded bug "${name}"`)
  return { ...found, path: join(ROOT, found.file) }
}

/** The source with the bug, or null for any other file. */
function seeded(path, read) {
  if (SEEDED_LOG && path.startsWith(SOURCES) && !told.has(path)) {
    told.add(path)
    appendFileSync(SEEDED_LOG, `${relative(ROOT, path)}\n`)
  }
  return bug?.path === path ? seedBug(bug, read()) : null
}

export const vitePlugin = () => ({
  name: 'seeded-bug',
  enforce: 'pre',
  transform(source, id) {
    const code = seeded(id.split('?')[0], () => source)
    return code === null ? null : { code, map: null }
  },
})

export const esbuildPlugin = () => ({
  name: 'seeded-bug',
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = seeded(path, () => readFileSync(path, 'utf8'))
      return contents === null ? null : { contents, loader: 'ts' }
    }),
})

/** For `module.registerHooks`. */
export const nodeHooks = () => ({
  load(address, context, next) {
    const path = address.startsWith('file:') ? fileURLToPath(address) : null
    const source = path === null ? null : seeded(path, () => readFileSync(path, 'utf8'))
    return source === null ? next(address, context) : { format: 'module-typescript', source, shortCircuit: true }
  },
})
