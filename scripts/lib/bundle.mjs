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

export function readModule(dist, path) {
  const content = readFileSync(join(dist, path))
  if (path.endsWith('.wasm')) return { type: 'CompiledWasm', path, contents: content }
  if (path.endsWith('.bin')) return { type: 'Data', path, contents: content }
  return { type: path.endsWith('.txt') ? 'Text' : 'ESModule', path, contents: content.toString('utf8') }
}
