/**
 * Bundles the Worker into `dist/`: what a deployment uploads, what wrangler dev runs, and what `scripts/start.mjs` serves. With
 * `SEEDED_BUG=<name>` it has that bug (test/sensitivity) and goes elsewhere.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { filesBelow } from './assets.mjs'
import { chatOnly } from './chat-only.mjs'
import { DIST } from './dist.mjs'
import { ROOT } from './node.mjs'
import { esbuildPlugin as sandboxModules } from './sandbox-modules.mjs'

/** Beside the modules: what they were built from, how big they are, and the Worker's options for Miniflare. */
const MANIFEST = 'manifest.json'
const ENTRY = 'index.js'

/** null before the first build. */
export function readManifest() {
  const path = join(DIST, MANIFEST)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

/** Builds unless it already comes from these very inputs; answers with its manifest. */
export async function build() {
  const plugins =
    process.env.SEEDED_BUG || process.env.SEEDED_LOG ? [(await import('./seeded.mjs')).esbuildPlugin()] : []
  const inputs = digestOfInputs()
  const before = readManifest()
  // Whoever wants to know what is loaded wants it loaded.
  if (before?.inputs === inputs && !process.env.SEEDED_LOG) return before
  const directory = join(ROOT, '.wrangler', `build-${process.pid}`)
  try {
    const [graph, worker] = await Promise.all([bundle(directory, plugins), workerOptions()])
    const manifest = {
      inputs,
      modules: [...graph.keys()].toSorted(entryFirst),
      start: startOf(graph),
      size: sizesOf(directory, graph),
      worker,
    }
    writeFileSync(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)
    // Moved as a whole: whoever starts meanwhile sees the old bundle or the new one.
    rmSync(DIST, { recursive: true, force: true })
    mkdirSync(dirname(DIST), { recursive: true })
    renameSync(directory, DIST)
    return manifest
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function digestOfInputs() {
  const own = ['wrangler.toml', 'package.json', 'package-lock.json', 'tsconfig.json']
  const bundler = ['build', 'chat-only', 'meter-wasm', 'sandbox-modules'].map((name) => `scripts/lib/${name}.mjs`)
  const sources = filesBelow(join(ROOT, 'src')).map((name) => join('src', name))
  // What a seeded bug is stands beside the sources.
  const bugs = process.env.SEEDED_BUG
    ? filesBelow(join(ROOT, 'test/sensitivity')).map((name) => join('test/sensitivity', name))
    : []
  const hash = createHash('sha256').update(`${process.env.SEEDED_BUG ?? ''}\0`)
  for (const name of [...own, ...bundler, ...sources, ...bugs])
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(ROOT, name)))
      .update('\0')
  return hash.digest('hex')
}

/** How everything that is measured is bundled too (bench/floor): what differs is then the program. */
export const BUNDLING = {
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser', 'import'],
  mainFields: ['browser', 'module', 'main'],
  external: ['cloudflare:*', 'node:*'],
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [chatOnly, sandboxModules],
  minify: true,
  // No `keepNames`: it is a call for each function that is made. Who reads a name – of an error, an exported class – finds it set.
  legalComments: 'none',
  logLevel: 'warning',
}

/** The modules as they are uploaded: the entry with all it needs at start, and a chunk for each `import()`. */
async function bundle(directory, plugins) {
  const { metafile } = await esbuild({
    ...BUNDLING,
    absWorkingDir: ROOT,
    entryPoints: { index: 'src/index.ts' },
    outdir: directory,
    metafile: true,
    plugins: [...BUNDLING.plugins, ...plugins],
  })
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => [
    relative(directory, join(ROOT, path)),
    output,
  ])
  return new Map(outputs.map(([name, { imports }]) => [name, staticImports(directory, imports)]))
}

const staticImports = (directory, imports) =>
  imports
    .filter(({ kind, external }) => kind === 'import-statement' && !external)
    .map(({ path }) => relative(directory, join(ROOT, path)))

/** wrangler.toml as Miniflare wants it. Read here, because loading wrangler would cost every start a second. */
async function workerOptions() {
  const wrangler = await import('wrangler')
  const config = wrangler.unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
  const { workerOptions: options } = wrangler.unstable_getMiniflareWorkerOptions(config)
  const { directory: _, ...assets } = options.assets
  return { ...options, name: config.name, rootPath: undefined, modulesRules: undefined, assets }
}

function startOf(graph) {
  const names = new Set([ENTRY])
  for (const name of names) for (const imported of graph.get(name)) names.add(imported)
  return [...names]
}

/** Bytes, raw and gzip, of what is loaded at start – the entry and what it imports (ruling 28) – and of the whole upload. */
function sizesOf(directory, graph) {
  return { start: sizeOf(directory, startOf(graph)), upload: sizeOf(directory, [...graph.keys()]) }
}

function sizeOf(directory, names) {
  const contents = names.map((name) => readFileSync(join(directory, name)))
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
  return {
    raw: sum(contents.map(({ length }) => length)),
    gzip: sum(contents.map((content) => gzipSync(content).length)),
  }
}

/** Miniflare takes the first module as the entry point. */
const entryFirst = (a, b) => Number(b === ENTRY) - Number(a === ENTRY) || a.localeCompare(b)
