/** Bundles the console (src/console) into what the Worker serves: its page, one script, one style, named by what is in them. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { ROOT } from './node.mjs'

const SOURCE = join(ROOT, 'src/console')

/** The contents by path below `public/`. */
export async function bundleConsole() {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(SOURCE, 'main.tsx')],
    outdir: join(ROOT, 'public/console'),
    entryNames: '[name]-[hash]',
    bundle: true,
    write: false,
    format: 'esm',
    // Every browser with `light-dark()` and range media queries has all of these features.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  })
  const files = await Promise.all(
    outputFiles.map(({ path, contents, text }) =>
      path.endsWith('.js') ? shorten(text) : [basename(path), Buffer.from(contents)],
    ),
  )
  const page = files.reduce(
    (html, [name]) => html.replace(`/console/main.${name.split('.').at(-1)}`, `/console/${name}`),
    readFileSync(join(SOURCE, 'index.html'), 'utf8'),
  )
  return [['index.html', Buffer.from(page)], ...files.map(([name, content]) => [join('console', name), content])]
}

/** The bundle once more through rolldown, as that of the Workers (build.mjs): its minifier makes the script a tenth smaller. */
async function shorten(text) {
  const name = 'main.js'
  const bundle = await rolldown({
    input: name,
    treeshake: false,
    logLevel: 'warn',
    plugins: [{ name: 'bundled', resolveId: (id) => id, load: () => text }],
  })
  const { output } = await bundle.generate({
    format: 'esm',
    minify: { compress: { target: 'es2024' }, mangle: true },
    comments: false,
  })
  const [{ code }] = output
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 8).toUpperCase()
  return [`main-${hash}.js`, Buffer.from(code)]
}
