/** Lets plain Node load the suites: `vitest` is our few lines of it, `?raw` is the text of a file. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const ours = (name) => new URL(`./${name}.mjs`, import.meta.url).href
const OURS = new Map(['vitest', 'fast-check'].map((name) => [name, ours(name)]))

export const hook = () =>
  registerHooks({
    resolve(specifier, context, next) {
      const url = OURS.get(specifier)
      return url === undefined || url === context.parentURL ? next(specifier, context) : { url, shortCircuit: true }
    },
    load(url, context, next) {
      if (!url.endsWith('?raw')) return next(url, context)
      const source = `export default ${JSON.stringify(readFileSync(new URL(url), 'utf8'))}`
      return { format: 'module', source, shortCircuit: true }
    },
  })
