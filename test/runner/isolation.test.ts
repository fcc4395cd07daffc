/** What code may do in the reference runner, and what it may not: each attack with its outcome (docs/code-runner.md "Security"). Needs python3. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  asked,
  CAN_BE_NOBODY,
  healthOf,
  NO_PYTHON,
  NOBODY,
  post,
  ran,
  startRunner,
  type Health,
  type Runner,
} from '../support/runner.ts'

const place = mkdtempSync(join(tmpdir(), 'loop-agent-place-'))
// As any directory for temporary files.
chmodSync(place, 0o1777)
const FILTERS = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
const ROOT = process.getuid?.() === 0
const ENV = {
  A_SECRET_OF_THE_RUNNER: 'canary',
  OPENAI_API_KEY: 'canary',
  TMPDIR: place,
  RUNNER_MEMORY_MB: '384',
  RUNNER_DISK_MB: '48',
}
interface Kind {
  name: string
  runner: Runner
  health: Health
  /** Another like it. */
  start: () => Promise<Runner>
}
const kinds: Kind[] = []
// Registered before anything is started, so that a start that fails leaves nothing.
afterAll(async () => {
  for (const { runner } of kinds) await runner.stop()
  await emptied()
})
/** A runner that was killed may be removing a directory still: what it leaves is gone only when both are done. */
async function emptied(): Promise<void> {
  while (existsSync(place)) {
    rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    await new Promise((resolve) => setImmediate(resolve))
  }
}
const OPEN = { ...ENV, RUNNER_NO_ISOLATION: '1' }
async function add(name: string, start: () => Promise<Runner>): Promise<void> {
  const runner = await start()
  kinds.push({ name, runner, health: await healthOf(runner), start })
}
/** Started as root, code has a user of its own, who may not be allowed to enter where the first Python is installed. */
const anyPython = (env: Record<string, string>) => () =>
  startRunner(env).catch(() => startRunner({ ...env, RUNNER_PYTHON: '/usr/bin/python3' }))
if (!NO_PYTHON) {
  await add('as the machine allows', anyPython(ENV))
  await add('without isolation', anyPython(OPEN))
}
if (!NO_PYTHON && CAN_BE_NOBODY)
  await add('without isolation, started by an ordinary user', () => startRunner(OPEN, NOBODY))

/** Processes with this text among their arguments. */
const alive = (text: string) =>
  execFileSync('ps', ['axww', '-o', 'args='], { encoding: 'utf8', maxBuffer: 64 << 20 })
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('ps '))
const marker = () => `9${Math.floor(Math.random() * 1e12)}`

/** A process in a session of its own that nobody waits for, and that is not asked to leave twice. */
const detached = (seconds: string) => `
import os, signal
if os.fork() == 0:
  os.setsid()
  if os.fork() == 0:
    for number in (signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
    for number in (0, 1, 2): os.close(number)
    os.execvp('sleep', ['sleep', '${seconds}'])
  os._exit(0)
os.wait()
`

it.skipIf(!NO_PYTHON)('python3 from 3.9 on is not here: nothing of the reference runner was tried', () => {
  expect(kinds).toEqual([])
})

describe.each(kinds)('code in the reference runner, $name', ({ runner, health, start }) => {
  const attempt = async (expression: string, more: object = {}) => {
    const code = `try:\n  print('DONE', ${expression})\nexcept BaseException as error:\n  print(type(error).__name__)`
    return (await ran(runner, code, more)).stdout.trim()
  }
  const isolated = health.files === 'isolated'

  it('has an environment of its own, no input, no descriptor, and an empty directory', async () => {
    const code = `
import os, sys
def is_open(number):
  try: return bool(os.fstat(number))
  except OSError: return False
print(sorted(os.environ), os.listdir('.'), [number for number in range(3, 1000) if is_open(number)], sys.flags.isolated, repr(sys.stdin.read()))`
    const names = `['HOME', 'LANG', 'MKL_NUM_THREADS', 'MPLBACKEND', 'MPLCONFIGDIR', 'NUMEXPR_NUM_THREADS', 'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'PATH', 'TMPDIR', 'TZ']`
    expect((await ran(runner, code)).stdout).toBe(`${names} [] [] 1 ''\n`)
    expect((await ran(runner, `print(open('/proc/self/environ').read())`)).stdout).not.toContain('canary')
    const others = `
import glob
for path in glob.glob('/proc/[0-9]*/environ'):
  try: print(open(path).read())
  except OSError: pass`
    expect((await ran(runner, others)).stdout).not.toContain('A_SECRET_OF_THE_RUNNER')
    expect(await attempt(`open('/proc/self/oom_score_adj').read()`)).toMatch(/^DONE 1000$/)
  })

  it('nothing of it is left when its time is over: children, grandchildren, those in other sessions', async () => {
    const seconds = marker()
    const told = await ran(runner, `${detached(seconds)}\nwhile True: pass`, { timeout_s: 1 })
    expect(told).toMatchObject({ timed_out: true, exit_code: null })
    expect(alive(seconds)).toEqual([])
  })

  it('nor when it ends by itself; it is not waited for what it left behind', async () => {
    const seconds = marker()
    const told = await ran(runner, `${detached(seconds)}\nos.system('sleep ${seconds} &')\nprint('end')`)
    expect([told.status, told.stdout, alive(seconds)]).toEqual(['success', 'end\n', []])
    expect(told.duration_ms).toBeLessThan(20_000)
  })

  it('memory is bounded: of one process by an error, of many by their end', async () => {
    expect(await attempt('len(bytearray(3 << 30))')).toBe('MemoryError')
    const many = `
import os, time
for _ in range(8):
  if os.fork() == 0:
    block = b'x' * (100 << 20)
    time.sleep(60)
time.sleep(60)`
    expect(await ran(runner, many)).toMatchObject({
      status: 'error',
      timed_out: false,
      stderr: expect.stringContaining('MB of memory'),
    })
  })

  it('a fork bomb reaches its bound and ends with the time; the runner goes on', async () => {
    const bomb = `
import os, time
parent, made = os.getpid(), 0
while True:
  try:
    if os.fork() == 0: time.sleep(60)
    made += 1
  except OSError:
    print(made); break
while True:
  try: os.fork()
  except OSError: pass`
    const told = await ran(runner, bomb, { timeout_s: 1.5 })
    expect(told.timed_out).toBe(true)
    expect(Number(told.stdout)).toBeGreaterThan(0)
    expect(Number(told.stdout)).toBeLessThanOrEqual(32)
    expect(await attempt('1')).toBe('DONE 1')
  })

  it('output is kept up to a bound, and beyond another the run ends', async () => {
    const much = await ran(runner, `import sys\nprint('a' * 70000)\nsys.stderr.write('b' * 70000 + 'end')`)
    expect(much).toMatchObject({ status: 'success', stdout: 'a'.repeat(65_536) })
    expect(much.stderr.slice(0, 65_536)).toBe(`${'b'.repeat(65_533)}end`)
    const told = await ran(runner, `while True: print('x' * 100000)`)
    expect(told).toMatchObject({
      status: 'error',
      timed_out: false,
      stderr: expect.stringContaining('printed more than 16 MB'),
    })
  })

  it('files are bounded: one by one, all together, and in number', async () => {
    expect(await attempt(`open('a', 'wb').truncate(1 << 40)`)).toBe('OSError')
    const told = await ran(
      runner,
      `number = 0\nwhile True:\n  open(str(number), 'wb').write(b'x' * (20 << 20)); number += 1`,
    )
    expect([told.status, told.timed_out]).toEqual(['error', false])
    const names = await ran(runner, `import os\nwhile True:\n  os.mkdir('d'); os.chdir('d')`)
    expect([names.status, names.timed_out]).toEqual(['error', false])
  })

  it.each([
    ['a link', `import os; os.symlink('/etc/passwd', 'result.json'); os.symlink('/etc/passwd', 'a.svg')`],
    ['a pipe', `import os; os.mkfifo('result.json'); os.mkfifo('a.svg')`],
    ['a second name', `import os; open('x', 'w').write('[]'); os.link('x', 'result.json'); os.link('x', 'a.svg')`],
    ['a directory', `import os; os.mkdir('result.json'); os.mkdir('a.svg')`],
  ])('%s is neither results nor a chart', async (_what, code) => {
    const told = await ran(runner, code)
    expect(told).toMatchObject({ status: 'error', exit_code: 0, results: null, charts: [] })
    expect(told.stderr).toContain('result.json is not kept, it is no plain file')
    expect(told.stderr).toContain('a.svg is not kept, it is no plain file')
  })

  it('the dataset cannot be changed for the run after it', async () => {
    await fetch(`${runner.url}/datasets/kept`, { method: 'PUT', body: 'as it was' })
    const dataset = { id: 'kept', name: 'a.csv' }
    const vandal = `
import os
for deed in (lambda: os.chmod('a.csv', 0o777), lambda: open('a.csv', 'w').write('x'), lambda: os.unlink('a.csv'), lambda: open('a.csv', 'w').write('y')):
  try: deed()
  except OSError: pass`
    await ran(runner, vandal, { dataset })
    const mounted = `__import__('os').statvfs('a.csv').f_flag & __import__('os').ST_RDONLY`
    if (isolated) expect(await attempt(mounted, { dataset })).toBe('DONE 1')
    expect((await ran(runner, `print(open('a.csv').read())`, { dataset })).stdout).toBe('as it was\n')
  })

  it('of a file that only its owner may read nothing is read', async () => {
    const secret = join(place, 'of-the-service')
    writeFileSync(secret, 'canary', { mode: 0o600 })
    const told = await attempt(`open(${JSON.stringify(secret)}).read()`)
    // Without isolation this holds for another user's files: started as root, code has a user of its own.
    if (isolated) expect(told).toBe('FileNotFoundError')
    else expect(told).toBe(ROOT ? 'PermissionError' : 'DONE canary')
  })

  it.skipIf(!ROOT)('started as root it is not root, and cannot become it', async () => {
    expect(await attempt('__import__("os").setuid(0)')).toBe('PermissionError')
    expect(
      await attempt(
        '__import__("os").getresuid().count(0) + __import__("os").getresgid().count(0) + len(__import__("os").getgroups())',
      ),
    ).toBe('DONE 0')
  })

  it.skipIf(health.network !== 'isolated')(
    'has no network, not even this machine (where the machine allows that)',
    async () => {
      let came = 0
      const server = createServer((_request, response) => response.end(String((came += 1))))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      // A server that listens on a port has an address of this kind.
      const { port } = server.address() as AddressInfo
      for (const family of ['AF_INET', 'AF_INET6']) {
        const said = await attempt(
          `__import__('socket').socket(__import__('socket').${family}).connect(('localhost', ${port}))`,
        )
        expect(said).toMatch(/^(?:PermissionError|OSError|gaierror)$/)
      }
      expect(await attempt(`__import__('urllib.request').request.urlopen('http://127.0.0.1:${port}/').read()`)).toBe(
        'URLError',
      )
      await new Promise((resolve) => server.close(resolve))
      expect(came).toBe(0)
    },
  )

  it.skipIf(!FILTERS)('cannot trace, mount, or make namespaces (Linux on x64 and arm64)', async () => {
    const calls = `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args): return getattr(libc, name)(*args), ctypes.get_errno()
print(call('unshare', 0x10000000), call('ptrace', 0, 0, 0, 0), call('mount', None, b'/tmp', b'tmpfs', 0, None), call('memfd_create', b'x', 0))`
    expect((await ran(runner, calls)).stdout).toBe('(-1, 1) (-1, 1) (-1, 1) (-1, 1)\n')
    const threads = `import threading\nthread = threading.Thread(target=lambda: print('thread')); thread.start(); thread.join()`
    expect((await ran(runner, threads)).stdout).toBe('thread\n')
  })

  it('two at once see nothing of each other', async () => {
    const code = (name: string) => `
import os, time
open('${name}', 'w').write('x')
open(os.path.join(os.environ['TMPDIR'], '${name}'), 'w').write('x')
time.sleep(0.5)
print(os.listdir('.'), [name for name in os.listdir(os.environ['TMPDIR']) if name != 'matplotlib'])`
    const both = await Promise.all([ran(runner, code('a')), ran(runner, code('b'))])
    expect(both.map(({ stdout }) => stdout)).toEqual([`['a'] ['a']\n`, `['b'] ['b']\n`])
  })

  it('leaves no directory behind, whatever it did to its rights', async () => {
    const code = `
import os
print(os.getcwd())
os.makedirs('a/b/c'); open('a/b/c/x', 'w'); os.chmod('a/b', 0); os.chmod('a', 0); os.chmod('.', 0)`
    const { stdout } = await ran(runner, code)
    expect(stdout).toMatch(isolated ? /^\/job\n$/ : /\/loop-agent-run-[^/]+\/job\n$/)
    // Removed while the answer is on its way.
    const isThere = () => readdirSync(place).includes(basename(dirname(stdout.trim())))
    while (isThere()) await new Promise((resolve) => setImmediate(resolve))
    expect(isThere()).toBe(false)
  })

  it('dies with the runner', async () => {
    const seconds = marker()
    const doomed = await start()
    const lost = post(doomed.url, asked(`${detached(seconds)}\nwhile True: pass`)).catch(() => 'lost')
    while (alive(seconds).length === 0) await new Promise((resolve) => setImmediate(resolve))
    await doomed.stop()
    expect(await lost).toBe('lost')
    while (alive(seconds).length > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(alive(seconds)).toEqual([])
  })

  describe.skipIf(!isolated)('where the machine allows namespaces', () => {
    it('sees programs, its directory, and nothing else of the file system', async () => {
      const seen = `[name for name in __import__('os').listdir('/') if name in ('boot', 'mnt', 'run', 'srv', 'sys')]`
      expect(await attempt(seen)).toBe('DONE []')
      for (const path of ['/etc/shadow', process.cwd(), runner.data_dir, place])
        expect(await attempt(`__import__('os').stat(${JSON.stringify(path)})`)).toBe('FileNotFoundError')
      expect(await attempt(`open('/usr/canary', 'w')`)).toMatch(/^(?:OSError|PermissionError)$/)
      expect(await attempt(`open('/canary', 'w')`)).toMatch(/^(?:OSError|PermissionError)$/)
    })

    it('sees its own processes alone, and ends none but those', async () => {
      expect(await attempt(`[name for name in __import__('os').listdir('/proc') if name.isdigit()]`)).toMatch(
        /^DONE \[(?:'1', '2')?\]$/,
      )
      expect(await attempt('__import__("os").kill(1, 9)')).toMatch(/^(?:PermissionError|DONE None)$/)
      expect(await attempt('1')).toBe('DONE 1')
    })
  })
})
