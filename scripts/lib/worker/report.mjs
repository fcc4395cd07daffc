/** What a program leaves as its report (S2-13): its report file, else its stdout, which is one itself or becomes the text of one. */
import { stripVTControlCharacters } from 'node:util'

const CHARS_MAX = 200_000
const FRONT_MATTER = /^\s*---\r?\n/
const NOT_TEXT = /[^\P{Cc}\n\r\t]/gu

/** `{ content_type, body }`, as it is posted. `file`: the text of the report file; null: there is none. */
export function reportOf({ file, stdout, stderr, code, signal }) {
  if (file !== null && file.trim() !== '') return { content_type: 'text/markdown', body: cut(file) }
  const printed = clean(stdout)
  if (FRONT_MATTER.test(printed)) return { content_type: 'text/markdown', body: cut(printed.trimStart()) }
  const said = clean(stderr).trim()
  const parts = [
    printed.trim() === '' ? 'The program printed nothing.' : printed.trim(),
    ...(said === '' ? [] : [`stderr:\n${said}`]),
    ...(code === 0 ? [] : [endOf({ code, signal })]),
  ]
  return jsonReport(code === 0 ? 'SUCCESS' : 'FAILED', parts.join('\n\n'))
}

export function jsonReport(status, text) {
  return { content_type: 'application/json', body: JSON.stringify({ status, text: cut(text) }) }
}

export function endOf({ code, signal }) {
  return signal === null ? `exit code ${code}` : `ended by ${signal}`
}

/** Colours and movements of the cursor are for terminals, and the service takes no characters that are none. */
function clean(text) {
  return stripVTControlCharacters(text).replace(NOT_TEXT, '')
}

function cut(text) {
  return (text.length > CHARS_MAX ? text.slice(0, CHARS_MAX) : text).toWellFormed()
}
