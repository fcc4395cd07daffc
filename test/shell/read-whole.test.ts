/** Bodies read under a cap: the short way for a length that can be relied on, counted while they come in otherwise. */
import { describe, expect, it } from 'vitest'
import { readBeginning, readWhole } from '../../src/shell/network/read-whole.ts'

const CAP = 32_768
const PIECE = 2_048
const PIECES = 64

/** Four times the cap in pieces; `asked` tells how many of them were. */
function long() {
  const seen = { asked: 0 }
  const body = new ReadableStream({
    pull(controller) {
      seen.asked += 1
      controller.enqueue(new Uint8Array(PIECE))
      if (seen.asked === PIECES) controller.close()
    },
  })
  return { seen, body }
}
const broken = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(3))
      controller.error(new Error('reset'))
    },
  })
const bytes = (size: number) => new Uint8Array(size).map((_, index) => index % 251)
const lengths: [string, Record<string, string>][] = [
  ['of known length', { 'content-length': String(CAP) }],
  ['of unknown length', {}],
]

describe.each(lengths)('a body %s', (_, headers) => {
  it('is whole when it is as long as the cap', async () => {
    expect(await readWhole(new Response(bytes(CAP), { headers }), CAP)).toEqual(bytes(CAP))
  })
  it('is cut at the cap when only its beginning is wanted', async () => {
    const answer = (size: number) => readBeginning(new Response(bytes(size), { headers }), CAP)
    expect(await answer(CAP)).toEqual({ body: bytes(CAP), is_cut: false })
    expect(await answer(CAP + 1)).toEqual({ body: bytes(CAP), is_cut: true })
  })
  it('is null when it is one byte longer than the cap', async () => {
    expect(await readWhole(new Response(bytes(CAP + 1), { headers }), CAP)).toBe(null)
  })
  it('rejects when it breaks off', async () => {
    await expect(readWhole(new Response(broken(), { headers }), CAP)).rejects.toThrow('reset')
  })
  it('is empty when there is none', async () => {
    expect(await readWhole(new Response(null, { headers }), CAP)).toEqual(new Uint8Array())
  })
  it('may be that of a request', async () => {
    const request = new Request('http://in.test/', { method: 'POST', body: bytes(9), headers })
    expect(await readWhole(request, CAP)).toEqual(bytes(9))
  })
})

it.each<[string, Record<string, string>]>([
  ['no length', {}],
  [
    'a length beside a transfer coding, which goes before it',
    { 'content-length': '5', 'transfer-encoding': 'chunked' },
  ],
  ['the length of something compressed', { 'content-length': '5', 'content-encoding': 'gzip' }],
  ['a length above the cap', { 'content-length': String(CAP + 1) }],
  ['two lengths', { 'content-length': '5, 5' }],
  ['a length below nothing', { 'content-length': '-5' }],
  ['an empty length', { 'content-length': '' }],
  ['a length in another notation', { 'content-length': '1e3' }],
])('F22 with %s nothing is read beyond the cap', async (_, headers) => {
  const { seen, body } = long()
  expect(await readWhole(new Response(body, { headers }), CAP)).toBe(null)
  // The one that passes the cap, and what a stream asks for ahead.
  expect(seen.asked).toBeLessThan(CAP / PIECE + 5)
})
