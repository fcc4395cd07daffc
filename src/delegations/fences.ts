/** Finds the lines of a Markdown text that are code: those inside a closed fence. A fence that is never closed hides nothing. */

interface Mark {
  index: number
  sign: string
  length: number
  /** The fence stands alone on its line, so it can close another. */
  bare: boolean
}

const MARK = /^ {0,3}(`{3,}|~{3,})(.*)/s

function markOf(line: string, index: number): Mark[] {
  const [, signs, rest = ''] = MARK.exec(line) ?? []
  // A line that starts with ``` and has another backtick is inline code.
  if (signs === undefined || (signs.startsWith('`') && rest.includes('`'))) return []
  return [{ index, sign: signs.charAt(0), length: signs.length, bare: rest.trim() === '' }]
}

export const isFence = (line: string): boolean => markOf(line, 0).length > 0

/** The fence lines are part of the code. */
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

/** Whether a later mark closes each mark. It goes from the last to the first, because looking ahead from each would take quadratic time. */
function closableOnes(marks: readonly Mark[]): boolean[] {
  const longest = new Map<string, number>()
  const found = marks.toReversed().map(({ sign, length, bare }) => {
    const behind = longest.get(sign) ?? 0
    if (bare) longest.set(sign, Math.max(behind, length))
    return behind >= length
  })
  return found.toReversed()
}
