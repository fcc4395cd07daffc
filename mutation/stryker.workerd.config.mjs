/** What is mutated inside workerd: the Durable Objects and their SQLite. */
import { shared } from './shared.mjs'

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  ...shared('workerd'),
  mutate: ['src/store/{task-object,workspace-object,sql-rows,sql-book,durable-store}.ts'],
  testRunner: 'vitest',
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
  vitest: { configFile: 'mutation/vitest.workerd.config.ts', related: false },
}
