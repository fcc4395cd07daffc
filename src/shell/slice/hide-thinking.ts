/** A tag of thinking, which some models write into their replies, and the beginning of one that is cut at the end of a text. */
const TAG = /<\/?think>/gi
const CUT_TAG = /<\/?(?:t(?:h(?:i(?:n(?:k)?)?)?)?)?$/i

/**
 * What a model says without what it thinks, piece by piece. `next` takes the next words, and gives those that may be shown; `rest` gives what was held
 * back. A reply that begins as JSON is shown as it is, because a text within it may speak of the tags.
 */
export function hideThinking(): { next(words: string): string; rest(): string } {
  const state = { held: '', isThinking: false, isJson: null as boolean | null }
  const next = (words: string): string => {
    state.isJson ??= words.trim() === '' ? null : words.trimStart().startsWith('{')
    if (state.isJson === true) return words
    const text = state.held + words
    const cut = CUT_TAG.exec(text)?.index ?? text.length
    state.held = text.slice(cut)
    let [shown, from] = ['', 0]
    for (const { 0: tag, index } of text.slice(0, cut).matchAll(TAG)) {
      if (!state.isThinking) shown += text.slice(from, index)
      state.isThinking = !tag.startsWith('</')
      from = index + tag.length
    }
    return state.isThinking ? shown : shown + text.slice(from, cut)
  }
  return { next, rest: () => (state.isThinking ? '' : state.held) }
}
