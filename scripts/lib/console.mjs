/** Bundles the console (src/console) into what the Worker serves: its page, one script, one style, named by what is in them. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
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
  const files = outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)])
  const page = files.reduce(
    (html, [name]) => html.replace(`/console/main.${name.split('.').at(-1)}`, `/console/${name}`),
    readFileSync(join(SOURCE, 'index.html'), 'utf8'),
  )
  return [['index.html', Buffer.from(page)], ...files.map(([name, content]) => [join('console', name), content])]
}
