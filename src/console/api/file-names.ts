/** Makes names that the service accepts: one segment of letters, digits, ".", "_" and "-", and no name twice. */

const MAX = 128
/** Stands for a name that has no accepted letter. */
const NAMELESS = 'file'

export const fileNameFor = (name: string): string => fileNamesFor([name])[0] ?? NAMELESS

export function fileNamesFor(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const { stem, ending } = partsOf(name)
    for (let count = 1; ; count++) {
      const candidate = joinName(count === 1 ? stem : `${stem}-${count}`, ending)
      if (taken.has(candidate)) continue
      taken.add(candidate)
      return candidate
    }
  })
}

function partsOf(name: string): { stem: string; ending: string } {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
  return { stem: replaceLetters(stem) || NAMELESS, ending: replaceLetters(ending) }
}

/** Removes the accents of letters. Any other character becomes a dash, except at both ends. */
const replaceLetters = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')

/** A long stem is cut before its number. The ending stays, because the service knows the type by it. */
function joinName(stem: string, ending: string): string {
  const rest = ending === '' ? '' : `.${ending.slice(0, MAX / 2)}`
  const room = MAX - rest.length
  if (stem.length <= room) return stem + rest
  const number = /-\d+$/.exec(stem)?.[0] ?? ''
  return stem.slice(0, room - number.length) + number + rest
}
