/** What a browser has to load before it sees anything is held small: page, script and style of the console as they are served. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const PUBLIC = join(import.meta.dirname, '../../public')
const MAX_BYTES = 150 * 1024

it('the page of the console and all that it loads are at most 150 kB gzipped', () => {
  const page = readFileSync(join(PUBLIC, 'index.html'), 'utf8')
  const files = readdirSync(join(PUBLIC, 'console'))
  // Nothing else is there to be loaded later: what is measured is all of it.
  expect(files.map((name) => name.replace(/^main-\w+/, 'main')).toSorted()).toEqual(['main.css', 'main.js'])
  expect(files.every((name) => page.includes(`/console/${name}`))).toBe(true)
  const sizes = [page, ...files.map((name) => readFileSync(join(PUBLIC, 'console', name)))].map(
    (content) => gzipSync(content).length,
  )
  expect(Math.min(...sizes)).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES)
})
