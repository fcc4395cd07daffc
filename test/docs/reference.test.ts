/** The reference pages name everything that the code has: routes, settings and variables. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Settings } from '../../src/core/terms/settings.ts'
import { ROUTES } from '../../src/http/contract.ts'

const read = (page: string) => readFileSync(`docs/${page}.md`, 'utf8')

it('docs/api.md names each path of the contract', () => {
  const page = read('api')
  const paths = Object.values(ROUTES).map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1'))
  expect(paths.filter((path) => !page.includes(`${path}\``))).toEqual([])
})

it('docs/configuration.md or docs/modes.md names each setting of a task', () => {
  const pages = read('configuration') + read('modes')
  const names: string[] = Settings.keyof().options
  expect(names.filter((name) => !pages.includes(`\`${name}`))).toEqual([])
})

it('docs/configuration.md names each variable that wrangler.toml lists', () => {
  const listed = /Configuration, all optional[\s\S]*?\n\n/.exec(readFileSync('wrangler.toml', 'utf8'))?.[0] ?? ''
  const variables = [...new Set(listed.match(/\b[A-Z]+_[A-Z_]+\b|\b(?:TIMEZONE|ENVIRONMENT)\b/g))]
  expect(variables.length).toBeGreaterThan(20)
  expect(variables.filter((name) => !read('configuration').includes(`\`${name}\``))).toEqual([])
})

it('docs/glossary.md explains each word once, in alphabetical order', () => {
  const words = [...read('glossary').matchAll(/^\| ([a-z][^|]*?) +\|/gm)]
    .map(([, word = '']) => word)
    .filter((word) => word !== 'word')
  expect(words.length).toBeGreaterThan(50)
  expect(words).toEqual([...new Set(words)].sort((a, b) => a.localeCompare(b, 'en')))
})
