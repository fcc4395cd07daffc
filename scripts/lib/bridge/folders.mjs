/** The folders that a bridge and an agent share. Files are written into them completely, and never through a link. */
import { join } from 'node:path'

/** The places of a bridge under its directory, in the order in which they are made. */
const PLACES = [
  'commands',
  'commands/pending',
  'commands/processed',
  'reports',
  'reports/pending',
  'reports/processed',
  '.bridge',
]

const LINKED = { code: 'folder_linked' }

/** Makes what is missing. Paths of the four folders and of the bridge's own, `state`; throws when one of them is a link. */
export async function openFolders(fs, dir) {
  await fs.mkdir(dir, { recursive: true })
  const root = await fs.realpath(dir)
  for (const place of PLACES) {
    const path = join(root, place)
    await fs.mkdir(path).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
    await checkFolder(fs, path)
  }
  return {
    root,
    commands: { pending: join(root, 'commands/pending'), processed: join(root, 'commands/processed') },
    reports: { pending: join(root, 'reports/pending'), processed: join(root, 'reports/processed') },
    state: join(root, '.bridge'),
  }
}

/** An agent that writes here may have been tricked into replacing a folder by a link. */
export async function checkFolder(fs, path) {
  for (const folder of [join(path, '..'), path])
    if (!(await fs.lstat(folder)).isDirectory())
      throw Object.assign(new Error(`${folder} is not a folder of its own; the bridge follows no links`), LINKED)
}

/** Whether the disk is the reason, which may be repaired while the bridge runs. */
export function isOfDisk(error) {
  return error.syscall !== undefined || error.code === LINKED.code
}

/** The file is written under a name that begins with a dot and then renamed, so that no reader sees half of it. */
export async function writeWhole(fs, folder, name, content) {
  await checkFolder(fs, folder)
  const temporary = temporaryOf(folder, name)
  await fs.rm(temporary, { force: true })
  // With wx we create the file ourselves, so it is not a link.
  const file = await fs.open(temporary, 'wx')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await fs.rename(temporary, join(folder, name))
}

export function temporaryOf(folder, name) {
  return join(folder, `.${name}.tmp`)
}

/** Returns whether there was a file to move. */
export async function move(fs, from, to) {
  try {
    await fs.rename(from, to)
    return true
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

export async function isThere(fs, path) {
  return (await statOf(fs, path)) !== null
}

/** The state of the entry itself and not of the target of a link; null if nothing has this name. */
export async function statOf(fs, path) {
  try {
    return await fs.lstat(path, { bigint: true })
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  }
}
