/** The bridge and the worker as processes, with the JSON lines that they print. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Told } from '../../scripts/lib/delegations/told.mjs'

export interface Program {
  pid: number
  told: Told[]
  /** All of it, for who reads words. */
  printed(): string
  /** Resolves with the next line of this event that nobody has asked for before. */
  next(event: string): Promise<Told>
  /** The exit code, or the signal. */
  ended: Promise<number | string>
  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void
}

const started: Program[] = []
/** Nobody outlives its test. */
export async function endPrograms(): Promise<void> {
  for (const program of started.splice(0)) {
    program.kill('SIGKILL')
    await program.ended
  }
}

/** `npm_lifecycle_event` is ours: what npm runs also watches npm. */
const cleanEnv = () => ({
  ...process.env,
  npm_lifecycle_event: undefined,
  LOOP_AGENT_URL: undefined,
  LOOP_AGENT_KEY: undefined,
})

export function startProgram(script: 'bridge' | 'worker', args: string[], env: Record<string, string> = {}): Program {
  const child: ChildProcess = spawn(process.execPath, [`scripts/${script}.mjs`, ...args], {
    env: { ...cleanEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const told: Told[] = []
  const printed: string[] = []
  let seen = 0
  let changed: () => void = () => undefined
  const hear = (line: string) => {
    printed.push(line)
    // With --json every line is one of these; the tests of words do not look here.
    if (line.startsWith('{')) told.push(JSON.parse(line) as Told)
    changed()
  }
  const closed = once(child, 'close').finally(() => changed())
  if (child.stdout === null || child.stderr === null) throw new Error('no output')
  createInterface(child.stdout).on('line', hear)
  createInterface(child.stderr).on('line', (line) => printed.push(line))
  const program: Program = {
    pid: child.pid ?? 0,
    told,
    printed: () => printed.join('\n'),
    next: async (event) => {
      for (;;) {
        const found = told.findIndex((one, index) => index >= seen && one.event === event)
        const [one] = told.slice(found, found + 1)
        if (found >= 0 && one !== undefined) {
          seen = found + 1
          return one
        }
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`ended:\n${printed.join('\n')}`)
        await new Promise<void>((resolve) => {
          changed = resolve
        })
      }
    },
    ended: closed.then(([code, signal]) => code ?? signal),
    kill: (signal) => child.kill(signal),
  }
  started.push(program)
  return program
}
