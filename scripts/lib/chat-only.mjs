/**
 * The openai package with an empty class for each resource of the API but chat completions, the one that is called here (src/models/wires/openai-client.ts).
 * workerd parses every module of an upload at each start, loaded or not, and these are half of the package.
 */
import { readFileSync } from 'node:fs'

const RESOURCE = /[\\/]openai[\\/]resources[\\/].*\.mjs$/
const CALLED = /[\\/]resources[\\/]chat[\\/]/

export const chatOnly = {
  name: 'chat-only',
  setup(build) {
    build.onLoad({ filter: RESOURCE }, ({ path }) => (CALLED.test(path) ? null : emptied(path)))
  },
}

/** Any other import from there is then missing, which ends the build; an index has no class and stays. */
function emptied(path) {
  const classes = [...readFileSync(path, 'utf8').matchAll(/^export class (\w+)/gm)].map(([, name]) => name)
  return classes.length === 0 ? null : { contents: classes.map((name) => `export class ${name} {}`).join('\n') }
}
