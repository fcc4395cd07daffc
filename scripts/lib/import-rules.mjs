/** Which folder of `src` may import from which, and which packages it may import. What is not allowed here is refused. */

const CONFIG = [
  'config.ts',
  'config-environment.ts',
  'config-hosting.ts',
  'config-keys.ts',
  'config-login.ts',
  'config-model-rules.ts',
  'config-models.ts',
  'config-prices.ts',
  'config-quotas.ts',
  'config-telemetry.ts',
  'config-exports.ts',
]
const CORE_BELOW = [
  'core/terms',
  'core/registry',
  'core/shown',
  'core/workspace',
  'core/mode',
  'core/modes',
  'core/engine',
  'core/protocol',
]
const STORE_HELPERS = ['boot.ts', 'damage.ts', 'fits.ts', 'has-table.ts', 'request-job.ts'].map(
  (file) => `store/${file}`,
)
const below = (wing) => CORE_BELOW.slice(0, CORE_BELOW.indexOf(wing))

/**
 * A row judges what the files of a folder, or one file, import from the folders beside it. What they import from farther away is judged by the
 * row of the folder above. `*` is every folder in a folder that has no row of its own.
 *
 * `from`: what may be imported. `types`: what may be imported by `import type` in addition.
 */
export const FOLDERS = {
  core: { from: [] },
  lifecycle: { from: [] },
  telemetry: { from: ['core/terms'] },
  delegations: { from: ['core/terms'] },
  shell: { from: ['core', 'telemetry'], types: ['delegations', 'lifecycle/draining.ts'] },
  datasets: { from: ['core/terms', 'shell/network'], types: ['shell/ports.ts', 'shell/tool-ports.ts'] },
  sandbox: { from: ['core/terms', 'datasets'], types: ['shell/ports.ts', 'shell/tool-ports.ts'] },
  pages: { from: ['core/terms'], types: ['shell/ports.ts', 'shell/tool-ports.ts'] },
  compute: {
    from: ['core/terms', 'datasets', 'pages', 'sandbox', 'telemetry', 'shell/network', 'shell/compute-lock.ts'],
    types: ['shell/ports.ts', 'shell/tool-ports.ts'],
  },
  models: { from: ['core/terms', 'core/mode', 'shell/network'], types: ['shell/ports.ts', 'shell/tool-ports.ts'] },
  prices: { from: ['core/terms'] },
  search: { from: ['shell/network'], types: ['shell/ports.ts', 'shell/tool-ports.ts'] },
  tools: {
    from: [
      'core/terms',
      'core/mode',
      'datasets',
      'pages',
      'shell/network',
      'shell/callbacks/standard-webhooks.ts',
      'shell/compute-lock.ts',
      'shell/hex.ts',
      'shell/lost-object.ts',
      'shell/pools',
      'shell/secrets/filler.ts',
      'shell/secrets/references.ts',
    ],
    types: ['core/protocol', 'shell/ports.ts', 'shell/tool-ports.ts'],
  },
  // Of the shell, the store knows the ports and what knows nothing of the shell.
  store: {
    from: ['core', 'lifecycle', 'telemetry', 'config.ts', 'shell/network/chunked-body.ts', 'shell/lost-object.ts'],
    types: ['shell/ports.ts', 'shell/listing/restore.ts'],
  },
  http: {
    from: ['core', 'shell', 'delegations', 'telemetry', 'config.ts', 'config-login.ts'],
    types: ['config-keys.ts'],
  },
  // A value of another file of the core brings zod into the page.
  console: { from: ['core/terms/plain'], types: ['core'] },

  'compose-registry.ts': { from: ['config.ts', 'core/registry', 'shell'] },
  // Parts of the composition root.
  'compose-exports.ts': { from: ['config.ts', 'prices', 'shell'] },
  'compose-tools.ts': {
    from: [
      'compute/remote.ts',
      'config.ts',
      'http/gate/callback-address.ts',
      'search',
      'shell',
      'store/fits.ts',
      'tools',
    ],
  },
  'compose-app.ts': {
    from: ['config.ts', 'http', 'lifecycle', 'shell/links', 'store/probe-bindings.ts', 'telemetry'],
    types: ['compose-telemetry.ts', 'shell/ports.ts'],
  },
  'compose-storage.ts': {
    from: ['shell/task-ids.ts', 'store/blobs.ts', 'store/index-database'],
    types: ['config.ts', 'shell/ports.ts', 'store/readable-task.ts'],
  },
  'compose-telemetry.ts': { from: ['config.ts', 'lifecycle', 'shell/task-ids.ts', 'store/metrics', 'telemetry'] },
  'config.ts': { from: ['core', ...CONFIG, 'config-runner.ts', 'config-webhooks.ts'] },
  'config-environment.ts': { from: [] },
  'config-hosting.ts': { from: [], types: ['config-environment.ts', 'config-keys.ts'] },
  'config-keys.ts': { from: ['core/registry/records.ts'], types: ['config-environment.ts'] },
  'config-login.ts': { from: ['core/registry', 'core/terms', 'shell/network/address.ts'] },
  'config-model-rules.ts': { from: ['core', 'config-models.ts'] },
  'config-models.ts': { from: ['core/terms'] },
  'config-prices.ts': { from: ['core/terms', 'prices', 'config-models.ts'] },
  'config-quotas.ts': { from: ['core'] },
  'config-telemetry.ts': { from: ['telemetry/log.ts'], types: ['config-environment.ts'] },
  'config-exports.ts': { from: ['core/terms'] },
  'config-runner.ts': { from: [], types: ['tools/run-code/remote-python.ts'] },
  'config-webhooks.ts': { from: ['shell/network/address.ts'] },

  'core/terms': { from: [] },
  'core/registry': { from: below('core/registry') },
  'core/shown': { from: below('core/shown') },
  'core/workspace': { from: below('core/workspace') },
  'core/mode': { from: below('core/mode') },
  'core/modes': { from: below('core/modes') },
  'core/engine': { from: below('core/engine') },
  'core/protocol': { from: below('core/protocol') },
  'core/replay': { from: CORE_BELOW },
  'core/terms/plain': { from: [], types: ['core/terms/locale.ts'] },

  // A mode does not know another mode.
  'core/modes/plan': { from: [] },
  'core/modes/conversation': { from: ['core/modes/plan', 'core/modes/files'] },
  'core/modes/files': { from: [] },
  'core/modes/*': { from: ['core/modes/plan', 'core/modes/conversation', 'core/modes/files'] },

  'store/metrics': { from: [] },
  'store/task': { from: STORE_HELPERS },
  'store/workspace': { from: STORE_HELPERS },
  'store/registry': { from: STORE_HELPERS },

  // It is compiled on its own, for the runtime of the sandbox.
  'sandbox/kit': { from: [] },

  'http/shapes': { from: [] },
  'http/text': { from: ['http/shapes'] },
  'http/multipart': { from: ['http/shapes'] },
  'http/gate': { from: ['http/shapes', 'http/multipart'], types: ['http/endpoint.ts', 'http/route.ts'] },
  'http/resources': {
    from: [
      'http/shapes',
      'http/text',
      'http/multipart',
      'http/gate',
      'http/endpoint.ts',
      'http/route.ts',
      'http/route-builders.ts',
    ],
  },
  'http/document': { from: ['http/shapes'], types: ['http/contract.ts', 'http/route.ts'] },

  'console/style': { from: [] },
  'console/api': { from: [] },
  'console/state': { from: ['console/api', 'console/route.ts'] },
  'console/parts': { from: ['console/api', 'console/state'] },
  'console/views': {
    from: ['console/api', 'console/state', 'console/parts', 'console/parse.ts', 'console/route.ts'],
  },
  // No view imports another.
  'console/views/*': { from: [] },
}

/** What of a folder may be imported from outside of it. Only the registry knows the modes. */
export const DOORS = { 'core/modes': ['core/modes/index.ts', 'core/modes/plan'] }

/** The packages that a folder may import. The most precise row holds. */
export const PACKAGES = {
  core: ['zod'],
  'core/mode/json': ['zod', 'jsonrepair'],
  shell: ['zod', 'standardwebhooks'],
  'shell/schedules/cron.ts': ['croner'],
  'shell/exports/otlp-spans.ts': ['@opentelemetry/otlp-transformer'],
  store: ['zod', '@cfworker/json-schema', 'cloudflare:workers'],
  http: ['zod', 'hono', 'ical.js'],
  'http/gate/login': ['jose'],
  'http/multipart': ['multipasta'],
  models: ['zod', 'chrono-node'],
  'models/wires/event-stream.ts': ['eventsource-parser'],
  'models/wires/openai-client.ts': ['openai'],
  'models/wires/chat': ['zod', 'openai'],
  'models/wires/responses': ['zod', 'openai'],
  prices: ['prices:table'],
  'tools/openapi': ['yaml', 'zod'],
  'tools/mcp': ['zod', '@modelcontextprotocol/client', 'eventsource-parser'],
  tools: ['zod', 'robots-parser'],
  pages: ['@mozilla/readability', 'fflate', 'htmlparser2', 'linkedom/worker', 'unpdf'],
  search: ['zod'],
  delegations: ['yaml'],
  datasets: ['@e965/xlsx', '@streamparser/json', 'fflate', 'papaparse'],
  sandbox: [
    'zod',
    '@jitl/quickjs-wasmfile-release-sync',
    'd3-array',
    'echarts',
    'quickjs-emscripten-core',
    'sandbox:kit',
    'sandbox:quickjs.wasm',
    'simple-statistics',
  ],
  compute: ['zod'],
  console: ['preact', 'd3-array', 'd3-scale', 'd3-shape', 'dompurify', 'marked', 'papaparse'],
  'compose-app.ts': ['#local-compute', 'cloudflare:workers'],
  'compose-telemetry.ts': ['cloudflare:workers'],
  'compose-tools.ts': ['#local-compute'],
  'config.ts': ['zod'],
  'config-login.ts': ['zod'],
  'config-model-rules.ts': ['zod'],
  'config-models.ts': ['zod'],
  'config-prices.ts': ['zod'],
  'config-quotas.ts': ['zod'],
  'config-runner.ts': ['zod'],
  'config-telemetry.ts': ['zod'],
  'config-exports.ts': ['zod'],
}

const isIn = (folder, file) => folder === file || file.startsWith(`${folder}/`)
const parentOf = (path) => path.split('/').slice(0, -1).join('/')
const isAmong = (file, folders = []) => folders.some((folder) => isIn(folder, file))

const isBeside = (folder, file) => parentOf(folder) === '' || isIn(parentOf(folder), file)

/** Puts everything together, so it may import everything. */
const ROOT_FILE = 'index.ts'

/** The rows that judge a file, each with the folder that it stands for there. */
function rowsFor(file) {
  const parts = file.split('/')
  return parts.flatMap((_, index) => {
    const folder = parts.slice(0, index + 1).join('/')
    const isFolder = index + 1 < parts.length
    const row = FOLDERS[folder] ?? (isFolder ? FOLDERS[`${parentOf(folder)}/*`] : undefined)
    return row === undefined ? [] : [{ folder, row }]
  })
}

/** Whether a file may import another one. Both are named from `src`. */
export function mayImport(file, target, is_type) {
  if (file === ROOT_FILE) return true
  const rows = rowsFor(file).filter(({ folder }) => !isIn(folder, target) && isBeside(folder, target))
  return (
    rows.every(({ row }) => isAmong(target, row.from) || (is_type && isAmong(target, row.types))) &&
    Object.entries(DOORS).every(
      ([folder, doors]) => isIn(folder, file) || !isIn(folder, target) || isAmong(target, doors),
    )
  )
}

/** Whether a file may import a package: `zod`, `openai/resources`. */
export function mayImportPackage(file, name) {
  if (file === ROOT_FILE) return true
  const row = Object.keys(PACKAGES)
    .filter((folder) => isIn(folder, file))
    .toSorted((one, other) => other.length - one.length)[0]
  return row !== undefined && isAmong(name, PACKAGES[row])
}

/** What stands in `src` without a row, so that nothing judges its imports. */
export const withoutRow = (files) =>
  files.filter((file) => file !== ROOT_FILE && FOLDERS[file.split('/')[0]] === undefined)
