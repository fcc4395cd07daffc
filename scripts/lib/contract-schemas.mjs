/**
 * The JSON Schemas of the contracts as data. Zod makes them from the schemas that validate, with a part of it that is loaded at each start and
 * needed for nothing else. So they are made here, and that part is replaced.
 */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const SCHEMAS = /[\\/]src[\\/]core[\\/]engine[\\/]contract-schemas\.ts$/
const MAKERS = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/

export const contractSchemas = {
  name: 'contract-schemas',
  setup(build) {
    build.onLoad({ filter: SCHEMAS }, async () => ({ contents: dataOf(await schemas()), loader: 'ts' }))
    build.onLoad({ filter: MAKERS }, ({ path }) => ({
      contents: withoutMakers(readFileSync(path, 'utf8')),
      resolveDir: dirname(path),
    }))
  },
}

/** By mode and name. */
async function schemas() {
  const { contractSchema } = await import('../../src/core/engine/contract-schemas.ts')
  const { loadModes, modeOf } = await import('../../src/core/modes/index.ts')
  await loadModes()
  const { MODE_NAMES } = await import('../../src/core/terms/mode-names.ts')
  return Object.fromEntries(
    MODE_NAMES.flatMap((mode) =>
      Object.keys(modeOf(mode).contracts).map((name) => [`${mode}/${name}`, contractSchema(mode, name)]),
    ),
  )
}

const dataOf = (all) => `const SCHEMAS: Record<string, object> = ${JSON.stringify(all)}
export const contractSchema = (mode: string, name: string) => SCHEMAS[\`\${mode}/\${name}\`] ?? null
`

/** What a schema tells of its bounds (`minValue`, `format`) is read by this function, which stands before all makers. */
const BOUNDS = 'export function aggregateChecks('
const BEHIND_BOUNDS = '\nconst formatMap = '

/** Each schema of zod asks for a maker when it is made, and calls it never. The bounds of a schema are read for messages. */
function withoutMakers(text) {
  const bounds = text.includes(BOUNDS) ? text.slice(0, text.indexOf(BEHIND_BOUNDS)) : ''
  const makers = text.slice(bounds.length)
  if (text.includes(BOUNDS) && (!bounds.includes(BOUNDS) || makers.includes(BOUNDS)))
    throw new Error('zod reads the bounds of its schemas elsewhere by now')
  const names = [...makers.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
  const none = `const none = () => () => {
  throw new Error('the bundle makes no JSON Schemas')
}`
  return [bounds, none, ...names.map((name) => `export const ${name} = none`)].join('\n')
}
