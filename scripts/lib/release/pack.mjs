/** A data directory as one small file, for the tests: the paths with their contents, compressed. */
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** `told`: what the release said of its data, as JSON. */
export function pack(folder, file, told) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => statSync(join(folder, path)).isFile())
  const files = Object.fromEntries(paths.toSorted().map((path) => [path, readFileSync(join(folder, path), 'latin1')]))
  const text = JSON.stringify({ ...told, files })
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: text.length }
  const packed = brotliCompressSync(text, { params })
  writeFileSync(file, packed)
  return packed.length
}

/** Lays the files into `dataDir`, and answers what the release said. */
export function unpack(file, dataDir) {
  const { files, ...told } = JSON.parse(brotliDecompressSync(readFileSync(file)).toString('utf8'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(dataDir, path), content, 'latin1')
  }
  return told
}
