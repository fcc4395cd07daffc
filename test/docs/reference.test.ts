/** The reference pages name everything that the code has: routes, settings and variables. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { curlOf } from '../../src/console/api/request.ts'
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

/** How pages and console write curl: the address, the whole header with the key, and the type of JSON are variables. */
const VARIABLES = "URL=http://127.0.0.1:8787 KEY='authorization: Bearer dev-key' JSON='content-type: application/json'"
const CURL_PAGES = ['README.md', 'docs/agents.md', 'docs/schedules.md', 'docs/workers.md']

describe('curl', () => {
  it.each(CURL_PAGES)('U53 %s sets the variables of all pages, and uses them', (page) => {
    const text = readFileSync(page, 'utf8')
    expect(text).toContain(`${VARIABLES}\n`)
    const lines = text.split('\n').filter((line) => /^(?:ID=\$\()?curl /.test(line))
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) {
      expect(line).toContain('-H "$KEY"')
      expect(line).not.toMatch(/-H '(?:authorization|[A-Z]|content-type: application\/json)/)
    }
  })

  it('U53 the console uses the same variable of the key', () => {
    expect(curlOf({ method: 'GET', path: '/tasks' }, 'http://127.0.0.1:8787')).toBe(
      `curl -sSg -H "$KEY" 'http://127.0.0.1:8787/tasks'`,
    )
  })
})
