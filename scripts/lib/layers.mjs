/** The layers of the tests, one line each: its commands, one of which fails when the layer notices a bug, and its time limit. */
import { spawn } from 'node:child_process'
import { NODE, ROOT } from './node.mjs'

const vitest = (project, ...how) => ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...how]
// Test files share their modules, which halves the time.
const unit = (...paths) => vitest('node', '--bail', '1', '--no-isolate', '--pool', 'threads', ...paths)
const sim = (...how) => ['--import', './scripts/lib/seeded-hook.mjs', 'scripts/sim.mjs', '--bail', ...how]

/** The output of a red run that failed because of a test or a checker. */
const TEST_FAILED = /Tests\s+.*\d failed/
const CHECK_FAILED = /"violations":[1-9]|never happened/

/**
 * `prepare` runs before a layer, and is not what catches. A run that is red and does not print `says` failed for a reason of its own.
 */
export const LAYERS = [
  {
    name: 'unit',
    commands: [unit('test/core', 'test/shell'), unit('test/http', 'test/models')],
    says: TEST_FAILED,
    limit_s: 300,
  },
  {
    name: 'store',
    commands: [vitest('workerd', 'test/store', 'test/workerd/http.test.ts')],
    says: TEST_FAILED,
    limit_s: 180,
  },
  {
    name: 'simulation',
    commands: [sim('--seeds', '2000')],
    says: CHECK_FAILED,
    limit_s: 600,
  },
  {
    name: 'crash points',
    commands: [sim('--seeds', '0', '--points')],
    says: CHECK_FAILED,
    limit_s: 300,
  },
  {
    name: 'model',
    commands: [vitest('workerd apart', 'test/workerd/model.test.ts')],
    says: TEST_FAILED,
    limit_s: 300,
  },
  {
    name: 'chaos',
    prepare: ['scripts/build.mjs'],
    commands: [['scripts/chaos.mjs', '--kills', '10']],
    says: CHECK_FAILED,
    limit_s: 300,
  },
]

const PREPARE_LIMIT_S = 60

/** Runs a layer: `green`, `red`, `timed out`, `interrupted`, or `broken` when it failed for a reason of its own. */
export async function runLayer({ prepare, commands, says, limit_s }, env) {
  const ready = prepare === undefined ? { outcome: 'green', output: '' } : await run(prepare, PREPARE_LIMIT_S, env)
  if (ready.outcome !== 'green') return { ...ready, outcome: 'broken' }
  for (const command of commands) {
    const { outcome, output } = await run(command, limit_s, { ...env, NO_COLOR: '1' })
    if (outcome !== 'green') return { outcome: outcome === 'red' && !says.test(output) ? 'broken' : outcome, output }
  }
  return ready
}

const OUTPUT_CHARS_KEPT = 4_000

/** The command runs in its own process group, which is ended afterwards. */
function run(args, limit_s, env) {
  const child = spawn(NODE, args, { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, late] = ['', false]
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output = `${output}${chunk}`.slice(-OUTPUT_CHARS_KEPT)))
  const kill = () => killGroup(child.pid)
  const timer = setTimeout(() => ((late = true), kill()), limit_s * 1000)
  process.once('exit', kill)
  return new Promise((resolve) => {
    child.once('error', () => resolve({ outcome: 'broken', output }))
    child.once('close', (code) => {
      clearTimeout(timer)
      process.removeListener('exit', kill)
      kill()
      const ended = code === null ? 'interrupted' : code === 0 ? 'green' : 'red'
      resolve({ outcome: late ? 'timed out' : ended, output })
    })
  })
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
