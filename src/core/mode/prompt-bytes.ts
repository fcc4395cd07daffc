/** What texts take in a request at the most: for the bound a mode puts on its prompts. */
import type { Settings } from '../terms/settings.ts'

/** Bytes of one character in a message: a control character is written with six, a quotation mark with two, a Chinese character has three. */
export const CHAR_BYTES = 6
/** Of one in a message that is JSON itself: a control character is written with seven, a quotation mark with four. */
export const INNER_CHAR_BYTES = 7
/** Of what stands around a text: names of members, ids, numbers. */
export const FRAME_BYTES = 300
/** As it is estimated everywhere: no tokenizer is asked. */
export const TOKEN_BYTES = 4

/** Characters of one reply. */
export const replyChars = ({ max_output_tokens }: Settings): number => TOKEN_BYTES * max_output_tokens
