/**
 * Holds the layout of `src` to its bounds: how many files stand side by side, that nothing imports itself in a circle, how exports are named,
 * and that each is needed. Type-only imports count, because an interface that names everything ties a folder together as firmly as a value does.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { ROOT } from './lib/node.mjs'

/** Each with the most that is allowed. */
const BOUNDS = {
  'files in one folder': 20,
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
const IMPORT = /^(?:import|export)\b[^'"]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm
const EXPORT = /^export (?:async |abstract )?(?:const|function\*?|class|interface|type) (\w+)/gm
const IRREGULAR = 'told said kept taken found made seen heard known begun shown written sought earlier here turn chosen'
const BARE = new RegExp(`^(?:${IRREGULAR.split(' ').map(anyCase).join('|')}|[A-Z]?[a-z]+ed)$`)
const NOUNS = /^(?:seed|need|feed|speed|embed)$/i

const files = globSync('**/*.{ts,tsx}', { cwd: SOURCE }).map((file) => file.split(sep).join('/'))
const texts = new Map(files.map((file) => [file, readFileSync(join(SOURCE, file), 'utf8')]))
const imports = new Map(files.map((file) => [file, importsOf(file)]))

function importsOf(file) {
  const found = [...texts.get(file).matchAll(IMPORT)].map(([, from, lazy]) => join(dirname(file), from ?? lazy))
  return new Set(
    found.map((target) => target.split(sep).join('/')).filter((target) => target !== file && texts.has(target)),
  )
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

/** Groups of nodes that reach each other. What neither imports nor is imported by one that is left is taken away first. */
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

const importers = new Map(files.map((file) => [file, 0]))
for (const targets of imports.values()) for (const target of targets) importers.set(target, importers.get(target) + 1)

const filesIn = (folder) => files.filter((file) => (file.includes('/') ? dirname(file) : '') === folder)
const fullest = folders.toSorted((one, other) => filesIn(other).length - filesIn(one).length)[0]
const found = {
  'files in one folder': filesIn(fullest),
  'circles of files': circlesIn(imports).map((group) => group.join(', ')),
  'circles of rooms': folders.flatMap((folder) =>
    circlesIn(roomsOf(folder)).map((group) => `${folder || 'src'}: ${group.join(', ')}`),
  ),
  'exports named by a bare participle or adverb': [...names.keys()].filter(
    (name) => BARE.test(name) && !NOUNS.test(name),
  ),
  'names exported by three files or more': [...names].filter(([, where]) => where.length > 2).map(([name]) => name),
  'files under 30 lines that one file imports': files.filter(
    (file) => importers.get(file) === 1 && texts.get(file).split('\n').length < 30,
  ),
}

/** What is called from outside by its name or its place: the Workers, the page, and what the sandbox compiles into its runtime. */
const ENTRIES = /^(?:index|compute\/(?:index|absent|local)|console\/main|sandbox\/kit\/[\w-]+)\.tsx?$/

/** Files outside `src` that import from it. */
const outside = ['test', 'bench', 'scripts', 'mutation'].flatMap((folder) =>
  globSync('**/*.{ts,tsx,mjs}', { cwd: join(ROOT, folder), exclude: (name) => name === 'node_modules' }).map((file) => {
    const text = readFileSync(join(ROOT, folder, file), 'utf8')
    const targets = [...text.matchAll(/['"](\.[^'"\n]+\.tsx?)(?:\?\w+)?['"]/g)]
    const base = join(ROOT, folder, dirname(file))
    return { text, targets: new Set(targets.map(([, to]) => relative(SOURCE, join(base, to)).split(sep).join('/'))) }
  }),
)

function unneededIn(file) {
  const readers = [
    ...files.filter((one) => imports.get(one).has(file)).map((one) => texts.get(one)),
    ...outside.filter(({ targets }) => targets.has(file)).map(({ text }) => text),
  ]
  const exported = [...new Set([...texts.get(file).matchAll(EXPORT)].map(([, name]) => name))]
  return exported
    .filter((name) => !readers.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
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
