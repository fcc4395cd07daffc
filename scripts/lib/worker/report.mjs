/** What a program leaves as its report (S2-13): its report file, else its stdout, which is one itself or becomes the text of one. */
import { stripVTControlCharacters } from 'node:util'
import { withSpent } from './spent.mjs'

const CHARS_MAX = 200_000
const FRONT_MATTER = /^\s*---\r?\n/
const NOT_TEXT = /[^\P{Cc}\n\r\t]/gu

/**
 * `{ content_type, body, unsaid }`, as it is posted; unsaid: there was no place in it for what was spent. `file`: the text of the report
 * file; null: there is none.
 */
export function reportOf({ file, stdout, stderr, code, signal, spent }) {
  if (file !== null && file.trim() !== '') return markdownReport(file, spent)
  const printed = clean(stdout)
  if (FRONT_MATTER.test(printed)) return markdownReport(printed.trimStart(), spent)
  const said = clean(stderr).trim()
  const parts = [
    printed.trim() === '' ? 'The program printed nothing.' : printed.trim(),
    ...(said === '' ? [] : [`stderr:\n${said}`]),
    ...(code === 0 ? [] : [endOf({ code, signal })]),
  ]
  return jsonReport(code === 0 ? 'SUCCESS' : 'FAILED', parts.join('\n\n'), spent)
}

export function jsonReport(status, text, spent) {
  const stated = isEmpty(spent) ? {} : { spent }
  const body = JSON.stringify({ status, text: cut(text), ...stated })
  return { content_type: 'application/json', body, unsaid: false }
}

function markdownReport(text, spent) {
  const whole = cut(text)
  const body = withSpent(whole, spent)
  return { content_type: 'text/markdown', body: body ?? whole, unsaid: body === null && !isEmpty(spent) }
}

const isEmpty = (spent) => Object.keys(spent).length === 0

export function endOf({ code, signal }) {
  return signal === null ? `exit code ${code}` : `ended by ${signal}`
}

/** Terminal sequences are removed, and so are characters that the service refuses. */
function clean(text) {
  return stripVTControlCharacters(text).replace(NOT_TEXT, '')
}

function cut(text) {
  return (text.length > CHARS_MAX ? text.slice(0, CHARS_MAX) : text).toWellFormed()
}
