/** The console in a real Chromium (`npm run test:browser`): apart from the other tests, because it needs a browser of the system. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'browser',
    maxWorkers: 2,
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As long as the page itself is waited for (bench.ts).
    expect: { poll: { timeout: 10_000 } },
  },
})
