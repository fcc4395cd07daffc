/** Three kinds of tests: pure and HTTP ones in plain Node, those of the store in workerd, and the built bundle over real HTTP. */
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { vitePlugin as sandboxModules } from './scripts/lib/sandbox-modules.mjs'

const IN_WORKERD = ['test/store/**/*.test.ts', 'test/workerd/**/*.test.ts']
const END_TO_END = ['test/e2e/**/*.test.ts']
/** Has a configuration of its own. */
const IN_A_BROWSER = ['test/browser/**/*.test.ts']
/** With `SEEDED_BUG=<name>` the sources have that bug: npm run sensitivity asks whether the tests notice. */
const { SEEDED_BUG, SEEDED_LOG } = process.env
const seeded = SEEDED_BUG || SEEDED_LOG ? [(await import('./scripts/lib/seeded.mjs')).vitePlugin()] : []

export default defineConfig({
  test: {
    // One worker is the default on two cores.
    maxWorkers: 2,
    projects: [
      {
        plugins: seeded,
        test: {
          name: 'node',
          // Nothing here waits for time; a loaded machine may be slow all the same.
          testTimeout: 30_000,
          include: ['test/**/*.test.ts'],
          exclude: [...IN_WORKERD, ...END_TO_END, ...IN_A_BROWSER],
        },
      },
      {
        plugins: [
          ...seeded,
          sandboxModules(),
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            // The sources, not the bundle that wrangler.toml names: failures point at the line that was written.
            main: './src/index.ts',
            miniflare: {
              bindings: { ENVIRONMENT: 'development', MODEL_SEED: process.env.MODEL_SEED ?? '' },
              // Every fetch of the Worker ends here, in Node: nothing in a test reaches a network.
              outboundService: (request: Request) => new Response(`blocked in tests: ${request.url}`, { status: 599 }),
            },
          }),
        ],
        test: {
          name: 'workerd',
          testTimeout: 30_000,
          include: IN_WORKERD,
          // Pre-bundled: without this each file loads a thousand modules one by one.
          deps: {
            optimizer: {
              ssr: {
                enabled: true,
                include: [
                  '@e965/xlsx',
                  '@jitl/quickjs-wasmfile-release-sync',
                  '@streamparser/json',
                  'chrono-node/en',
                  'chrono-node/zh/hans',
                  'echarts/charts',
                  'echarts/components',
                  'echarts/core',
                  'echarts/renderers',
                  'fast-check',
                  'fflate',
                  'hono',
                  'hono/accepts',
                  'hono/http-exception',
                  'ical.js',
                  'openai',
                  'papaparse',
                  'quickjs-emscripten-core',
                  'yaml',
                  'zod',
                ],
              },
            },
          },
        },
      },
      {
        test: {
          name: 'e2e',
          include: END_TO_END,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
})
