/** Everything that is measured, each in a workerd of its own: the built bundle and the floors, bundled by the same settings. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions } from 'esbuild'
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

/** As scripts/lib/build.mjs leaves the service: modules and a manifest beside them. */
export async function bundleFloor(name: Floor, place: string, bundling: BuildOptions, like: unknown): Promise<string> {
  const directory = join(place, `bundle-${name}`)
  mkdirSync(directory, { recursive: true })
  const { metafile } = await build({
    ...bundling,
    absWorkingDir: dirname(HERE),
    entryPoints: { index: join(HERE, 'floor', `${name}.ts`) },
    outdir: directory,
    metafile: true,
  })
  const names = Object.keys(metafile.outputs).map((path) => path.split('/').at(-1) ?? path)
  const modules = names.toSorted((one, other) => Number(other === 'index.js') - Number(one === 'index.js'))
  const durableObjects = name === 'json' ? {} : { ROWS: { className: 'RowObject' } }
  const worker = { ...(like as object), assets: undefined, durableObjects } // read from a manifest that has an object here
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
