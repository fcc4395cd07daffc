/** The console in a real Chromium (`npm run test:browser`): apart from the other tests, because it needs a browser of the system. */
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// What tests start again and again is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

export default defineConfig({
  test: {
    name: 'browser',
    maxWorkers: 2,
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // As long as the page itself is waited for (bench.ts): a busy machine draws slowly, and only a failure takes this long.
    expect: { poll: { timeout: 30_000 } },
  },
})
