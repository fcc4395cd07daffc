/** Blobs in R2: never held whole, never seen half, in a place of their own; and in memory, which behaves alike. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import type { Blobs } from '../../src/shell/ports.ts'
import { r2Blobs } from '../../src/store/blobs.ts'
import { memoryBlobs } from '../support/memory/memory-blobs.ts'
import { generated, looked } from '../support/streams.ts'

const MIB = 1_048_576
const bucket = env.FILES
if (bucket === undefined) throw new Error('no bucket is bound')
const yes = () => Promise.resolve(true)
const refOf = (tenant = crypto.randomUUID(), task = 'task_1', blob = 'b1') => ({ tenant, task, blob })
const textOf = async (body: ReadableStream<Uint8Array> | null) => (body === null ? null : new Response(body).text())

describe.each<[string, () => Blobs]>([
  ['R2', () => r2Blobs(bucket)],
  ['memory', memoryBlobs],
])('blobs in %s', (_name, open) => {
  it.each([0, 1, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1, 10 * MIB])('one of %i bytes is read as it came', async (bytes) => {
    const blobs = open()
    const ref = refOf()
    expect(await blobs.write(ref, generated(bytes, 100_000), yes)).toBe(bytes)
    expect(await looked(await blobs.open(ref))).toMatchObject({ bytes, wrong: null })
    const copy = { ...ref, task: 'task_2', blob: 'b2' }
    expect(await blobs.copy(ref, copy)).toBe(true)
    await blobs.remove(ref)
    expect(await blobs.open(ref)).toBeNull()
    expect(await blobs.copy(ref, copy)).toBe(false)
    expect(await looked(await blobs.open(copy))).toMatchObject({ bytes, wrong: null })
  })

  it.each([1, 6 * MIB, 11 * MIB])(
    'is not there before all of it is: not while it comes, nor after it was refused or broke off, at %i bytes',
    async (bytes) => {
      const blobs = open()
      const ref = refOf()
      const told: number[] = []
      const refusing = async (sum: number) => {
        told.push(sum)
        expect(await blobs.open(ref)).toBeNull()
        return sum < bytes
      }
      expect(await blobs.write(ref, generated(20 * MIB, MIB), refusing)).toBeNull()
      expect(told.at(-1)).toBeGreaterThanOrEqual(bytes)
      const source = generated(20 * MIB, MIB).getReader()
      let sent = 0
      const breaking = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { value } = await source.read()
          sent += value?.byteLength ?? 0
          if (sent > bytes) return controller.error(new Error('gone'))
          controller.enqueue(value)
        },
      })
      await expect(blobs.write(ref, breaking, yes)).rejects.toThrow('ended before')
      expect(await blobs.open(ref)).toBeNull()
    },
  )

  it('are swept by name: no other of the task, no other task, and no other tenant, has a name that begins alike', async () => {
    const blobs = open()
    const tenant = crypto.randomUUID()
    const others = [
      refOf(tenant, 'task_10'),
      refOf(`${tenant}0`, 'task_1'),
      refOf(tenant.slice(0, -1), 'task_1'),
      refOf(`${tenant}/task_1`, 'task_1'),
      refOf(tenant, 'task_1/..'),
      refOf(`${tenant}%2Ftask_1`, 'x'),
    ]
    const own = [refOf(tenant, 'task_1', 'life.a'), refOf(tenant, 'task_1', 'life.b')]
    others.push(refOf(tenant, 'task_1', 'next.a'), refOf(tenant, 'task_1', 'life.ab'))
    for (const ref of [...own, ...others]) await blobs.write(ref, bodyStream('x'), yes)
    await blobs.sweep({ tenant, task: 'task_1' }, ['life.a', 'life.b', 'life.none'])
    expect(await Promise.all(own.map(async (ref) => textOf(await blobs.open(ref))))).toEqual([null, null])
    for (const ref of others) expect(await textOf(await blobs.open(ref))).toBe('x')
    const many = Array.from({ length: 1001 }, (_, n) => `none.${n}`)
    await blobs.sweep({ tenant, task: 'task_1' }, [...many, 'next.a'])
    expect(await blobs.open(refOf(tenant, 'task_1', 'next.a'))).toBeNull()
    await blobs.sweep({ tenant, task: 'task_none' }, ['life.a'])
  })
})

it('one part of a long body is in memory at a time: the next part is read only when the part before is stored', async () => {
  let made = 0
  let kept = 0
  const ahead: number[] = []
  const counting = new Proxy(bucket, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if (name !== 'createMultipartUpload') return typeof found === 'function' ? found.bind(target) : found
      return async (key: string) => {
        const upload = await bucket.createMultipartUpload(key)
        return {
          abort: () => upload.abort(),
          complete: (parts: R2UploadedPart[]) => upload.complete(parts),
          async uploadPart(n: number, part: Uint8Array) {
            ahead.push(made - kept)
            const done = await upload.uploadPart(n, part)
            kept += part.byteLength
            return done
          },
        }
      }
    },
  })
  const body = generated(50 * MIB, 65_536, (bytes) => (made = bytes))
  expect(await r2Blobs(counting).write(refOf(), body, yes)).toBe(50 * MIB)
  expect(ahead).toHaveLength(10)
  expect(Math.max(...ahead)).toBeLessThanOrEqual(5 * MIB + 65_536)
})
