/** The findings of the check of regular expressions: expressions that are neither linear nor excepted, and unused exceptions. */
import { judged } from './judged.mjs'

/**
 * `late`: places that make their expression while a text is read, so that nobody has looked at it. `unseen`: those that make one without
 * calling `RegExp`. `missed`: files in which not all places were looked at.
 */
export function complaints({ expressions, late, unseen = [], missed = [], exceptions }) {
  const used = new Set()
  const judgements = new Map()
  const judge = (expression) => {
    const key = `/${expression.source}/${expression.flags}`
    if (!judgements.has(key)) judgements.set(key, judged(expression))
    return judgements.get(key)
  }
  const bad = expressions.flatMap((expression) => {
    const { file, line, source, flags } = expression
    const judgement = judge(expression)
    if (judgement === null) return []
    const excuse = judgement.polynomial ? exceptions.find((exception) => excuses(exception, expression)) : undefined
    if (excuse !== undefined) used.add(excuse)
    return excuse === undefined ? [`${file}:${line}: /${shortened(source)}/${flags} ${judgement.why}`] : []
  })
  const made = late.map(
    ({ file, line }) => `${file}:${line}: makes an expression while it reads: make it once, at the top of the module`,
  )
  const hidden = unseen.map(
    ({ file, line }) =>
      `${file}:${line}: makes an expression where nobody sees it: write it down, or make it with RegExp at the top of the module`,
  )
  const overlooked = missed.map(
    ({ file, made: places, looked }) =>
      `${file}: makes expressions at ${places} places, of which ${looked} ${looked === 1 ? 'was' : 'were'} looked at`,
  )
  const idle = exceptions
    .filter((exception) => !used.has(exception))
    .map(({ file, source = '' }) => `the exception of ${file} ${shortened(source)} excuses nothing: remove it`)
  return [...bad, ...made, ...hidden, ...overlooked, ...idle]
}

const excuses = ({ file, source }, expression) =>
  (file.endsWith('/') ? expression.file.startsWith(file) : file === expression.file) &&
  (source === undefined || source === expression.source)

const shortened = (source) => (source.length > 100 ? `${source.slice(0, 100)}…` : source)
