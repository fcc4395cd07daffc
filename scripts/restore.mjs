/**
 * `npm run restore -- FOLDER`: puts a backup into DATA_DIR, which has to be empty and unused; holds every file to its digest, replays every journal,
 * and makes the indexes anew. Exit 1 where it was refused, or where a journal or an index did not come out whole.
 */
import { resolve } from 'node:path'
import { NODE, become, readsTypeScript } from './lib/node.mjs'

if (readsTypeScript) await main(process.argv.slice(2))
else if (NODE !== process.execPath) become(NODE, [import.meta.filename, ...process.argv.slice(2)])
else fail('Node 22.18 or newer is needed, or the one that npm ci installs here')

async function main([folder, ...more]) {
  if (folder === undefined || more.length > 0 || folder.startsWith('-'))
    fail('usage: npm run restore -- FOLDER   (what npm run backup made; DATA_DIR names the empty directory)')
  const { differencesFrom, readManifest } = await import('./lib/backup/manifest.mjs')
  const { release } = await import('./lib/backup/release.mjs')
  const { isUnused } = await import('./lib/backup/data-files.mjs')
  const { takeDataDir } = await import('./lib/data-dir.mjs')
  const { placeAlarms, placeBackup, replayAll } = await import('./lib/backup/place-backup.mjs')
  const { readEnvironment } = await import('./lib/environment.mjs')
  const { rebuildIndexes } = await import('./lib/rebuild-indexes.mjs')
  const { dataDir, bindings } = readEnvironment(process.env)
  const manifest = await attempt(() => readManifest(folder, release()))
  // A service that runs is named first: its directory is not empty either.
  const { storage } = await attempt(() => takeDataDir(dataDir))
  if (!isUnused(storage))
    fail(
      `${storage} is not empty: a backup is restored into an empty directory. Move what is there away, or choose another DATA_DIR`,
    )
  const differing = await differencesFrom(manifest, folder)
  if (differing.length > 0) fail(...differing.map((one) => `${resolve(folder)}: ${one}; nothing was restored`))
  placeBackup(manifest, folder, storage)
  const { tasks, rows, failed } = await replayAll(storage)
  console.log(
    `${storage}: ${manifest.files.length} files of ${manifest.made_at}; ${tasks} journals with ${rows} rows, ${failed.length} of them not equal`,
  )
  for (const one of failed) console.error(`error: ${one}`)
  await placeAlarms(storage)
  const unmade = tasks === 0 ? 0 : await rebuildIndexes({ storage, bindings })
  process.exit(failed.length + unmade === 0 ? 0 : 1)
}

async function attempt(act) {
  try {
    return await act()
  } catch (error) {
    return fail(error.message)
  }
}

function fail(...reasons) {
  for (const reason of reasons) console.error(`error: ${reason}`)
  process.exit(1)
}
