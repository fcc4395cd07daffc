/** `npm run demo` as a stranger sees it: it ends with 0, without an account and without a network, and its lines are English. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { ENV } from './support.ts'

async function demo(): Promise<{ code: unknown; printed: string }> {
  const env = Object.fromEntries(Object.entries({ ...process.env, ...ENV }).filter(([, value]) => value !== undefined))
  const child = spawn(process.execPath, ['scripts/demo.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  // It stops its own service on the way out.
  onTestFinished(() => void child.kill('SIGTERM'))
  const parts: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(String(part)))
  const [code] = await once(child, 'close')
  return { code, printed: parts.join('') }
}

it('the demo completes a goal, and writes a count of one in the singular', async () => {
  const { code, printed } = await demo()
  expect([code, printed]).toEqual([0, expect.stringContaining('--- Your turn')])
  expect(printed).toMatch(/^ {2}replanned 1 item$/m)
  expect(printed).toMatch(/^ {2}replanned \d items$/m)
  expect(printed).not.toMatch(/\b1 (items|steps)\b/)
  expect(printed).not.toContain('undefined')
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:8787\/ +# the console/m)
})
