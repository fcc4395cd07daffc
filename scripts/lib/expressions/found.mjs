/** The regular expressions of the sources: those that are written down, and those that a module makes as it is loaded. */
import { parse } from 'acorn'
import { build, transform } from 'esbuild'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * @typedef {{file: string, line: number, source: string, flags: string}} Expression
 * @typedef {{file: string, line: number}} Place
 */

/**
 * The literals of one file; how many places make expressions with `RegExp` (`made`); and where a text becomes an expression `unseen`, in a method of
 * texts or by another name than `RegExp`.
 */
export async function expressionsIn(file, text) {
  const { literals, calls, unseen } = await readSource(file, text)
  return { literals, made: calls.length, unseen }
}

/** The file as JavaScript; `calls` are the places where `RegExp` is called, each with the range of its name in `code`. */
async function readSource(file, text) {
  const loader = file.endsWith('.tsx') ? 'tsx' : file.endsWith('.ts') ? 'ts' : 'js'
  const { code, map } = await transform(text, { ...PLAIN, loader, sourcefile: file })
  const lines = new SourceMap(JSON.parse(map))
  const placeOf = ({ loc: { start } }) => ({
    file,
    line: lines.findEntry(start.line - 1, start.column).originalLine + 1,
  })
  const found = { code, literals: [], calls: [], unseen: [] }
  // These are the places where the name is called or only compared.
  const known = new Set()
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true, locations: true }), (node) => {
    const { type, callee } = node
    if (type === 'Literal' && node.regex !== undefined) {
      const { pattern, flags } = node.regex
      found.literals.push({ ...placeOf(node), source: pattern, flags })
    }
    if (type === 'BinaryExpression' && node.operator === 'instanceof') known.add(node.right)
    if (HAS_KEY.includes(type) && !node.computed) known.add(node.key)
    if (type === 'NewExpression' || type === 'CallExpression') {
      const name = callee.type === 'MemberExpression' ? callee.property : callee
      if (callee.computed) return
      if (isRegExp(name)) {
        known.add(name)
        found.calls.push({ ...placeOf(node), from: callee.start, to: callee.end })
      }
      if (MATCHERS.includes(name.name) && name !== callee && isText(node.arguments[0])) found.unseen.push(placeOf(node))
    }
    if (isRegExp(node) && !known.has(node)) found.unseen.push(placeOf(node))
  })
  return found
}
const PLAIN = {
  jsx: 'automatic',
  jsxImportSource: 'preact',
  target: 'esnext',
  legalComments: 'none',
  sourcemap: 'external',
}
const HAS_KEY = ['Property', 'MethodDefinition', 'PropertyDefinition']
/** Methods of strings that turn another value into an expression. */
const MATCHERS = ['match', 'matchAll', 'search']

const isRegExp = ({ type, name }) => type === 'Identifier' && name === 'RegExp'
const isText = (node) =>
  node?.type === 'TemplateLiteral' ||
  (node?.type === 'Literal' && node.regex === undefined) ||
  (node?.type === 'BinaryExpression' && node.operator === '+')

function visit(node, take) {
  if (Array.isArray(node)) for (const child of node) visit(child, take)
  else if (typeof node === 'object' && node !== null) {
    if (typeof node.type === 'string') take(node)
    for (const [name, child] of Object.entries(node)) if (name !== 'regex' && name !== 'loc') visit(child, take)
  }
}

/**
 * Loads modules and notes what each call of `RegExp` in them makes meanwhile. A place that makes none then makes its expression while a
 * text is read: nobody has looked at what it makes, and each text pays for making it. `missed` are files in which not as many places were
 * looked at as `expressionsIn` has found.
 */
export async function expressionsMade(root, files) {
  const noted = new Map()
  const places = []
  const entry = files.map(({ file }) => `import ${JSON.stringify(join(root, file))}`).join('\n')
  const plugin = {
    name: 'note-expressions',
    setup(bundler) {
      bundler.onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: 'platform' }))
      bundler.onLoad({ filter: /.*/, namespace: 'platform' }, () => ({ contents: 'export const env = {}' }))
      bundler.onLoad({ filter: /\.(?:tsx?|m?js)$/ }, async ({ path }) => {
        const file = path.slice(root.length + 1)
        if (!files.some((one) => one.file === file)) return undefined
        const { code, calls } = await readSource(file, await readFile(path, 'utf8'))
        let [contents, end] = ['', 0]
        for (const { line, from, to } of calls.toSorted((one, other) => one.from - other.from)) {
          places.push({ file, line })
          contents += `${code.slice(end, from)}(globalThis.notedExpression(${places.length - 1}))`
          end = to
        }
        return { contents: contents + code.slice(end), loader: 'js' }
      })
    },
  }
  const folder = await mkdtemp(join(root, 'node_modules', '.expressions-'))
  try {
    const bundle = join(folder, 'all.mjs')
    const options = { bundle: true, write: false, platform: 'node', format: 'esm', logLevel: 'silent' }
    const { outputFiles } = await build({ ...options, stdin: { contents: entry, resolveDir: root }, plugins: [plugin] })
    await writeFile(bundle, outputFiles[0].contents)
    globalThis.notedExpression = (at) =>
      function Noted(pattern, flags) {
        const made = new RegExp(pattern, flags)
        noted.set(at, [...(noted.get(at) ?? []), made])
        return made
      }
    await import(pathToFileURL(bundle).href)
  } finally {
    delete globalThis.notedExpression
    await rm(folder, { recursive: true, force: true })
  }
  const made = [...noted].flatMap(([at, all]) => all.map(({ source, flags }) => ({ ...places[at], source, flags })))
  const late = places.filter((_, at) => !noted.has(at))
  const missed = files
    .map(({ file, made }) => ({ file, made, looked: places.filter((place) => place.file === file).length }))
    .filter((one) => one.looked !== one.made)
  return { made, late, missed }
}
