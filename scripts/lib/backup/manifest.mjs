/** What a backup says of itself: who made it and when, and each file with its size and digest. It is written last, so a backup without it is not whole. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export const MANIFEST = 'manifest.json'
/** The number of this form of a backup. */
const FORMAT = 1

/** `files`: their paths from the folder of the data. `missing`: files of tasks that were removed while they were copied. */
export async function writeManifest(folder, { files, ...facts }) {
  const listed = []
  for (const path of files.toSorted()) listed.push({ path, ...(await digestOf(join(folder, 'data', path))) })
  const manifest = { format: FORMAT, ...facts, files: listed }
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 })
  return manifest
}

/** Throws one sentence where it is no backup, or one that this release cannot restore. */
export function readManifest(folder, { release, schema_version }) {
  const path = join(folder, MANIFEST)
  if (!existsSync(path))
    throw new Error(
      `${folder} is no backup: it has no ${MANIFEST}, which is written last. Name a folder that npm run backup finished`,
    )
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  if (manifest.format !== FORMAT)
    throw new Error(
      `${folder} has format ${manifest.format}; this release restores format ${FORMAT}: use the release that made it (${manifest.release})`,
    )
  if (manifest.schema_version > schema_version)
    throw new Error(
      `${folder} was made by a newer release (${manifest.release}, rows of version ${manifest.schema_version}); ` +
        `this is ${release}, which reads rows up to version ${schema_version}: restore it with that release or a later one`,
    )
  return manifest
}

/** One sentence for each file that is not as the manifest says. */
export async function differencesFrom({ files }, folder) {
  const found = []
  for (const { path, bytes, sha256 } of files) {
    const at = join(folder, 'data', path)
    if (!existsSync(at)) found.push(`${path} is missing`)
    else {
      const now = await digestOf(at)
      if (now.bytes !== bytes || now.sha256 !== sha256) found.push(`${path} has changed since the backup was made`)
    }
  }
  return found
}

async function digestOf(path) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return { bytes: statSync(path).size, sha256: hash.digest('hex') }
}
