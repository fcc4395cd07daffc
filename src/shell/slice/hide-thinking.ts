/** A tag of thinking, which some models write into their replies, and the beginning of one that is cut at the end of a text. */
const TAG = /<\/?think>/gi
const CUT_TAG = /<\/?(?:t(?:h(?:i(?:n(?:k)?)?)?)?)?$/i

/** What a model says without what it thinks, piece by piece. Each call takes the next words, and gives those that may be shown. */
export function hideThinking(): (words: string) => string {
  let [held, isThinking] = ['', false]
  return (words) => {
    const text = held + words
    const cut = CUT_TAG.exec(text)?.index ?? text.length
    held = text.slice(cut)
    let [shown, from] = ['', 0]
    for (const { 0: tag, index } of text.slice(0, cut).matchAll(TAG)) {
      if (!isThinking) shown += text.slice(from, index)
      isThinking = !tag.startsWith('</')
      from = index + tag.length
    }
    return isThinking ? shown : shown + text.slice(from, cut)
  }
}
