/** The maximum size of texts in a request, from which a mode computes the bound of its prompts. */
import { IMAGES_MAX, IMAGE_TOKENS_MAX } from '../terms/files/images.ts'
import { highestOutputCap, type Settings } from '../terms/settings.ts'

/** Bytes of one character in a message. A control character takes six, a quotation mark two, a Chinese character three. */
export const CHAR_BYTES = 6
/** Bytes of one character in a message that is JSON itself. A control character takes seven, a quotation mark four. */
export const NESTED_CHAR_BYTES = 7
/** Bytes around a text: member names, ids and numbers. */
export const FRAME_BYTES = 300
/** The tokens of the images of a request, and the bytes of what names them. A token is counted as a byte. */
export const IMAGES_BYTES = IMAGES_MAX * (IMAGE_TOKENS_MAX + 2 * FRAME_BYTES)
/** The estimate of the whole service for one token, because it has no tokenizer. */
export const TOKEN_BYTES = 4

/** How many characters one accepted reply has at most. After a reply that was cut, the next one has twice the room. */
export const replyCharsMax = (settings: Settings): number =>
  Math.min(REPLY_BYTES_MAX, 2 * TOKEN_BYTES * highestOutputCap(settings))
/** No longer reply is kept, in bytes of UTF-8 (F22). */
export const REPLY_BYTES_MAX = 65_536

/** No longer reasoning is kept, in bytes of UTF-8. A longer one is left out, and the next request goes without it. */
export const REASONING_BYTES_MAX = 131_072

const RESULT_CHARS_MIN = 50
/** Characters of one result. The results of one reply together leave room for other messages within the limit of the transcript. */
export function resultChars({ observation_char_limit, transcript_token_limit }: Settings, calls: number): number {
  const share = Math.floor((transcript_token_limit * TOKEN_BYTES) / (2 * Math.max(1, calls)))
  return Math.min(observation_char_limit, Math.max(RESULT_CHARS_MIN, share))
}
