/** Everything that is measured, each in a workerd of its own: the built bundle and the floors, bundled by the same settings. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions } from 'esbuild'
import * as z from 'zod'
import { startWorkerd, writeConfig, type Run, type Workerd } from '../test/support/workerd.ts'

export const KEY = 'bench-key-of-twenty-chars'
export const FLOORS = ['json', 'object', 'model', 'openai'] as const
export type Floor = (typeof FLOORS)[number]

export interface Server {
  pid: number
  port: number
  /** Where its storage is. */
  place: string
  stop(): Promise<void>
}

/** Our own bundle with the scripted model; nothing limits how often it is asked. */
export function serviceBindings(base_url: string): Record<string, string> {
  return {
    ENVIRONMENT: 'production',
    // Long runs are measured, not bounded.
    MAX_TOKENS: '1000000000',
    API_KEYS: `bench:${KEY}`,
    SIGNING_SECRET: 'a secret of the bench',
    MODEL_PROVIDER: 'openai',
    OPENAI_BASE_URL: base_url,
    OPENAI_MODEL: 'bench',
    RATE_LIMIT_PER_MINUTE: '999999999',
    MAX_OPEN_TASKS: '999999999',
  }
}

const HERE = dirname(fileURLToPath(import.meta.url))

/** Of the built service: what the runtime is told of it, which holds for a floor too but for its objects and assets. */
const Manifest = z.object({ worker: z.record(z.string(), z.unknown()) })
export const workerOf = (bundle: string) =>
  Manifest.parse(JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8'))).worker

export function bundleFloor(name: Floor, place: string, bundling: BuildOptions, service: string): Promise<string> {
  const durableObjects = name === 'json' ? {} : { ROWS: { className: 'RowObject' } }
  const worker = { ...workerOf(service), assets: undefined, durableObjects }
  return bundleWorker(join(HERE, 'floor', `${name}.ts`), join(place, `bundle-${name}`), bundling, worker)
}

/** As scripts/lib/build.mjs leaves the service: modules and a manifest beside them. */
export async function bundleWorker(
  entry: string,
  directory: string,
  bundling: BuildOptions,
  worker: object,
): Promise<string> {
  const { metafile } = await build({
    ...bundling,
    absWorkingDir: dirname(HERE),
    entryPoints: { index: entry },
    outdir: directory,
    metafile: true,
  })
  const names = Object.keys(metafile?.outputs ?? {}).map((path) => basename(path))
  // workerd takes the first one as the entry.
  const modules = names.toSorted((one, other) => Number(other === 'index.js') - Number(one === 'index.js'))
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ modules, worker }))
  return directory
}

/** Starts a bundle on storage of its own; rejects with what it printed when it does not come up. */
export async function serve(
  directory: string,
  place: string,
  bindings: Record<string, string>,
  run: Run,
): Promise<Server> {
  mkdirSync(place, { recursive: true })
  let printed = ''
  const running: Workerd = startWorkerd(
    writeConfig(place, { directory, bindings }),
    (text) => void (printed = (printed + text).slice(-4_000)),
    run,
  )
  const port = await running.port
  if (port === null || running.pid === undefined) throw new Error(`a server did not start:\n${printed}`)
  const stop = async () => {
    running.kill()
    await running.ended
  }
  return { pid: running.pid, port, place, stop }
}
