/**
 * Where objects stand in a text around which a model has written prose. A brace begins one if a member follows. The text is read
 * once from its beginning to its end.
 */

/** More objects than these are told, and not read. */
export const REGIONS_MAX = 16

/** The text of each object. Of more than REGIONS_MAX the first ones are given, with one above the bound. */
export function objectRegions(text: string): string[] {
  const regions = regionsIn(text)
  const brace = text.indexOf('{')
  if (regions.length > 0 || brace === -1) return regions.map(({ from, end }) => text.slice(from, end))
  // The first brace begins an object that is written in a way of its own.
  return [regionFrom(text, brace)]
}

/** From a brace to the last one, or to the end of a text whose last brace is missing. A fence at the end is left out. */
export const regionFrom = (text: string, from: number): string => text.slice(from, endOfRest(text, from))

interface Region {
  from: number
  end: number
}

/** What stands between two objects. */
interface Prose {
  /** Its braces that are open. */
  open: number
  /** The first of them. */
  brace: number
  /** Whether a colon stands behind that brace. */
  isNamed: boolean
  isQuoted: boolean
}
const NO_PROSE: Prose = { open: 0, brace: 0, isNamed: false, isQuoted: false }

function regionsIn(text: string): Region[] {
  const regions: Region[] = []
  let prose = { ...NO_PROSE }
  for (let i = 0; i < text.length && regions.length <= REGIONS_MAX; i++) {
    if (text[i] !== '{' || !beginsObject(text, i)) {
      readProse(text.charAt(i), i, prose, regions.at(-1))
      continue
    }
    // An open brace with a colon behind it began an object in a way of its own, and this one is the value of a member.
    const from = prose.open > 0 && prose.isNamed ? prose.brace : i
    // An object without its last brace may have another one behind it.
    const end = endOfBraces(text, from) ?? nextObject(text, from) ?? endOfRest(text, from)
    regions.push({ from, end })
    i = end - 1
    prose = { ...NO_PROSE }
  }
  return regions
}

function readProse(char: string, at: number, prose: Prose, last: Region | undefined): void {
  if (char === '{') {
    if (prose.open === 0) Object.assign(prose, { brace: at, isNamed: false })
    prose.open += 1
  } else if (char === '}' && prose.open > 0) prose.open -= 1
  // A brace in a text with unescaped quotation marks has closed the object too early.
  else if (char === '}' && prose.isQuoted && last !== undefined) last.end = at + 1
  else if (char === ':' || char === '：') prose.isNamed = true
  else if (MARKS.has(char)) prose.isQuoted = true
}

const MARKS = new Set('"\'“”‘’')

/** A quotation mark, or a name with a colon and a value, maybe behind comments or commas. `{name}` and `{name: string}` are prose. */
const FIRST_MEMBER =
  /\{(?:[\s,，]|\/\/[^\n{]{0,200}\n|\/\*[^*{]{0,200}\*\/){0,200}(?:\\?["'“‘]|[A-Za-z_$][\w$]{0,60}["'”’]?\s{0,20}[:：]\s{0,20}(?:["“'‘[{｛［\d-]|(?:true|false|null|True|False|None)\b))/y

function beginsObject(text: string, at: number): boolean {
  FIRST_MEMBER.lastIndex = at
  return FIRST_MEMBER.test(text)
}

/** Where another object begins behind the one at `from`, which is not closed. null: all that begin are values of its members. */
function nextObject(text: string, from: number): number | null {
  const hasBareNames = /[A-Za-z_$]/.test(
    text
      .slice(from + 1)
      .trimStart()
      .charAt(0),
  )
  let quoted = false
  for (let i = from + 1; i < text.length; i++) {
    const char = text[i]
    if (quoted && char === '\\') i += 1
    else if (char === '"') quoted = !quoted
    // A text without its end is taken to go no further than its line.
    else if (char === '\n') quoted = false
    else if (!quoted && char === '{' && beginsObject(text, i) && !isValue(text, i, hasBareNames)) return i
  }
  return null
}

/** Whether a value stands at this place: behind a name and a colon, or in a list. */
function isValue(text: string, at: number, hasBareNames: boolean): boolean {
  const before = lastSign(text, at)
  const char = text.charAt(before)
  if (char !== ':' && char !== '：') return '[［,，{'.includes(char)
  const end_of_name = text.charAt(lastSign(text, before))
  return MARKS.has(end_of_name) || (hasBareNames && /\w/.test(end_of_name))
}

/** The place of the last sign before `at` that is no blank. */
function lastSign(text: string, at: number): number {
  let place = at - 1
  while (place > 0 && text.charAt(place).trim() === '') place -= 1
  return place
}

/** Behind the brace that closes the one at `from`. Braces in strings do not count. null: none closes it. */
function endOfBraces(text: string, from: number): number | null {
  let depth = 0
  let quoted = false
  for (let i = from; i < text.length; i++) {
    const char = text[i]
    if (quoted) {
      if (char === '\\') i += 1
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{') depth += 1
    else if (char === '}') depth -= 1
    if (depth === 0) return i + 1
  }
  return null
}

function endOfRest(text: string, from: number): number {
  const end = endWithoutFence(text)
  const last = text.lastIndexOf('}', end - 1)
  // Behind the last brace stands prose, unless the text goes on in JSON.
  return last < from || /^\s*[\],}"']/.test(text.slice(last + 1, end)) ? Math.max(end, from + 1) : last + 1
}

function endWithoutFence(text: string): number {
  let end = text.trimEnd().length
  while (text[end - 1] === '`') end -= 1
  return text.slice(0, end).trimEnd().length
}
