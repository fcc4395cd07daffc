/** The curl lines of README.md, run as they stand there by a shell: only the port is another. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { TaskEntry } from '../../src/core/terms/view.ts'
import * as z from 'zod'
import { call, newPlace, type Place } from './support.ts'

let place: Place
afterEach(() => place.leave())

function curlLines(readme: string): string {
  const marked = /<!-- curl:start -->([\s\S]*?)<!-- curl:end -->/.exec(readme)?.[1] ?? ''
  return marked.replaceAll(/^```.*$/gm, '').trim()
}

it('the five curl lines of the README work in order and finish a task', async () => {
  const lines = curlLines(readFileSync('README.md', 'utf8'))
  expect(lines.match(/\bcurl\b/g)).toHaveLength(5)
  place = newPlace()
  const service = await place.start()
  const script = `set -euo pipefail\n${lines.replaceAll(/(127\.0\.0\.1|localhost):8787/g, new URL(service.url).host)}`
  // Rejects unless the shell, and with it the last of every pipe, ends with 0.
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { timeout: 20_000 })
  expect(stdout).not.toContain('"type":"urn:loop-agent:problem')
  const { data } = z.object({ data: z.array(TaskEntry) }).parse(await call(service, 'GET', '/tasks'))
  expect(data).not.toEqual([])
  for (const task of data) expect(['completed', 'input_required']).toContain(task.status)
})
