/**
 * Bundles the Workers into `dist/` (lib/dist.mjs): what a deployment uploads, what wrangler dev runs, and what `scripts/start.mjs` serves. With
 * `SEEDED_BUG=<name>` they have that bug (test/sensitivity) and go elsewhere.
 */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { filesBelow } from './assets.mjs'
import { openaiCreate } from './openai-create.mjs'
import { contractSchemas } from './contract-schemas.mjs'
import { withoutProse } from './without-prose.mjs'
import { computeConfig } from './compute-config.mjs'
import { COMPUTE_DIST, DIST, SINGLE_DIST } from './dist.mjs'
import { ROOT } from './node.mjs'
import { esbuildPlugin as priceTable } from './price-table.mjs'
import { esbuildPlugin as sandboxModules } from './sandbox-modules.mjs'

/** A file next to the modules with their sources, their sizes, and the Worker's options for Miniflare. */
const MANIFEST = 'manifest.json'
const ENTRY = 'index.js'
const COMPUTE_CONFIG = 'config.capnp'

/** Each with its wrangler configuration; `conditions` choose between what package.json calls `#local-compute`. */
const WORKERS = {
  api: { entry: 'src/index.ts', to: DIST, config: 'wrangler.toml', conditions: ['api-only'] },
  compute: { entry: 'src/compute/index.ts', to: COMPUTE_DIST, config: 'wrangler.compute.toml', conditions: [] },
  single: { entry: 'src/index.ts', to: SINGLE_DIST, config: 'wrangler.single.toml', conditions: [] },
}

/** The manifest, or null before the first build. */
function readManifest(worker) {
  const path = join(worker.to, MANIFEST)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

/** Builds unless the bundles already come from these inputs, and returns the manifest of each Worker. */
export async function build() {
  const plugins =
    process.env.SEEDED_BUG || process.env.SEEDED_LOG ? [(await import('./seeded.mjs')).esbuildPlugin()] : []
  const inputs = digestOfInputs()
  const before = mapped(WORKERS, readManifest)
  // A run that records the loaded sources has to load them.
  if (Object.values(before).every((manifest) => manifest?.inputs === inputs) && !process.env.SEEDED_LOG) return before
  const directory = join(ROOT, '.wrangler', `build-${process.pid}`)
  try {
    const made = await Promise.all(
      Object.entries(WORKERS).map(async ([name, worker]) => {
        const place = resolve(directory, relative(DIST, worker.to))
        return [name, await buildWorker(worker, place, inputs, plugins)]
      }),
    )
    const manifests = Object.fromEntries(made)
    writeFileSync(join(directory, relative(DIST, COMPUTE_DIST), COMPUTE_CONFIG), computeConfig(manifests.compute))
    // The folder is moved as a whole, so that a concurrent start sees either the old bundle or the new one.
    rmSync(DIST, { recursive: true, force: true })
    mkdirSync(dirname(DIST), { recursive: true })
    renameSync(directory, DIST)
    return manifests
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function buildWorker({ entry, config, conditions }, place, inputs, plugins) {
  const [graph, worker] = await Promise.all([bundle(place, { entry, conditions, plugins }), workerOptions(config)])
  const modules = [...graph.keys()].toSorted(entryFirst)
  const manifest = { inputs, modules, start: startOf(graph), size: sizesOf(place, graph), worker }
  writeFileSync(join(place, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)
  return manifest
}

const mapped = (record, change) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

function digestOfInputs() {
  const configs = Object.values(WORKERS).map(({ config }) => config)
  const own = [...configs, 'package.json', 'package-lock.json', 'tsconfig.json']
  const bundler = [
    'build',
    'openai-create',
    'compute-config',
    'door',
    'meter-wasm',
    'price-table',
    'sandbox-modules',
    'without-prose',
  ].map((name) => `scripts/lib/${name}.mjs`)
  const sources = filesBelow(join(ROOT, 'src')).map((name) => join('src', name))
  // The list of seeded bugs is next to the sources.
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

/** The benchmarks bundle with the same options (bench/floor), so that only the program differs. */
export const BUNDLING = {
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser', 'import'],
  mainFields: ['browser', 'module', 'main'],
  external: ['cloudflare:*', 'node:*'],
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [openaiCreate, contractSchemas, priceTable, sandboxModules, withoutProse],
  minify: true,
  // No `keepNames`: it is a call for each function that is made. Who reads a name – of an error, an exported class – finds it set.
  legalComments: 'none',
  logLevel: 'warning',
}

/** The modules as they are uploaded, each with those that it imports: the entry, all it needs at start in one, and a chunk for each `import()`. */
async function bundle(directory, source) {
  const parts = `${directory}-parts`
  const graph = await split(parts, source)
  const joined = await joinStart(parts, startOf(graph), directory)
  for (const name of graph.keys().filter((one) => !one.endsWith('.js'))) {
    copyFileSync(join(parts, name), join(directory, name))
    joined.set(name, [])
  }
  rmSync(parts, { recursive: true, force: true })
  return joined
}

/** esbuild makes a module of everything that a lazy part shares with the start. Sixty of them are a tenth larger than one, and load slower. */
async function joinStart(parts, start, directory) {
  const names = new Set(start)
  const isStart = (path) => names.has(basename(path))
  const build = await rolldown({
    input: { [basename(ENTRY, '.js')]: join(parts, ENTRY) },
    external: (id) => /^(cloudflare|node):/.test(id) || /\.(wasm|txt)$/.test(id),
    treeshake: false,
    preserveEntrySignatures: 'strict',
    logLevel: 'warn',
  })
  const { output } = await build.write({
    dir: directory,
    format: 'esm',
    minify: true,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: 'start', test: isStart }] },
  })
  await build.close()
  const made = new Set(output.map(({ fileName }) => fileName))
  return new Map(output.map(({ fileName, imports }) => [fileName, imports.filter((name) => made.has(name))]))
}

async function split(directory, { entry, conditions, plugins }) {
  const { metafile } = await esbuild({
    ...BUNDLING,
    conditions: [...conditions, ...BUNDLING.conditions],
    absWorkingDir: ROOT,
    entryPoints: { index: entry },
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

/** A wrangler configuration as Miniflare wants it. Read here, because loading wrangler would cost every start a second. */
async function workerOptions(path) {
  const wrangler = await import('wrangler')
  const config = wrangler.unstable_readConfig({ config: join(ROOT, path) })
  const { workerOptions: options } = wrangler.unstable_getMiniflareWorkerOptions(config)
  const own = { ...options, name: config.name, rootPath: undefined, modulesRules: undefined }
  if (options.assets === undefined) return own
  const { directory: _, ...assets } = options.assets
  return { ...own, assets }
}

function startOf(graph) {
  const names = new Set([ENTRY])
  for (const name of names) for (const imported of graph.get(name)) names.add(imported)
  return [...names]
}

/** Bytes, raw and gzip, of what is loaded at start – the entry and what it imports (U28) – and of the whole upload. */
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

/** Miniflare uses the first module as the entry point. */
const entryFirst = (a, b) => Number(b === ENTRY) - Number(a === ENTRY) || a.localeCompare(b)
