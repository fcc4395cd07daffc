/** The length of a text as it is sent. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { utf8Bytes } from '../../src/core/terms/text.ts'

const PARTS = ['', 'plain', '\x7f', '\x80', '\u07ff', '\u0800', '中文', '\ud7ff', '\ue000', '\uffff', '😀', 'é']

it('the bytes of a well-formed text are those of its encoding, wherever its first sign beyond ASCII stands', () => {
  const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(fc.property(text, (one) => utf8Bytes(one) === new TextEncoder().encode(one).length))
  for (const part of PARTS) expect(utf8Bytes(part)).toBe(new TextEncoder().encode(part).length)
})
