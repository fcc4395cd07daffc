/** The bundles and scripts of another commit, built in a folder of its own beside nothing of ours but the installed packages. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NODE, ROOT } from '../node.mjs'

/** Answers `{ commit, folder, version, schema_version, remove }`. The folder has the layout of a checkout, with `dist` and `public`. */
export function buildRelease(name) {
  const git = (...args) => execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' }).trim()
  const commit = git('rev-parse', '--verify', `${name}^{commit}`)
  const folder = mkdtempSync(join(tmpdir(), 'loop-agent-release-'))
  const remove = () => {
    git('worktree', 'remove', '--force', folder)
    rmSync(folder, { recursive: true, force: true })
  }
  git('worktree', 'add', '--detach', '--force', folder, commit)
  try {
    installIn(folder)
    for (const script of ['assets', 'build'])
      execFileSync(NODE, [join(folder, `scripts/${script}.mjs`)], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const [, schema] = /SCHEMA_VERSION = (\d+)/.exec(readFileSync(join(folder, 'src/core/terms/head.ts'), 'utf8')) ?? []
    return { commit, folder, version, schema_version: Number(schema), remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** The packages of this checkout do where both lock files name the same versions. */
function installIn(folder) {
  if (versionsIn(folder) === versionsIn(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  else
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
}

function versionsIn(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const versions = Object.entries(packages).flatMap(([path, { version }]) => (path === '' ? [] : `${path} ${version}`))
  return versions.toSorted().join('\n')
}
