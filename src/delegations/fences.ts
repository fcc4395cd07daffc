/** Which lines of a Markdown text are code: those of a fence that is closed again. One that never is was forgotten, and hides nothing. */

interface Mark {
  index: number
  sign: string
  length: number
  /** Nothing else stands on its line, so it can close one. */
  bare: boolean
}

const MARK = /^ {0,3}(`{3,}|~{3,})(.*)/s

function markOf(line: string, index: number): Mark[] {
  const [, signs, rest = ''] = MARK.exec(line) ?? []
  // Behind ``` another backtick makes it code within a line.
  if (signs === undefined || (signs.startsWith('`') && rest.includes('`'))) return []
  return [{ index, sign: signs.charAt(0), length: signs.length, bare: rest.trim() === '' }]
}

export const isFence = (line: string): boolean => markOf(line, 0).length > 0

/** The fence itself is part of its code. */
export function fencedLines(lines: readonly string[]): boolean[] {
  const code = lines.map(() => false)
  const marks = lines.flatMap(markOf)
  const closable = closableOnes(marks)
  let open: Mark | null = null
  for (const [at, mark] of marks.entries()) {
    if (open === null) open = closable[at] === true ? mark : null
    else if (mark.bare && mark.sign === open.sign && mark.length >= open.length) {
      code.fill(true, open.index, mark.index + 1)
      open = null
    }
  }
  return code
}

/** Whether one behind it closes it. From the last to the first: looking ahead from each would take the square of them. */
function closableOnes(marks: readonly Mark[]): boolean[] {
  const longest = new Map<string, number>()
  const found = marks.toReversed().map(({ sign, length, bare }) => {
    const behind = longest.get(sign) ?? 0
    if (bare) longest.set(sign, Math.max(behind, length))
    return behind >= length
  })
  return found.toReversed()
}
