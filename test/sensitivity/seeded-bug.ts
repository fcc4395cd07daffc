/**
 * A seeded bug is data: an exact piece of one source file and what stands there instead. Would the tests notice? That is asked by
 * `npm run sensitivity`, which has the bug put in while the file is loaded; no file is changed, and the product knows nothing of it.
 */

export interface SeededBug {
  /** Lower case and hyphens: it is also a directory name. */
  name: string
  /** The promise it breaks, as a sentence that is true without it. */
  law: string
  /** Below the project's root. */
  file: string
  /** Found exactly once in the file, or the list has rotted. */
  find: string
  replace: string
}

/** The source with the bug in it. Throws when the piece is not found exactly once, or when nothing would change. */
export function seedBug({ name, file, find, replace }: SeededBug, source: string): string {
  const pieces = source.split(find)
  const found = pieces.length - 1
  if (find === '' || found !== 1) throw new Error(`seeded bug ${name}: its piece of ${file} is found ${found} times`)
  if (find === replace) throw new Error(`seeded bug ${name}: nothing changes in ${file}`)
  return pieces.join(replace)
}
