/**
 * `node scripts/release-fixture.mjs COMMIT [NAME] [--operated]`: builds that commit beside this one, has it make data of every kind (lib/release/stories.mjs), kills it,
 * and packs what it left into test/fixtures/releases/NAME.json.br (NAME: its version and the beginning of the commit),
 * with what its Worker asks of the objects beside it (NAME.rpc.json). With `--operated` the tenant has several workspaces, an index database, and keys of
 * the registry. To be run in both ways once for each release, when it is made: the next one is tested with it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBackup } from './lib/backup/make-backup.mjs'
import { NODE, ROOT } from './lib/node.mjs'
import { buildRelease } from './lib/release/build-release.mjs'
import { pack } from './lib/release/pack.mjs'
import { rpcContract } from './lib/release/rpc-contract.mjs'
import { lookAtRegistry, makeRegistry, OPERATED } from './lib/release/operated.mjs'
import { client, makeStories, makeUnfinished } from './lib/release/stories.mjs'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { operated: { type: 'boolean', default: false } },
})
const [name, given] = positionals
const operated = values.operated ? OPERATED : {}
if (name === undefined) {
  console.error('usage: node scripts/release-fixture.mjs COMMIT [NAME] [--operated]')
  process.exit(1)
}
const release = buildRelease(name)
const folder = mkdtempSync(join(tmpdir(), 'loop-agent-fixture-'))
let child = null
try {
  const dataDir = join(folder, 'data')
  const { commit, version, schema_version } = release
  const { url } = await start(dataDir)
  const ids = await makeStories(url)
  const keys = values.operated ? await makeRegistry(url) : {}
  const told = { ...(await lookAt(url)), ...(values.operated ? { registry: await lookAtRegistry(url) } : {}) }
  const unfinished = await makeUnfinished(url)
  // In the middle of its work, so that calls are under way.
  child.kill('SIGKILL')
  await once(child, 'exit')
  const to = join(folder, 'backup')
  await makeBackup({ dataDir, to, facts: { release: version, schema_version } })
  const fixtures = join(ROOT, 'test/fixtures/releases')
  mkdirSync(fixtures, { recursive: true })
  const called = given ?? `${version}-${commit.slice(0, 8)}${values.operated ? '-operated' : ''}`
  const file = join(fixtures, `${called}.json.br`)
  const requests = JSON.stringify(rpcContract(release.folder), null, 1)
  writeFileSync(join(fixtures, `${called}.rpc.json`), `${requests}\n`)
  const facts = { commit, version, schema_version, env: operated }
  const bytes = pack(join(to, 'data'), file, { ...facts, ids, unfinished, told, keys })
  console.log(`${file}: ${Object.keys(ids).length} tasks, ${(bytes / 1000).toFixed(0)} kB`)
} finally {
  child?.kill('SIGKILL')
  release.remove()
  rmSync(folder, { recursive: true, force: true })
}

/** As `npm start` of that commit would, with nothing of our environment that would change it. */
async function start(dataDir) {
  const { PATH, HOME } = process.env
  const env = {
    PATH,
    HOME,
    PORT: '0',
    DATA_DIR: dataDir,
    ENVIRONMENT: 'development',
    MODEL_PROVIDER: 'offline',
    MAX_DRIVEN_TASKS: '1',
    ...operated,
  }
  child = spawn(NODE, [join(release.folder, 'scripts/start.mjs')], {
    cwd: release.folder,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [message] = await once(child, 'message')
  return message
}

/** What the release answers of its data, by path. */
async function lookAt(url) {
  const ask = client(url)
  const paths = [
    '/tasks?limit=100',
    '/secrets',
    '/agents',
    '/schedules',
    '/delegations?limit=100',
    '/webhooks/deliveries',
  ]
  const told = Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await ask('GET', path)])))
  const tasks = await Promise.all(told['/tasks?limit=100'].data.map(({ id }) => ask('GET', `/tasks/${id}`)))
  const commands = ['/todo list', '/schedule list --from 2027-05-01 --to 2027-05-31']
  const answers = await Promise.all(
    commands.map(async (command) => [command, await ask('POST', '/commands', { command })]),
  )
  return { paths: told, tasks, commands: Object.fromEntries(answers) }
}
