// Writes what two generators make of openapi.yaml, as services that use the API would: `npm run client-types` renews the types of our own
// client and the snapshot in test/fixtures/client-types, and with a folder the types and the SDK are written there. Both generators need the
// compiler as a library, which TypeScript 7 no longer is, and @ts-morph/common still carries.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './lib/node.mjs'

const COMPILER = '@ts-morph/common/dist/typescript.js'
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? COMPILER : specifier, context),
})
const { default: openapiTypescript, astToString } = await import('openapi-typescript')
const { createClient } = await import('@hey-api/openapi-ts')

const DOCUMENT = join(ROOT, 'openapi.yaml')
const SNAPSHOTS = join(ROOT, 'test/fixtures/client-types')
const OWN_CLIENT = join(ROOT, 'clients/typescript/src/openapi.ts')
const [folder = null] = process.argv.slice(2)
const target = folder ?? SNAPSHOTS

mkdirSync(target, { recursive: true })
const types = astToString(await openapiTypescript(pathToFileURL(DOCUMENT), { silent: true }))
writeFileSync(folder === null ? OWN_CLIENT : join(target, 'openapi-typescript.ts'), types)
const sdk = join(target, 'hey-api')
await createClient({
  input: DOCUMENT,
  output: { path: sdk, importFileExtension: '.ts', entryFile: true },
  logs: { level: 'silent', file: false },
})
// The snapshot is the types alone: the SDK follows from them and from the version of the generator.
if (folder === null) {
  writeFileSync(join(target, 'hey-api.ts'), readFileSync(join(sdk, 'types.gen.ts')))
  rmSync(sdk, { recursive: true })
}
