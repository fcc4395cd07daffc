/**
 * Two modules of the sandbox that are made here and stand nowhere: `sandbox:quickjs.wasm`, the interpreter with fuel in it, and
 * `sandbox:kit`, the text of what model-written code finds beside the language. One plugin for the bundle, one for the tests.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as esbuild } from 'esbuild'
import { meter } from './meter-wasm.mjs'
import { ROOT } from './node.mjs'
import { listRejections } from './rejections-wasm.mjs'

const INTERPRETER = join(ROOT, 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm')
const MAKERS = ['wasm.mjs', 'meter-wasm.mjs', 'rejections-wasm.mjs'].map((name) => join(import.meta.dirname, name))
const MADE = join(ROOT, '.wrangler/sandbox')

/** The path of the interpreter with fuel and its list of rejections, made once from what it is made of. */
function meteredInterpreter() {
  const plain = readFileSync(INTERPRETER)
  const digest = createHash('sha256').update(plain)
  for (const maker of MAKERS) digest.update(readFileSync(maker))
  const path = join(MADE, `quickjs-${digest.digest('hex').slice(0, 16)}.wasm`)
  if (existsSync(path)) return path
  mkdirSync(MADE, { recursive: true })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, meter(listRejections(plain)))
  renameSync(unfinished, path)
  return path
}

/** A script whose `kit` is what src/sandbox/kit/index.ts exports. */
async function kitText() {
  const { outputFiles } = await esbuild({
    absWorkingDir: ROOT,
    entryPoints: ['src/sandbox/kit/index.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'kit',
    target: 'es2022',
    mainFields: ['module', 'main'],
    minify: true,
    // Errors of the kit tell the model which of its functions refused.
    keepNames: false,
    legalComments: 'none',
    logLevel: 'warning',
  })
  return outputFiles[0].text
}

export const esbuildPlugin = {
  name: 'sandbox',
  setup(build) {
    build.onResolve({ filter: /^sandbox:quickjs\.wasm$/ }, () => ({ path: meteredInterpreter(), namespace: 'file' }))
    build.onResolve({ filter: /^sandbox:kit$/ }, () => ({ path: 'kit', namespace: 'sandbox' }))
    // A file of its own beside the bundle, imported as it is: the platform compiles it.
    build.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({ contents: readFileSync(path), loader: 'copy' }))
    build.onLoad({ filter: /^kit$/, namespace: 'sandbox' }, async () => ({ contents: await kitText(), loader: 'text' }))
  },
}

export const vitePlugin = () => ({
  name: 'sandbox',
  enforce: 'pre',
  resolveId: (id) =>
    id === 'sandbox:quickjs.wasm' ? meteredInterpreter() : id === 'sandbox:kit' ? '\0sandbox:kit' : null,
  load: async (id) => (id === '\0sandbox:kit' ? `export default ${JSON.stringify(await kitText())}` : null),
})
