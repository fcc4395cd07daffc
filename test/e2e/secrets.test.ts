/** The secrets of a tenant on the disk and in the output of the built service (U51). */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { call, newPlace } from './support.ts'

const CANARY = 'canary-of-the-files-of-the-service'
const place = newPlace()
afterEach(() => place.leave())

/** What stands in all files below the data directory, byte for byte. */
function filesIn(directory: string): string {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => join(directory, name))
  return files.flatMap((file) => (statSync(file).isFile() ? readFileSync(file, 'latin1') : [])).join('\n')
}

it('U51 a value is in no file of the objects and in no line of the output, and its secret outlives the process', async () => {
  const first = await place.start()
  const put = { value: CANARY, hosts: ['api.example.com'] }
  const shown = await call(first, 'PUT', '/secrets/name-of-a-secret', put)
  await expect(
    call(first, 'PUT', '/secrets/name-of-a-secret', { ...put, hosts: [`https://${CANARY}/`] }),
  ).rejects.toThrow('422')
  await first.stop()
  const second = await place.start()
  expect(await call(second, 'GET', '/secrets/name-of-a-secret')).toEqual(shown)
  await second.stop()
  const files = filesIn(place.dataDir)
  expect(files).toContain('name-of-a-secret')
  for (const kept of [files, first.output(), second.output()])
    for (const spelling of [CANARY, btoa(CANARY).slice(0, -4)]) expect(kept).not.toContain(spelling)
})
