/**
 * Fills `public/`: the contract in both notations, its readable page with the viewer it needs, so that /docs works without a network, and
 * the console, bundled.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { bundleConsole } from './console.mjs'
import { ROOT } from './node.mjs'

const PUBLIC = join(ROOT, 'public')

/** Files below a directory, as paths relative to it, in a stable order. */
export function filesBelow(directory) {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(directory, name)).isFile())
    .toSorted()
}

/** The required content of `public/`, by path. */
async function wanted() {
  const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const contract = readFileSync(join(ROOT, 'openapi.yaml'))
  const page = join(ROOT, 'docs-page')
  return new Map([
    ['openapi.yaml', contract],
    ['openapi.json', Buffer.from(`${JSON.stringify(parse(contract.toString('utf8')))}\n`)],
    ...['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) => [join('docs', name), readFileSync(join(viewer, name))]),
    ...filesBelow(page).map((name) => [name, readFileSync(join(page, name))]),
    ...(await bundleConsole()),
  ])
}

/** Writes changed files and removes unknown ones; an unchanged file keeps its time, so that no watcher wakes up. */
export async function buildAssets() {
  const files = await wanted()
  for (const name of filesBelow(PUBLIC)) if (!files.has(name)) rmSync(join(PUBLIC, name))
  for (const [name, content] of files) {
    const path = join(PUBLIC, name)
    if (existsSync(path) && readFileSync(path).equals(content)) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}
