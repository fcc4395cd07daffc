/** The output of scripts/build.mjs in dist/, in the form for Miniflare. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function readManifest(dist) {
  try {
    return JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
  } catch (error) {
    throw new Error('there is no bundle in dist/: run npm run build first', { cause: error })
  }
}

/**
 * The first one is the entry; of the others the smallest come first. Miniflare copies all that it has encoded with each module that it adds, so
 * this order takes a fifth of the copying.
 */
export function readModules(dist, [entry, ...others]) {
  const sized = others.map((path) => readModule(dist, path))
  return [readModule(dist, entry), ...sized.toSorted((one, other) => one.contents.length - other.contents.length)]
}

function readModule(dist, path) {
  const content = readFileSync(join(dist, path))
  if (path.endsWith('.wasm')) return { type: 'CompiledWasm', path, contents: content }
  if (path.endsWith('.bin')) return { type: 'Data', path, contents: content }
  return { type: path.endsWith('.txt') ? 'Text' : 'ESModule', path, contents: content.toString('utf8') }
}
