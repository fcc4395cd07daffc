/** The list of seeded bugs is held to the sources of today, and kept away from what is deployed. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { transformSync } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { BUGS } from './bugs.ts'
import { seedBug, type SeededBug } from './seeded-bug.ts'

const run = promisify(execFile)
const BUILD_MS = 120_000
/** It reaches the bundle, and is seen in it although that is minified. */
const SEEN = 'key-forgotten-early'
const ELSEWHERE = join('.wrangler', 'seeded', SEEN)

const sourceOf = ({ file }: SeededBug) => readFileSync(file, 'utf8')
const codeOf = (source: string) => transformSync(source, { loader: 'ts', minifyWhitespace: true }).code

describe('seeded bugs', () => {
  it('are at least 24, each with a name and a promise of its own', () => {
    expect(BUGS.length).toBeGreaterThanOrEqual(24)
    expect(new Set(BUGS.map(({ name }) => name)).size).toBe(BUGS.length)
    for (const { name, law } of BUGS) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(law).not.toBe('')
    }
  })

  it.each(BUGS.map((bug): [string, SeededBug] => [bug.name, bug]))(
    '%s is found once in the source of today, and what comes of it is another program',
    (_name, bug) => {
      const source = sourceOf(bug)
      expect(bug.file).toMatch(/^src\/.+\.ts$/)
      expect(codeOf(seedBug(bug, source))).not.toBe(codeOf(source))
    },
  )

  it('a piece that is not there, is there twice, or is replaced by itself is refused', () => {
    const bug = { name: 'x', law: 'x', file: 'x.ts', find: 'a', replace: 'b' }
    expect(() => seedBug(bug, 'c')).toThrow('found 0 times')
    expect(() => seedBug(bug, 'a a')).toThrow('found 2 times')
    expect(() => seedBug({ ...bug, find: '' }, '')).toThrow('found')
    expect(() => seedBug({ ...bug, replace: 'a' }, 'a')).toThrow('nothing changes')
    expect(seedBug(bug, 'c a c')).toBe('c b c')
  })
})

describe('the bundle', () => {
  const build = (SEEDED_BUG: string) =>
    run(process.execPath, ['scripts/build.mjs'], { env: { ...process.env, SEEDED_BUG } })
  const scriptsIn = (directory: string) =>
    readdirSync(directory)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(directory, name), 'utf8'))
      .join('\n')
  afterAll(() => rmSync(ELSEWHERE, { recursive: true, force: true }))

  it(
    'knows of no seeded bug, and one that is built with a bug lies elsewhere',
    async () => {
      rmSync(ELSEWHERE, { recursive: true, force: true })
      await build('')
      const [manifest, clean] = [readFileSync('dist/manifest.json', 'utf8'), scriptsIn('dist')]
      expect(clean.length).toBeGreaterThan(100_000)
      expect(clean).not.toMatch(/SEEDED_(?:BUG|LOG)|seeded-bug/)
      await build(SEEN)
      expect(scriptsIn(ELSEWHERE)).not.toBe(clean)
      expect(scriptsIn('dist')).toBe(clean)
      expect(readFileSync('dist/manifest.json', 'utf8')).toBe(manifest)
    },
    BUILD_MS,
  )

  it(
    'is not built at all with a bug that nobody knows',
    async () => {
      await expect(build('no-such-bug')).rejects.toThrow('there is no seeded bug')
      expect(existsSync(join('.wrangler', 'seeded', 'no-such-bug'))).toBe(false)
    },
    BUILD_MS,
  )
})
