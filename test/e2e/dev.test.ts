/** `npm run dev` leaves nothing behind, however it is ended (Linux): neither wrangler nor its runtime nor a build that it runs. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { afterAll, afterEach, expect, it } from 'vitest'
import { makeDataDir, removeDataDir } from '../../scripts/lib/service.mjs'
import { NODE } from '../../scripts/lib/node.mjs'
import { ENV, processesWith } from './support.ts'

const mark = makeDataDir()
afterAll(() => removeDataDir(mark))
let shell: ChildProcess | null = null
afterEach(() => {
  if (shell?.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) return
  process.kill(-shell.pid, 'SIGKILL')
})

/** As npm starts it: a shell stands above it. The folder of the state is in the arguments of wrangler, and so in the environment of what it starts. */
async function startDev() {
  const command = `true && "${NODE}" scripts/dev.mjs --port 0 --persist-to ${mark}; exit $?`
  const env = { ...process.env, ...ENV, npm_lifecycle_event: 'dev', DEV_MARK: mark }
  shell = spawn('sh', ['-c', command], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)))
  await expect.poll(() => printed, { timeout: 90_000 }).toContain('Ready on')
  const running = await processesWith(mark)
  return { pid: Number(shell.pid), running }
}

/** The process that runs a script, by its command line. */
function pidOf(text: string): number {
  const lines = execFileSync('ps', ['axww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  const line = lines.find((one) => one.includes(text) && one.includes(mark) && !one.includes('sh -c'))
  return Number(line?.trim().split(' ')[0])
}

const WAYS: [string, (pid: number) => void][] = [
  ['Ctrl-C in its terminal', (pid) => void process.kill(-pid, 'SIGINT')],
  ['kill -9 of the shell above it', (pid) => void process.kill(pid, 'SIGKILL')],
  ['kill -9 of itself', () => void process.kill(pidOf('scripts/dev.mjs'), 'SIGKILL')],
]
it.runIf(process.platform === 'linux').each(WAYS)(
  'OPS-10 after %s nothing of npm run dev is left',
  async (_, endIt) => {
    const { pid, running } = await startDev()
    expect(running.some((one) => one.includes('workerd'))).toBe(true)
    endIt(pid)
    await expect.poll(() => processesWith(mark), { timeout: 30_000 }).toEqual([])
  },
  150_000,
)
