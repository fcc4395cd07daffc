/**
 * The openai package with no more than the two calls that are made of it here (src/models/wires/openai-client.ts): `chat.completions.create` and
 * `responses.create`. Every other resource of the API is an empty class, and so is what reads answers, streams or runs tools, because the answers
 * are read by our own code. workerd parses every module of an upload at each start, loaded or not, and these are most of the package.
 */
import { readFileSync } from 'node:fs'

const EMPTIED = /[\\/]openai[\\/](?:resources|lib)[\\/].*\.mjs$/
const CALLED = /[\\/]resources[\\/](?:chat[\\/](?:completions[\\/]completions|chat)|responses[\\/]responses)\.mjs$/
/** An index only passes on what others export. */
const PASSED_ON = /^export \* from |^export \{/m
const EXPORT = /^export (?:async )?(class|function|const) (\w+)/gm

export const openaiCreate = {
  name: 'openai-create',
  setup(build) {
    build.onLoad({ filter: EMPTIED }, ({ path }) => (CALLED.test(path) ? null : emptied(readFileSync(path, 'utf8'))))
  },
}

/** Nothing of these is called. Whatever else is imported from there is then missing, which ends the build. */
function emptied(text) {
  if (PASSED_ON.test(text)) return null
  const names = [...text.matchAll(EXPORT)].map(([, kind, name]) =>
    kind === 'class' ? `export class ${name} {}` : `export const ${name} = () => undefined`,
  )
  return { contents: names.join('\n') }
}
