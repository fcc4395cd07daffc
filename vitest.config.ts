/** Three kinds of tests: pure and HTTP ones in plain Node, those of the store in workerd, and the built bundle over real HTTP. */
import { join } from 'node:path'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { vitePlugin as priceTable } from './scripts/lib/price-table.mjs'
import { vitePlugin as sandboxModules } from './scripts/lib/sandbox-modules.mjs'

// What tests start again and again is compiled once: a start of the service costs a third less.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

const IN_WORKERD = ['test/store/**/*.test.ts', 'test/workerd/**/*.test.ts']
/**
 * One mocks a module for all, and one counts what the objects of its process do. The others wait for jobs, and the queue of a runtime does one job
 * after the other: where files share it, a job stands behind those that others have left.
 */
const IN_WORKERD_APART = [
  'test/workerd/model.test.ts',
  'test/workerd/bill.test.ts',
  'test/workerd/making.test.ts',
  'test/workerd/fork.test.ts',
  'test/workerd/files.test.ts',
  'test/store/task-alarm.test.ts',
  'test/store/unfinished-blobs.test.ts',
]
const END_TO_END = ['test/e2e/**/*.test.ts']
/** Timed ones, and those that tell the engine of a tool that there is not. */
const APART = ['test/growth/**/*.test.ts', 'test/sim/**/*.test.ts']
/** Has a configuration of its own. */
const IN_A_BROWSER = ['test/browser/**/*.test.ts']
/** With `SEEDED_BUG=<name>` the sources have that bug: npm run sensitivity asks whether the tests notice. */
const { SEEDED_BUG, SEEDED_LOG } = process.env
const seeded = SEEDED_BUG || SEEDED_LOG ? [(await import('./scripts/lib/seeded.mjs')).vitePlugin()] : []

const workerdPlugins = () => [
  ...seeded,
  priceTable(),
  sandboxModules(),
  cloudflareTest({
    wrangler: { configPath: './wrangler.single.toml' },
    // The sources, not the bundle that wrangler.toml names: failures point at the line that was written.
    main: './src/index.ts',
    miniflare: {
      // Bound as INDEX where a test says so: the other objects feed no database.
      d1Databases: {
        INDEX_OF_TESTS: 'index',
        INDEX_WITHOUT_TABLES: 'index-without-tables',
        INDEX_UNFED: 'index-unfed',
      },
      bindings: { ENVIRONMENT: 'development', MODEL_SEED: process.env.MODEL_SEED ?? '' },
      // Every fetch of the Worker ends here, in Node: nothing in a test reaches a network.
      outboundService: (request: Request) => new Response(`blocked in tests: ${request.url}`, { status: 599 }),
    },
  }),
]

// Pre-bundled: without this each file loads a thousand modules one by one.
const WORKERD_DEPS = {
  optimizer: {
    ssr: {
      enabled: true,
      include: [
        '@e965/xlsx',
        '@jitl/quickjs-wasmfile-release-sync',
        '@mozilla/readability',
        '@streamparser/json',
        'chrono-node/en',
        'chrono-node/zh/hans',
        'croner',
        'echarts/charts',
        'echarts/components',
        'echarts/core',
        'echarts/renderers',
        'fast-check',
        'fflate',
        'hono',
        'hono/accepts',
        'hono/cors',
        'hono/http-exception',
        'htmlparser2',
        'ical.js',
        'jose',
        'jose/jwks/local',
        'jose/jwt/verify',
        'linkedom/worker',
        'openai',
        'papaparse',
        'quickjs-emscripten-core',
        'robots-parser',
        'unpdf',
        'unpdf/pdfjs',
        'yaml',
        'zod',
      ],
    },
  },
}

/** A hook stops a server or a runtime. A run whose last hook takes too long fails, although each of its tests has passed. */
const HOOK_TIMEOUT = 60_000

/** The longest files begin first, and run beside those that wait for a process: none is left over for one core at the end. */
const ORDER = ['workerd apart', 'apart', 'e2e', 'node', 'workerd']
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => ORDER.indexOf(project.name)
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

const SETUP = ['./test/support/load-modes.ts']

export default defineConfig({
  test: {
    // One worker is the default on two cores; those that wait for a process leave a core to the others.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    teardownTimeout: HOOK_TIMEOUT,
    projects: [
      {
        plugins: [...seeded, priceTable()],
        test: {
          name: 'node',
          setupFiles: SETUP,
          // The files of a worker share their modules: loading zod 250 times costs a minute. So what a test changes of a global is put back.
          isolate: false,
          restoreMocks: true,
          unstubGlobals: true,
          // Nothing here waits for time; a loaded machine may be slow all the same.
          testTimeout: 30_000,
          hookTimeout: HOOK_TIMEOUT,
          include: ['test/**/*.test.ts'],
          exclude: [...IN_WORKERD, ...END_TO_END, ...IN_A_BROWSER, ...APART],
        },
      },
      {
        plugins: seeded,
        // Modules and a heap of their own: what other files have left there is collected at the cost of whoever is timed.
        // Room for young objects: what a collector copies while it has too little is no cost of a reader, and grows faster than the text.
        test: {
          name: 'apart',
          setupFiles: SETUP,
          testTimeout: 30_000,
          hookTimeout: HOOK_TIMEOUT,
          include: APART,
          execArgv: ['--min-semi-space-size=256', '--max-semi-space-size=256'],
        },
      },
      {
        plugins: workerdPlugins(),
        // The files of a worker share their modules and the runtime, as those in Node do.
        test: {
          name: 'workerd',
          setupFiles: SETUP,
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: HOOK_TIMEOUT,
          include: IN_WORKERD,
          exclude: IN_WORKERD_APART,
          deps: WORKERD_DEPS,
        },
      },
      {
        plugins: workerdPlugins(),
        test: {
          name: 'workerd apart',
          setupFiles: SETUP,
          testTimeout: 30_000,
          hookTimeout: HOOK_TIMEOUT,
          include: IN_WORKERD_APART,
          deps: WORKERD_DEPS,
        },
      },
      {
        test: {
          name: 'e2e',
          setupFiles: SETUP,
          // What is tested runs in processes of its own, so the files of a worker may share their modules.
          isolate: false,
          include: END_TO_END,
          testTimeout: 30_000,
          hookTimeout: HOOK_TIMEOUT,
        },
      },
    ],
  },
})
