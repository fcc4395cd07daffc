/**
 * `npm run upgrade-test -- COMMIT [--shards N]`: builds that commit beside this one and runs both at once on the same objects, as during a deployment that is rolled
 * out. First the objects are hosted by the older code, then by this one, then by the older one again; each time the Workers of both serve requests
 * in turn. With `--shards` the workspace of the tenant is divided in both, which an older release has to know. Prints a line for each part. Exit 1 when this release refused or failed anything, or the older one failed in any way but by name.
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makeDataDir } from './lib/service.mjs'
import { SINGLE_DIST } from './lib/dist.mjs'
import { buildRelease } from './lib/release/build-release.mjs'
import { bothWorkers } from './lib/release/both-workers.mjs'
import { makeStories } from './lib/release/stories.mjs'
import { continueStories, unreadable } from './lib/release/continue-stories.mjs'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { shards: { type: 'string', default: '1' } },
})
const [name] = positionals
if (name === undefined || !/^[1-9]\d?$/.test(values.shards)) {
  console.error('usage: npm run upgrade-test -- COMMIT [--shards N]')
  process.exit(1)
}
const bindings = values.shards === '1' ? {} : { TENANT_SHARDS: `dev:${values.shards}` }
const old = buildRelease(name)
const dataDir = makeDataDir()
let failed = 0
try {
  console.log(`old: ${old.commit.slice(0, 8)} (rows of version ${old.schema_version}); new: this checkout`)

  let ids = await part('old code hosts the objects, both serve: data of every kind are made', 'old', (urls) =>
    makeStories(inTurn(urls)),
  )
  await part('old code hosts the objects, both serve: a second set is made and goes on', 'old', async (urls) =>
    continueStories(inTurn(urls), await makeStories(inTurn(urls))),
  )
  await part('new code hosts the same objects, both serve: the first set goes on', 'new', (urls) =>
    continueStories(inTurn(urls), ids),
  )
  const made = await part(
    'new code hosts the objects, the old Worker serves alone: data are made and go on',
    'new',
    async (urls) => {
      const theirs = await makeStories(urls.old)
      await continueStories(urls.old, theirs)
      return theirs
    },
  )
  ids = { ...ids, ...Object.fromEntries(Object.entries(made ?? {}).map(([what, id]) => [`later ${what}`, id])) }
  await part('back: old code hosts the objects again, and serves', 'old', async (urls) => {
    const refused = await unreadable(urls.old, ids)
    return `${Object.keys(ids).length - refused.length} of ${Object.keys(ids).length} tasks are readable, ${refused.length} are state_unreadable`
  })
  await part('forward again: new code reads every task, and every journal replays', 'new', async (urls) => {
    const refused = await unreadable(urls.new, ids)
    if (refused.length > 0) throw new Error(`${refused.length} are not readable: ${refused.join(', ')}`)
  })
} finally {
  old.remove()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}
process.exit(failed === 0 ? 0 : 1)

async function part(title, host, act) {
  const running = await bothWorkers({
    host,
    dataDir,
    bindings,
    dists: { old: `${old.folder}/dist/single`, new: SINGLE_DIST },
  })
  try {
    const told = await act(running.urls)
    console.log(`ok: ${title}${typeof told === 'string' ? `: ${told}` : ''}`)
    return told
  } catch (error) {
    failed += 1
    console.log(`FAILED: ${title}: ${error.message}`)
    return null
  } finally {
    await running.stop()
  }
}

/** An address that is another Worker with each request. */
function inTurn({ old: one, new: other }) {
  let turn = 0
  return { toString: () => (turn++ % 2 === 0 ? one : other) }
}
