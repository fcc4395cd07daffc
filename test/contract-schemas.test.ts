/** In a bundle the schemas of the contracts are data. They are the ones that zod makes of what validates the replies. */
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { contractSchema } from '../src/core/engine/contract-schemas.ts'
import { modeOf } from '../src/core/modes/index.ts'
import { MODE_NAMES } from '../src/core/terms/mode-names.ts'
import { contractSchemas } from '../scripts/lib/contract-schemas.mjs'

it('the schema of each contract is in a bundle what zod makes of it, and an unknown one is none', async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/core/engine/contract-schemas.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [contractSchemas],
  })
  const [{ text } = { text: '' }] = outputFiles
  const bundled = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    contractSchema: typeof contractSchema
  }
  const names = MODE_NAMES.flatMap((mode) => Object.keys(modeOf(mode).contracts).map((name) => [mode, name] as const))
  expect(names.length).toBeGreaterThan(5)
  for (const [mode, name] of names) expect(bundled.contractSchema(mode, name)).toEqual(contractSchema(mode, name))
  expect(bundled.contractSchema('session', 'turn')).toBeNull()
  expect(contractSchema('session', 'turn')).toBeNull()
})
