/** docs/contributing/requirements.md is held to what it says: every id once, and behind every "done" a test of that id. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Row {
  id: string
  sentence: string
  state: string
  file: string
  title: string
}
/** What an open requirement waits for. */
const WAITS = [
  'money and token budgets',
  'idempotency keys',
  'queued events',
  'hang-ups of callers',
  'a second stored version',
  'performance figures',
  'background drive and webhooks',
  'approvals',
  'mode dynamic',
  'mode session',
  'mode autonomous',
  'console',
]
const STATE = new RegExp(`^(?:done|open: (?:${WAITS.join('|')})|dead|process|later)$`)
const page = readFileSync('docs/contributing/requirements.md', 'utf8')
const rows = page.split('\n').flatMap((line): Row[] => {
  const [, cell = '', sentence = '', state = '', test = ''] = line.split('|').map((one) => one.trim())
  const id = /^\[(\w+)\]/.exec(cell)?.[1] ?? cell
  if (!/^(?:[SOR]?\d|[SO]\d-\d|[RDTUPF]\d|[A-Z]{2,}-\d)/.test(id)) return []
  const [, file = '', title = ''] = /^`(.+)` › (.+)$/.exec(test) ?? []
  return [{ id, sentence, state, file, title }]
})
const PAGES = {
  U: 'docs/contributing/decisions/000-rulings.md',
  P: 'docs/contributing/protocol.md',
  F: 'docs/contributing/failures.md',
}
const headings = (text: string) => [...text.matchAll(/^### (\w+)$/gm)].map(([, id = '']) => id)
/** The rows of the page of failures: their ids, and the tests they name with the beginning of a title, if any. */
const FAILURES = readFileSync(PAGES.F, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, ids = '', , , tests = ''] = line.split('|').map((cell) => cell.trim())
    if (!/^F\d/.test(ids)) return []
    const named = [...tests.matchAll(/`((?:test|scripts)\/[^`]+)`(?: › ([^,`|]+))?/g)]
    return [{ ids: ids.split(' '), tests: named.map(([, file = '', title = '']) => ({ file, title: title.trim() })) }]
  })
const done = rows.filter((row) => row.state === 'done')
const two = (n: number) => String(n).padStart(2, '0')
const series = (prefix: string, last: number, show = two) =>
  Array.from({ length: last }, (_, index) => `${prefix}${show(index + 1)}`)

/** `S1-08…S1-11` stands for each id between. */
function idsOf({ id }: Row): string[] {
  const [from = '', to = from] = id.split('…')
  const [, prefix = ''] = /^(.*?)\d+$/.exec(from) ?? []
  if (from === to) return [id]
  return series(prefix, Number(to.slice(prefix.length))).slice(Number(from.slice(prefix.length)) - 1)
}

/** Titles of tests and groups, and the first texts of table rows, which become titles. */
const TITLE = /(?:\b(?:it|describe)\(|\)\(|\[)\s*(['"`])((?:\\.|(?!\1).)*)\1/gs
const titles = new Map<string, string[]>()
function titlesOf(file: string): string[] {
  const known = titles.get(file)
  if (known !== undefined) return known
  const found = [...readFileSync(file, 'utf8').matchAll(TITLE)].map((match) => match[2] ?? '')
  titles.set(file, found)
  return found
}

/** Whether a title names the id itself. */
function names(title: string, id: string): boolean {
  return new RegExp(`(?<![\\w.-])${id.replaceAll('.', '\\.')}(?![\\w.-])`).test(title)
}

/** Every ruling, sentence of the protocol and failure that code, tests and documents cite, with its place. */
function citations(): [string, string][] {
  const files = ['src', 'test', 'bench', 'scripts', 'docs'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => `${root}/${name}`),
  )
  return files
    .filter(
      (file) => /\.(?:tsx?|mjs|md)$/.test(file) && !file.startsWith('test/fixtures/') && !file.includes('/offline-'),
    )
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?<![\w.-])[UPF][1-9]\d?(?![\w"-])/g)].map(([id]): [string, string] => [
        file,
        id,
      ]),
    )
}

describe('docs/contributing/requirements.md', () => {
  it.each([
    ['S0', series('S0-', 99)],
    ['O0', series('O0-', 18)],
    ['R', series('R', 28, String)],
    ['D', series('D', 7, String)],
    ['the worked traces', series('T', 10, String)],
    ['S1', series('S1-', 66)],
    ['O1', series('O1-', 10)],
    ['S2', series('S2-', 24)],
    ['O2', series('O2-', 9)],
    ['S3', series('S3-', 40)],
    ['O3', series('O3-', 6)],
    ['S4', series('S4-', 31)],
    ['O4', series('O4-', 12)],
    ['the protocol', series('P', 20, String)],
    ['MCP servers', series('MCP-', 15)],
    ['trials of tools', series('TT-', 8)],
    ['tenants and keys', series('KEY-', 17)],
    ['operating', series('OPS-', 14)],
  ])('every id of %s has exactly one row, in order', (_name, ids) => {
    const wanted = new Set(ids)
    expect(rows.flatMap(idsOf).filter((id) => wanted.has(id))).toEqual(ids)
  })

  it('every command section has a row, and no row has an id nobody knows', () => {
    const named = rows.map((row) => row.id).filter((id) => !/^(?:[SORDTUPF]|[A-Z]+-)/.test(id))
    expect(new Set(named)).toEqual(new Set(series('2.', 6, String)))
  })

  it.each([
    ['U', headings(readFileSync(PAGES.U, 'utf8'))],
    ['P', headings(readFileSync(PAGES.P, 'utf8'))],
    ['F', FAILURES.flatMap(({ ids }) => ids)],
  ])('each id of %s has a row here and is told on its own page', (letter, told) => {
    const listed = rows.map((row) => row.id).filter((id) => new RegExp(`^${letter}\\d`).test(id))
    expect(new Set(listed)).toEqual(new Set(told))
  })

  it('each ruling, sentence of the protocol or failure that is cited has a row', () => {
    const known = new Set(rows.map((row) => row.id))
    const unknown = citations().filter(([, id]) => !known.has(id))
    expect(unknown).toEqual([])
  })

  it.each(rows)('$id has a sentence, a known state, and a test only when it is done', (row) => {
    expect(row.sentence).toMatch(/^\S.+\.\)?$/)
    expect(row.state).toMatch(STATE)
    expect(row.title !== '').toBe(row.state === 'done')
  })

  it.each(done)('$id is held by $file', ({ id, file, title }) => {
    expect(existsSync(file), `${file} exists`).toBe(true)
    const found = titlesOf(file).filter((one) => one.startsWith(title))
    expect(found, `titles that begin with "${title}"`).not.toEqual([])
    expect(found.filter((one) => names(one, id))).toEqual(found)
  })
})

it.each(FAILURES.flatMap(({ tests }) => tests))(
  'docs/contributing/failures.md names $file › $title, which is there',
  (test) => {
    expect(existsSync(test.file), `${test.file} exists`).toBe(true)
    if (test.title === '') return
    expect(
      titlesOf(test.file).filter((one) => one.startsWith(test.title) || one.includes(` ${test.title}`)),
    ).not.toEqual([])
  },
)

it('S0-80 helpers of tests are no part of the product: nothing in src knows test/ or a package for tests', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  expect(sources.length).toBeGreaterThan(50)
  const leaning = sources.filter((file) =>
    /from '(?:[^']*\/test\/|vitest|fast-check|miniflare)/.test(readFileSync(`src/${file}`, 'utf8')),
  )
  expect(leaning).toEqual([])
})
