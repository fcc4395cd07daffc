/** The maximum size of texts in a request, from which a mode computes the bound of its prompts. */
import type { Settings } from '../terms/settings.ts'

/** Bytes of one character in a message. A control character takes six, a quotation mark two, a Chinese character three. */
export const CHAR_BYTES = 6
/** Bytes of one character in a message that is JSON itself. A control character takes seven, a quotation mark four. */
export const NESTED_CHAR_BYTES = 7
/** Bytes around a text: member names, ids and numbers. */
export const FRAME_BYTES = 300
/** The estimate of the whole service for one token, because it has no tokenizer. */
export const TOKEN_BYTES = 4

/** How many characters one reply has at most. */
export const replyCharsMax = ({ max_output_tokens }: Settings): number => TOKEN_BYTES * max_output_tokens
