/**
 * Holds the layout of `src` to its bounds: how many files stand side by side, who imports whom, that nothing imports itself in a circle, how
 * exports are named, and that each is needed. Type-only imports count, because an interface that names everything ties a folder together as firmly as a value does.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { mayImport, mayImportPackage, withoutRow } from './lib/import-rules.mjs'
import { importsIn } from './lib/imports.mjs'
import { ROOT } from './lib/node.mjs'

/** The bounds, each with its maximum. */
const BOUNDS = {
  'files in one folder': 20,
  'imports that scripts/lib/import-rules.mjs does not allow': 0,
  'circles of files': 0,
  'circles of rooms': 0,
  'exports named by a bare participle or adverb': 10,
  'names exported by three files or more': 15,
  'files under 30 lines that one file imports': 10,
  'exports that no other file names': 0,
}

/** `told` or `Told`. */
function anyCase(word) {
  return `[${word[0].toUpperCase()}${word[0]}]${word.slice(1)}`
}

const SOURCE = join(ROOT, 'src')
const EXPORT = /^export (?:async |abstract )?(?:const|function\*?|class|interface|type) (\w+)/gm
const IRREGULAR = 'told said kept taken found made seen heard known begun shown written sought earlier here turn chosen'
const BARE = new RegExp(`^(?:${IRREGULAR.split(' ').map(anyCase).join('|')}|[A-Z]?[a-z]+ed)$`)
const NOUNS = /^(?:seed|need|feed|speed|embed)$/i

const files = globSync('**/*.{ts,tsx}', { cwd: SOURCE }).map((file) => file.split(sep).join('/'))
const texts = new Map(files.map((file) => [file, readFileSync(join(SOURCE, file), 'utf8')]))
/** The imports of each file. `target`: the file that is imported, from `src`. null: a package, or a file outside of `src`. */
const statements = new Map(
  files.map((file) => [file, importsIn(texts.get(file)).map((one) => ({ ...one, target: targetOf(file, one.to) }))]),
)
const imports = new Map(
  files.map((file) => [file, new Set(statements.get(file).flatMap(({ target }) => target ?? []))]),
)

function targetOf(file, to) {
  const target = join(dirname(file), to).split(sep).join('/')
  return to.startsWith('.') && target !== file && texts.has(target) ? target : null
}

function isAllowed(file, { to, target, is_type }) {
  if (target !== null) return mayImport(file, target, is_type)
  return to.endsWith('.css') || mayImportPackage(file, to)
}

const foldersOf = (file) => {
  const parts = dirname(file).split('/')
  return file.includes('/') ? ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))] : ['']
}
const folders = [...new Set(files.flatMap(foldersOf))]

/** A room is a child of a folder: a file, or a folder with all that is in it. */
const roomIn = (folder, file) => relative(folder, file).split(sep)[0]
const isIn = (folder, file) => folder === '' || file.startsWith(`${folder}/`)

function roomsOf(folder) {
  const rooms = new Map()
  for (const file of files.filter((one) => isIn(folder, one))) {
    const from = roomIn(folder, file)
    const next = rooms.get(from) ?? new Set()
    rooms.set(from, next)
    for (const target of imports.get(file)) if (isIn(folder, target)) next.add(roomIn(folder, target))
    next.delete(from)
  }
  return rooms
}

/** Finds groups of nodes that reach each other. Nodes without an import, or without an importer, are removed first. */
function circlesIn(graph) {
  const left = new Map([...graph].map(([node, next]) => [node, new Set(next)]))
  const leave = (node) => {
    left.delete(node)
    for (const next of left.values()) next.delete(node)
  }
  const isImported = (node) => [...left.values()].some((next) => next.has(node))
  for (let before = -1; before !== left.size;) {
    before = left.size
    for (const [node, next] of left) if (next.size === 0 || !isImported(node)) leave(node)
  }
  const groups = []
  for (const node of left.keys()) {
    if (!left.has(node)) continue
    const below = reach(node, left)
    const group = [...below].filter((other) => reach(other, left).has(node))
    if (group.length > 0) groups.push(group)
    for (const one of [node, ...group]) leave(one)
  }
  return groups.filter((group) => group.length > 1)
}

function reach(start, graph) {
  const seen = new Set()
  const open = [start]
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const next of graph.get(node) ?? []) if (!seen.has(next)) open.push((seen.add(next), next))
  return seen
}

const names = new Map()
for (const [file, text] of texts)
  for (const name of new Set([...text.matchAll(EXPORT)].map(([, found]) => found)))
    names.set(name, [...(names.get(name) ?? []), file])

const importers = new Map(files.map((file) => [file, []]))
for (const [file, targets] of imports) for (const target of targets) importers.get(target).push(file)

/** A tool or a search provider has its own file, however short, and a line in one of these registries. */
const REGISTRIES = new Set(['tools/index.ts', 'search/index.ts'])
/** Whether exactly one other file imports this one, and that file is no registry. */
const isForOne = (file) => importers.get(file).length === 1 && !REGISTRIES.has(importers.get(file)[0])

const filesIn = (folder) => files.filter((file) => (file.includes('/') ? dirname(file) : '') === folder)
const fullest = folders.toSorted((one, other) => filesIn(other).length - filesIn(one).length)[0]
const found = {
  'files in one folder': filesIn(fullest),
  'imports that scripts/lib/import-rules.mjs does not allow': [
    ...withoutRow(files).map((file) => `${file} has no row`),
    ...files.flatMap((file) =>
      statements
        .get(file)
        .filter((one) => !isAllowed(file, one))
        .map(({ to }) => `${file} imports ${to}`),
    ),
  ],
  'circles of files': circlesIn(imports).map((group) => group.join(', ')),
  'circles of rooms': folders.flatMap((folder) =>
    circlesIn(roomsOf(folder)).map((group) => `${folder || 'src'}: ${group.join(', ')}`),
  ),
  'exports named by a bare participle or adverb': [...names.keys()].filter(
    (name) => BARE.test(name) && !NOUNS.test(name),
  ),
  'names exported by three files or more': [...names].filter(([, where]) => where.length > 2).map(([name]) => name),
  'files under 30 lines that one file imports': files.filter(
    (file) => isForOne(file) && texts.get(file).split('\n').length < 30,
  ),
}

/** Exports that are used from outside by name or path: the Workers, the page, and the modules that the sandbox compiles into its runtime. */
const ENTRIES = /^(?:index|compute\/(?:index|absent|local)|console\/main|sandbox\/kit\/[\w-]+)\.tsx?$/

/** What files outside `src` import from it. */
const outside = ['test', 'bench', 'scripts', 'mutation'].flatMap((folder) =>
  globSync('**/*.{ts,tsx,mjs}', { cwd: join(ROOT, folder), exclude: (name) => name === 'node_modules' }).flatMap(
    (file) => {
      const base = join(ROOT, folder, dirname(file))
      const text = readFileSync(join(ROOT, folder, file), 'utf8')
      return importsIn(text).map(({ to, names }) => {
        const target = relative(SOURCE, join(base, to.replace(/\?\w+$/, '')))
        return { target: target.split(sep).join('/'), names, text }
      })
    },
  ),
)

const inside = files.flatMap((file) => statements.get(file).map((one) => ({ ...one, text: texts.get(file) })))

/** An import of a whole module names what its file mentions anywhere. */
function unneededIn(file) {
  const readers = [...inside, ...outside].filter(({ target }) => target === file)
  const exported = [...new Set([...texts.get(file).matchAll(EXPORT)].map(([, name]) => name))]
  return exported
    .filter((name) => !readers.some((one) => one.names?.includes(name) ?? new RegExp(`\\b${name}\\b`).test(one.text)))
    .map((name) => `${name} of ${file}`)
}
found['exports that no other file names'] = files.filter((file) => !ENTRIES.test(file)).flatMap(unneededIn)

const over = Object.entries(found).filter(([what, { length }]) => length > BOUNDS[what])
for (const [what, list] of over)
  console.error(`${what}: ${list.length}, and at most ${BOUNDS[what]} are allowed\n  ${list.join('\n  ')}`)
console.log(
  Object.entries(found)
    .map(([what, { length }]) => `${what}: ${length}`)
    .join(' · '),
)
process.exit(over.length > 0 ? 1 : 0)
