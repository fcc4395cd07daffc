/**
 * What a run of model-written code costs, in workerd: CPU time of its process, and how far its memory goes. The sandbox is a Worker of its
 * own, bundled as the service is, so that nothing else is in the figures.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'
import * as z from 'zod'
import { median } from './load.ts'
import { cpuOf_ms } from './machine.ts'
import { CASES } from './sandbox-cases.ts'
import { bundleWorker, serve, workerOf, type Server } from './servers.ts'

export interface Figure {
  name: string
  /** Medians. */
  cpu_ms: number
  wall_ms: number
  /** By what an empty run takes. */
  ratio: number
  /** In millions of units: the same on every machine. */
  fuel: number
  /** Of the interpreter, in MB. */
  memory_mb: number
  /** The most that the process held, in MB; null where the kernel does not say. */
  peak_mb: number | null
}
export interface Wanted {
  runs: number
  /** The built service: what the runtime is told of it. */
  bundle: string
  bundling: BuildOptions
  place: string
  core: number | null
}

const Answer = z.object({
  ok: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  charts: z.array(z.number()),
  spent: z.object({ fuel: z.number(), memory_bytes: z.number() }),
})

export async function benchSandbox({ runs, bundle, bundling, place, core }: Wanted): Promise<Figure[]> {
  const entry = join(dirname(fileURLToPath(import.meta.url)), 'sandbox-worker.ts')
  const worker = { ...workerOf(bundle), assets: undefined, durableObjects: {} }
  const directory = await bundleWorker(entry, join(place, 'bundle'), bundling, worker)
  const server = await serve(directory, join(place, 'server'), {}, core === null ? {} : { core })
  try {
    const figures: Omit<Figure, 'ratio'>[] = []
    for (const { name, ok } of CASES) {
      // Compiles what the others run.
      await ran(server, name, ok)
      forgetPeak(server.pid)
      const spent: Awaited<ReturnType<typeof ran>>[] = []
      for (let run = 0; run < runs; run++) spent.push(await ran(server, name, ok))
      const of = (which: 'cpu_ms' | 'wall_ms') => median(spent.map((one) => one[which]))
      const { fuel = 0, memory_bytes = 0 } = spent[0] ?? {}
      const held = { fuel: fuel / 1e6, memory_mb: memory_bytes / 1_048_576 }
      figures.push({ name, ...held, cpu_ms: of('cpu_ms'), wall_ms: of('wall_ms'), peak_mb: peakOf_mb(server.pid) })
    }
    const empty = figures[0]?.cpu_ms ?? 1
    return figures.map((figure) => ({ ...figure, ratio: figure.cpu_ms / empty }))
  } finally {
    await server.stop()
  }
}

/** Throws when a case did not end as it should have. */
async function ran({ pid, port }: Server, name: string, ok: boolean) {
  const [cpu, wall] = [cpuOf_ms(pid) ?? 0, performance.now()]
  const response = await fetch(`http://127.0.0.1:${port}/?case=${encodeURIComponent(name)}`)
  const answer = Answer.parse(await response.json())
  const spent = { cpu_ms: (cpuOf_ms(pid) ?? 0) - cpu, wall_ms: performance.now() - wall }
  if (answer.ok !== ok) throw new Error(`${name}: ${JSON.stringify(answer)}`)
  return { ...spent, ...answer.spent }
}

function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // The peak is then that of the whole process so far.
  }
}

function peakOf_mb(pid: number): number | null {
  try {
    const [, kb] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kb === undefined ? null : Number(kb) / 1_024
  } catch {
    return null
  }
}
