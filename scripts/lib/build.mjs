/** Bundles the Worker with wrangler, exactly as a deployment would, and leaves in `dist/` all that `scripts/start.mjs` needs. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { filesBelow } from './assets.mjs'
import { NODE, ROOT } from './node.mjs'
import { WRANGLER, WRANGLER_ENV } from './wrangler.mjs'

export const DIST = join(ROOT, 'dist')
/** Beside the modules: what they were built from, how big they are, and the Worker's options for Miniflare. */
const MANIFEST = 'manifest.json'
const ENTRY = 'index.js'

/** null before the first build. */
export function readManifest() {
  const path = join(DIST, MANIFEST)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

/** Builds unless `dist/` already comes from these very inputs; answers with its manifest. */
export async function build() {
  const inputs = digestOfInputs()
  const before = readManifest()
  if (before?.inputs === inputs) return before
  const directory = join(ROOT, '.wrangler', `build-${process.pid}`)
  try {
    const [worker] = await Promise.all([workerOptions(), bundle(directory)])
    const modules = readdirSync(directory).filter((name) => /\.(js|wasm|bin|txt)$/.test(name))
    const manifest = { inputs, modules: modules.sort(entryFirst), size: sizesOf(directory, modules), worker }
    writeFileSync(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)
    // Moved as a whole: whoever starts meanwhile sees the old bundle or the new one.
    rmSync(DIST, { recursive: true, force: true })
    renameSync(directory, DIST)
    return manifest
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function digestOfInputs() {
  const own = ['wrangler.toml', 'package.json', 'package-lock.json', 'tsconfig.json', 'scripts/lib/build.mjs']
  const sources = filesBelow(join(ROOT, 'src')).map((name) => join('src', name))
  const hash = createHash('sha256')
  for (const name of [...own, ...sources])
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(ROOT, name)))
      .update('\0')
  return hash.digest('hex')
}

async function bundle(directory) {
  mkdirSync(directory, { recursive: true })
  const args = [WRANGLER, 'deploy', '--dry-run', '--outdir', directory]
  const env = { ...process.env, ...WRANGLER_ENV, CI: 'true' }
  try {
    await promisify(execFile)(NODE, args, { cwd: ROOT, env, maxBuffer: 16 << 20 })
  } catch (error) {
    throw new Error(`wrangler could not bundle the Worker:\n${error.stdout ?? ''}${error.stderr ?? error.message}`, {
      cause: error,
    })
  }
}

/** wrangler.toml as Miniflare wants it. Read here, because loading wrangler would cost every start a second. */
async function workerOptions() {
  const wrangler = await import('wrangler')
  const config = wrangler.unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
  const { workerOptions: options } = wrangler.unstable_getMiniflareWorkerOptions(config)
  const { directory: _, ...assets } = options.assets
  return { ...options, name: config.name, rootPath: undefined, modulesRules: undefined, assets }
}

/** Only the entry is loaded at start (ruling 28). Bytes, raw and gzip, of it and of the whole upload. */
function sizesOf(directory, modules) {
  const sizes = modules.map((name) => {
    const content = readFileSync(join(directory, name))
    return { name, raw: content.length, gzip: gzipSync(content).length }
  })
  const sum = (key) => sizes.reduce((total, size) => total + size[key], 0)
  const entry = sizes.find((size) => size.name === ENTRY)
  return { start: { raw: entry.raw, gzip: entry.gzip }, upload: { raw: sum('raw'), gzip: sum('gzip') } }
}

/** Miniflare takes the first module as the entry point. */
const entryFirst = (a, b) => Number(b === ENTRY) - Number(a === ENTRY) || a.localeCompare(b)
