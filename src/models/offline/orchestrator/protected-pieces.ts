/** Protects the pieces of a text that are never cut: code, links, quotes and brackets. Each is one placeholder character while the text is read. */

/** Characters for private use serve as placeholders; those of the goal itself are removed first. */
const SIGNS = /[\uE000-\uF8FF]/gu
const FIRST_SIGN = 0xe000
const SIGNS_MAX = 6_400

/** Lengths are bounded, so that a quote that never ends costs little time. */
const PIECES = [
  /```[\s\S]{0,4000}?```/gu,
  /`[^`\n]{1,300}`/gu,
  /https?:\/\/[^\s<>"'`，。；、！？）)”」』》】]{0,500}[^\s<>"'`，。；、！？）)”」』》】.,;:!?]/giu,
  /"[^"\n]{1,300}"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|『[^』\n]{1,300}』|《[^》\n]{1,300}》/gu,
  /(?<![\p{L}\p{N}])(?:'[^'\n]{2,300}'|‘[^’\n]{2,300}’)(?![\p{L}\p{N}])/gu,
  // `(1)`, `[ ]` and `[x]` are excluded, because they mark lists.
  /\((?!\w{1,2}\))[^()\n]{1,300}\)|（(?!.{1,2}）)[^（）\n]{1,300}）|\[(?![ xX]?\])[^[\]\n]{1,300}\]|【[^【】\n]{1,300}】/gu,
]

interface ProtectedText {
  text: string
  /** Puts the pieces back into a part of the text. */
  restore: (part: string) => string
}

/** In the protected text line ends are `\n` and blanks are spaces. */
export function protectPieces(source: string): ProtectedText {
  const kept: string[] = []
  const hide = (piece: string) =>
    kept.length < SIGNS_MAX ? String.fromCharCode(FIRST_SIGN + kept.push(piece) - 1) : piece
  const plain = source
    .toWellFormed()
    .replace(SIGNS, '')
    .replaceAll(/\r\n?|[\u2028\u2029]/gu, '\n')
    .replaceAll('\t', '  ')
    .replaceAll(/[^\S\n]/gu, ' ')
    .replaceAll(/(?!\n)\p{Cc}|[\u200B\u2060\uFEFF]/gu, '')
  // A piece holds only placeholders of the passes before its own.
  const restore = (part: string): string =>
    part.replace(SIGNS, (sign) => restore(kept[sign.charCodeAt(0) - FIRST_SIGN] ?? ''))
  const text = PIECES.reduce((read, piece) => read.replace(piece, (found) => hide(found)), plain)
  return { text, restore }
}

/** Whether the text is only protected pieces, such as a block of code below its line. */
export const isOnlyProtected = (text: string): boolean => /^[\uE000-\uF8FF\s]+$/u.test(text)
