/** The package of the TypeScript client, built and installed in a folder as `npm install` would. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const CLIENT = 'clients/typescript'
export const TSC = 'node_modules/typescript/bin/tsc'

export interface ClientPackage {
  /** What the compiler has printed; nothing if all is well. */
  printed: string
  /** The file of the command `loop`. */
  command: string
}

/** Programs in `folder` import `loop-agent-client` by its name. */
export function installClient(folder: string): ClientPackage {
  const place = join(folder, 'node_modules/loop-agent-client')
  mkdirSync(place, { recursive: true })
  cpSync(join(CLIENT, 'package.json'), join(place, 'package.json'))
  const args = [TSC, '-p', CLIENT, '--outDir', join(place, 'dist')]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { printed: stdout + stderr, command: join(place, 'dist/cli/main.js') }
}
