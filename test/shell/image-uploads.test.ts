/** An image is checked before any of it is kept: its signature, its size in pixels, its size in bytes. */
import { describe, expect, it } from 'vitest'
import { IMAGE_BYTES_MAX } from '../../src/core/terms/files/file-types.ts'
import { isBrokenBody } from '../../src/shell/network/chunked-body.ts'
import { putImage } from '../support/image-bench.ts'
import { memoryBlobs } from '../support/memory/memory-blobs.ts'
import { gif, jpeg, png, webp } from '../support/pictures.ts'
import { benchOf, CALLER, createTask, NONE, planned } from '../support/scripted.ts'

async function begun() {
  const blobs = memoryBlobs()
  const bench = benchOf({ plan: [planned('A')] }, { blobs })
  const { id } = await createTask(bench, {}, NONE)
  const files = async () => {
    const page = await bench.service.listFiles(CALLER, id, { limit: 100, after: '' })
    return page.ok ? page.value.data.map(({ name, bytes, content_type }) => [name, bytes, content_type]) : null
  }
  return { bench, id, files, kept: () => blobs.kept({ tenant: CALLER.tenant, task: id }) }
}
const large = (bytes: number) => {
  const image = new Uint8Array(bytes)
  image.set(png())
  return image
}

describe('an image that a client puts', () => {
  it.each([
    ['a.png', png(), 'image/png'],
    ['a.jpg', jpeg(), 'image/jpeg'],
    ['A.JPEG', jpeg(), 'image/jpeg'],
    ['a.webp', webp(), 'image/webp'],
    ['a.gif', gif(), 'image/gif'],
    ['max.png', large(IMAGE_BYTES_MAX), 'image/png'],
  ])('U46 is kept byte for byte as what it is: %s', async (name, bytes, type) => {
    const { bench, id, files } = await begun()
    expect(await putImage(bench, id, name, bytes)).toBeNull()
    expect(await files()).toEqual([[name, bytes.length, type]])
    const found = await bench.service.fetchFile(CALLER, id, name)
    const body = found.ok ? await found.value.body() : null
    // Compared as buffers, because the matchers look at each of five million bytes.
    expect(Buffer.compare(Buffer.from(await new Response(body).arrayBuffer()), bytes)).toBe(0)
  })

  it.each([
    [
      'a.png',
      jpeg(),
      'the name promises a PNG image, and the body is a JPEG image: put it under a name that ends with .jpg',
    ],
    [
      'a.jpg',
      new TextEncoder().encode('<svg/>'),
      'the name promises a JPEG image, and the body does not begin as a PNG, JPEG, WebP or GIF image does',
    ],
    ['a.gif', gif().subarray(0, 7), 'the body begins as an image, and ends or breaks off before its width and height'],
    ['a.png', png(0, 0), 'the image has 0 × 0 pixels; allowed are 1 to 8000 on each side'],
    ['a.webp', webp(9_000, 20), 'the image has 9000 × 20 pixels; allowed are 1 to 8000 on each side'],
    ['a.png', new Uint8Array(), 'the file is empty'],
  ])('U46 is refused in words, and nothing of it is kept: %s', async (name, bytes, message) => {
    const { bench, id, files, kept } = await begun()
    const errors = [{ pointer: '', message }]
    // The copy has a buffer of its own.
    expect(await putImage(bench, id, name, Uint8Array.from(bytes))).toEqual({ code: 'validation_failed', errors })
    expect(await files()).toEqual([])
    expect(kept()).toEqual([])
  })

  it('U46 has at most 5 MiB, also where its length was not announced', async () => {
    const { bench, id, kept } = await begun()
    const refusal = await putImage(bench, id, 'a.png', large(IMAGE_BYTES_MAX + 1))
    expect(refusal).toEqual({ code: 'file_too_large', max_bytes: 5_242_880 })
    expect(kept()).toEqual([])
  })

  it('U46 that ends before its announced length is a body that broke off', async () => {
    const { bench, id, kept } = await begun()
    const body = new Response(png()).body ?? new ReadableStream()
    const upload = { name: 'a.png', body, length: 100, bytes_max: IMAGE_BYTES_MAX }
    const error: unknown = await bench.service.putFile(CALLER, id, upload).catch((thrown: unknown) => thrown)
    expect(isBrokenBody(error)).toBe(true)
    expect(kept()).toEqual([])
  })

  it('U46 takes the place of the one before it, and a refused one does not', async () => {
    const { bench, id, files } = await begun()
    await putImage(bench, id, 'a.png', png(1, 1))
    await putImage(bench, id, 'a.png', jpeg())
    expect(await files()).toEqual([['a.png', png(1, 1).length, 'image/png']])
    await putImage(bench, id, 'a.png', large(100))
    expect(await files()).toEqual([['a.png', 100, 'image/png']])
  })
})
