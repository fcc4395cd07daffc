/**
 * `npm run backup -- FOLDER`: copies DATA_DIR into a new folder, also while the service runs (docs/deploy/docker.md). Prints one line. Exit 1 where it
 * could not be made, or where a file of a task was replaced each time that it was copied.
 */
import { NODE, become, readsTypeScript } from './lib/node.mjs'

if (readsTypeScript) await main(process.argv.slice(2))
else if (NODE !== process.execPath) become(NODE, [import.meta.filename, ...process.argv.slice(2)])
else fail('Node 22.18 or newer is needed, or the one that npm ci installs here')

async function main([to, ...more]) {
  if (to === undefined || more.length > 0 || to.startsWith('-'))
    fail('usage: npm run backup -- FOLDER   (a folder that is not there yet; DATA_DIR names the data)')
  process.umask(0o077)
  const { makeBackup } = await import('./lib/backup/make-backup.mjs')
  const { release } = await import('./lib/backup/release.mjs')
  const dataDir = process.env.DATA_DIR || '.data'
  const manifest = await makeBackup({ dataDir, to, facts: release() }).catch((error) => fail(error.message))
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
  console.log(`${to}: ${manifest.tasks} tasks, ${manifest.files.length} files, ${(bytes / 1e6).toFixed(1)} MB`)
  for (const { task, file } of manifest.missing)
    console.error(
      `error: ${file} of ${task} was replaced each time that it was copied, and is not in the backup: make another one`,
    )
  process.exit(manifest.missing.length === 0 ? 0 : 1)
}

function fail(reason) {
  console.error(`error: ${reason}`)
  process.exit(1)
}
