/** Names of files as the service takes them: one segment of letters, digits, ".", "_" and "-", no two the same. */

const MAX = 128
/** So that a name of other letters alone is one, too. */
const NAMELESS = 'file'

export const fittingName = (name: string): string => fittingNames([name])[0] ?? NAMELESS

export function fittingNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const { stem, ending } = partsOf(name)
    for (let count = 1; ; count++) {
      const fitting = joined(count === 1 ? stem : `${stem}-${count}`, ending)
      if (taken.has(fitting)) continue
      taken.add(fitting)
      return fitting
    }
  })
}

function partsOf(name: string): { stem: string; ending: string } {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
  return { stem: fitting(stem) || NAMELESS, ending: fitting(ending) }
}

/** Accents are taken off letters; whatever else is not taken becomes a dash, never one at an end. */
const fitting = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')

/** A stem gives way to its ending, by which the service knows the type; its number stands at its end and stays. */
function joined(stem: string, ending: string): string {
  const rest = ending === '' ? '' : `.${ending.slice(0, MAX / 2)}`
  const room = MAX - rest.length
  if (stem.length <= room) return stem + rest
  const number = /-\d+$/.exec(stem)?.[0] ?? ''
  return stem.slice(0, room - number.length) + number + rest
}
