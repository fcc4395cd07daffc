/** Parses JSON text of a model within bounds. */

/**
 * No contract nests as deep as this. The depth is checked before the text is parsed. Otherwise the size of the stack would
 * decide which replies are accepted.
 */
export const DEPTH_MAX = 32

/** Whether JSON nests deeper than `depth_max`. Brackets in strings do not count. */
export function isTooDeep(json: string, depth_max = DEPTH_MAX): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < json.length; i++) {
    const char = json[i]
    if (quoted) {
      if (char === '\\') i += 1
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (depth > depth_max) return true
  }
  return false
}

/** What may become a lone surrogate: one in the text, or one that JSON escapes. */
const SURROGATES = /\p{Surrogate}|\\u[dD][89a-fA-F]/u

/**
 * The value of a JSON text. undefined: the text is not JSON. A lone surrogate that JSON escapes is replaced, because it
 * cannot be encoded as UTF-8. Other texts are parsed without a function for each value, which takes a tenth of the time.
 */
export function parseWellFormedJson(text: string): unknown {
  try {
    return SURROGATES.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text)
  } catch {
    return undefined
  }
}

const wellFormed = (_key: string, part: unknown): unknown =>
  typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '\uFFFD') : part

/** The value of a JSON text that nests no deeper than DEPTH_MAX. undefined: it does, or it is not JSON. */
export const parseBoundedJson = (text: string): unknown => (isTooDeep(text) ? undefined : parseWellFormedJson(text))
