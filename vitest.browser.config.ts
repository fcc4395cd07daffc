/** The console in a real Chromium (`npm run test:browser`): apart from the other tests, because it needs a browser of the system. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'browser',
    maxWorkers: 2,
    // The files of a worker share their modules and the browser; each has a service of its own.
    isolate: false,
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // As long as the page itself is waited for (bench.ts): a busy machine draws slowly, and only a failure takes this long.
    expect: { poll: { timeout: 30_000 } },
  },
})
