/** What is read of the beginning of an image: its type by its signature, its width and its height. */
import { describe, expect, it } from 'vitest'
import { readImageHeader } from '../../../src/core/terms/files/image-header.ts'
import { imageTypeOf } from '../../../src/core/terms/files/images.ts'
import { gif, jpeg, PICTURES, png, segment, webp } from '../../support/pictures.ts'

const headerOf = (name: string, bytes: Uint8Array) => {
  const read = readImageHeader(name, bytes)
  return read.ok ? read.header : read.error
}
const size = (width: number, height: number) => ({ width, height })

describe('the size of an image', () => {
  it.each([
    ['a.png', png(1, 8_000), size(1, 8_000)],
    ['a.PNG', png(300, 200), size(300, 200)],
    ['a.gif', gif(300, 200, 'GIF87a'), size(300, 200)],
    ['a.gif', gif(300, 200), size(300, 200)],
    ['a.webp', webp(300, 200, 'VP8 '), size(300, 200)],
    ['a.webp', webp(4_001, 2_999, 'VP8L'), size(4_001, 2_999)],
    ['a.webp', webp(4_001, 2_999, 'VP8X'), size(4_001, 2_999)],
    ['a.jpg', jpeg(4_032, 3_024), size(4_032, 3_024)],
    ['a.jpeg', jpeg(4_032, 3_024, []), size(4_032, 3_024)],
    ['a.jpg', jpeg(300, 200, [...segment(0xe1, 65_000), ...segment(0xe2, 65_000)]), size(300, 200)],
    ['a.jpg', jpeg(300, 200, [0xff, 0xff, 0xff, ...segment(0xdb, 65)]), size(300, 200)],
    ['a.jpg', jpeg(300, 200, segment(0xc4, 30), 0xc2), size(300, 200)],
  ])('U46 is read of %s', (name, bytes, expected) => {
    expect(headerOf(name, bytes)).toEqual({ media_type: imageTypeOf(name), ...expected })
  })

  it.each(Object.entries(PICTURES))('U46 is not read of a header of .%s that breaks off', (ending, picture) => {
    const whole = picture()
    const read = Array.from({ length: whole.length }, (_, length) => headerOf(`a.${ending}`, whole.subarray(0, length)))
    const kinds = read.map((found) => ('kind' in found ? found.kind : 'read'))
    expect(kinds[0]).toBe('other_type')
    expect(new Set(kinds.slice(0, 10))).not.toContain('read')
    expect(kinds.filter((kind, index) => kind === 'read' && kinds[index + 1] === 'no_size')).toEqual([])
  })

  it.each([
    ['a.png', png(0, 0), size(0, 0)],
    ['a.gif', gif(5, 0), size(5, 0)],
    ['a.jpg', jpeg(0, 9), size(0, 9)],
    ['a.webp', webp(0, 7, 'VP8 '), size(0, 7)],
    ['a.png', png(8_001, 1), size(8_001, 1)],
    ['a.png', png(4_294_967_295, 4_294_967_295), size(4_294_967_295, 4_294_967_295)],
  ])('U46 of %s is refused where it is nothing or too much', (name, bytes, expected) => {
    expect(headerOf(name, bytes)).toEqual({ kind: 'size', ...expected })
  })

  it.each([
    ['a.png', 'image/png', jpeg(), 'image/jpeg'],
    ['a.jpg', 'image/jpeg', png(), 'image/png'],
    ['a.webp', 'image/webp', gif(), 'image/gif'],
    ['a.gif', 'image/gif', webp(), 'image/webp'],
    ['a.png', 'image/png', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
    ['a.png', 'image/png', new Uint8Array(), null],
  ])('U46 %s has to be of the type that its name says', (name, wanted, bytes, found) => {
    expect(headerOf(name, bytes)).toEqual({ kind: 'other_type', wanted, found })
  })

  it.each([
    ['whose segment has no length', jpeg(1, 1, [0xff, 0xe1, 0, 0])],
    ['whose scan comes before its frame', jpeg(1, 1, segment(0xda, 10))],
    ['whose segments lead to no marker', jpeg(1, 1, [0xff, 0xe1, 0, 4, 1, 2, 3])],
    ['that is full of markers', Uint8Array.from({ length: 5_000_000 }, () => 0xff).with(1, 0xd8)],
  ])('U46 is not read of a JPEG %s, and at once', (_, bytes) => {
    const begun = performance.now()
    expect(headerOf('a.jpg', bytes)).toEqual({ kind: 'no_size' })
    expect(performance.now() - begun).toBeLessThan(1_000)
  })
})
