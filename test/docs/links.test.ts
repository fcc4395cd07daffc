/** The pages of the project: every link between them leads somewhere, and pages for users name nothing internal. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const markdown = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
const PAGES = [
  'README.md',
  'AGENTS.md',
  'runner/README.md',
  'clients/python/README.md',
  'clients/typescript/README.md',
  ...markdown('docs'),
]
const USER_PAGES = PAGES.filter((page) => page !== 'AGENTS.md' && !page.startsWith('docs/contributing/'))

/** The anchors of a page: its headings, as GitHub turns them into names. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#{1,6} (.+)$/gm)
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}

/** The links of a page that lead to files or headings of this repository. */
function linksOf(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/```.*?```/gs, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to).filter((to) => !/^(?:[a-z]+:|\/)/.test(to))
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(target)) return true
  return anchor !== undefined && !anchorsOf(target).includes(anchor)
}

it.each(PAGES)('each link of %s leads to a file and a heading that exist', (page) => {
  expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([])
})

it.each(USER_PAGES)('%s is a page for users: it cites no requirement id and no test', (page) => {
  const text = readFileSync(page, 'utf8')
  // R2 and D1 are also products: the store of files and the database on Cloudflare.
  const ids = text.replaceAll(/\b(?:R2|D1)\b/g, '').match(/(?<![\w.-])(?:[SO]\d-\d\d|[RDTUPF]\d{1,2})(?![\w"-])/g) ?? []
  expect([...ids, ...(text.match(/`test\/[^`]*`/g) ?? [])]).toEqual([])
})

it.each(PAGES)('each path of this repository that %s names is there', (page) => {
  const named =
    readFileSync(page, 'utf8').match(/`(?:src|test|scripts|bench|runner|mutation|clients)\/[\w./-]*`/g) ?? []
  expect(named.map((path) => path.slice(1, -1)).filter((path) => !existsSync(path))).toEqual([])
})
