/**
 * The routes without their texts. `openapi.yaml` is made of these texts from the sources, and the running service reads none of them, so no
 * start has to read them.
 */
import { readFileSync } from 'node:fs'

const ROUTES = /[\\/]src[\\/]http[\\/]resources[\\/].*\.ts$/
/** A member of a route with a text of one or more quoted pieces. The formatter writes each piece on a line of its own. */
const PROSE = /^ {6}(?:summary|description):\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`$]*`|\s|\+)+,\n/gm

export const withoutProse = {
  name: 'without-prose',
  setup(build) {
    build.onLoad({ filter: ROUTES }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(PROSE, ''),
      loader: 'ts',
    }))
  },
}
