/** One run: servers up, everything compared in turn round by round, then growth and start-up; answers with plain figures. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import type { BuildOptions } from 'esbuild'
import { CHAT } from './floor/floor.ts'
import { growth, type Growth } from './growth.ts'
import { sample, type Sample } from './load.ts'
import { machine, makePlace, takeCores } from './machine.ts'
import { startBenchModel, type BenchModel } from './model.ts'
import { bundleFloor, FLOORS, serve, serviceBindings, type Server } from './servers.ts'
import { startup, type Startup } from './startup.ts'
import { createTasks, furnish } from './tasks.ts'
import { sliceVariants, stepVariants, type Servers, type Stock, type Variant } from './variants.ts'

/** How long and how often; `quick` only shows that everything works. */
export interface Scale {
  tasks: number
  rounds: number
  sample_ms: number
  hot_ms: number
  growth: { steps: number; groups: number; together: number }
  starts: number
}
export const FULL: Scale = {
  tasks: 500,
  rounds: 5,
  sample_ms: 1_200,
  hot_ms: 800,
  growth: { steps: 1_000, groups: 3, together: 4 },
  starts: 7,
}
export const QUICK: Scale = {
  tasks: 64,
  rounds: 2,
  sample_ms: 200,
  hot_ms: 150,
  growth: { steps: 200, groups: 1, together: 4 },
  starts: 2,
}
export const LANES = [1, 16, 64] as const
/** Times a sample, until the code that is measured is compiled. */
const WARMING = 8
/** So many that a task gets few slices: they are measured young. */
const SLICE_TASKS = 128

export interface Wanted {
  scale: Scale
  /** Where the service's modules and their manifest lie. */
  bundle: string
  bundling: BuildOptions
  /** From variables to text bindings, as `npm start` does it. */
  bindingsOf: (env: Record<string, string>) => Record<string, string>
  note: (text: string) => void
}
/** Samples of one variant under one load, one per round. */
export interface Series {
  id: string
  title: string
  load: string
  samples: Sample[]
}
export interface Results {
  made_at: string
  machine: ReturnType<typeof machine>
  scale: Scale
  model_ceiling: Sample
  prompt_bytes: number
  series: Series[]
  growth: Growth
  startup: Startup
  seconds: number
}
export interface Field extends Wanted {
  place: string
  core: number | null
  model: BenchModel
}

export async function bench(wanted: Wanted): Promise<Results> {
  const begun = performance.now()
  return onField(wanted, async (field) => {
    const { scale, note } = field
    const before = machine()
    const model_ceiling = await ceilingOf(field)
    note(`model by itself: ${Math.round(model_ceiling.per_s)} replies/s at 16 connections`)
    const measured = await steps(field)
    note('growth')
    const alone = await serveService(field, 'growth')
    const { steps: count, groups, together } = scale.growth
    const grown = await growth(alone, count, groups, together)
    note('start-up')
    const started = await startup(await bundlesOf(field), field.place, field.core, scale.starts)
    return {
      made_at: new Date().toISOString(),
      machine: before,
      scale,
      model_ceiling,
      ...measured,
      growth: grown,
      startup: started,
      seconds: Math.round((performance.now() - begun) / 1000),
    }
  })
}

/** Model and storage, gone again afterwards. */
export async function onField<T>(wanted: Wanted, act: (field: Field) => Promise<T>): Promise<T> {
  const place = makePlace(wanted.note)
  const remove = () => rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  process.once('exit', remove)
  const core = takeCores(wanted.note)
  const model = await startBenchModel()
  try {
    return await act({ ...wanted, place, core, model })
  } finally {
    await model.close()
    remove()
  }
}

export function serveService(field: Field, name: string, inspector?: string): Promise<Server> {
  const { bundle, place, model, bindingsOf } = field
  const run = inspector === undefined ? {} : { inspector }
  const bindings = bindingsOf(serviceBindings(model.base_url))
  return serve(bundle, join(place, name), bindings, { ...run, ...pinned(field) })
}

const pinned = ({ core }: Field) => (core === null ? {} : { core })

async function ceilingOf({ model, scale }: Field): Promise<Sample> {
  const headers = { 'cf-aig-metadata': '{"task":"none","mode":"none","phase":"thought","seq":5}' }
  const body = JSON.stringify({ model: 'bench', filler: '.'.repeat(6_000) })
  const request = () => ({ path: '/v1/chat/completions', body })
  return sample({ port: model.port, pid: process.pid, headers, request }, 16, { ms: scale.sample_ms })
}

async function bundlesOf({ bundle, bundling, bindingsOf, model, place }: Field) {
  const bindings = bindingsOf(serviceBindings(model.base_url))
  const json = await bundleFloor('json', place, bundling, bundle)
  return { service: { directory: bundle, bindings }, json: { directory: json, bindings: {} } }
}

async function startAll(field: Field): Promise<Servers> {
  const { bundle, bundling, place, model } = field
  const started: [string, Server][] = []
  for (const floor of FLOORS) {
    const directory = await bundleFloor(floor, place, bundling, bundle)
    const server = await serve(directory, join(place, floor), { MODEL_URL: model.base_url }, pinned(field))
    started.push([floor, server])
  }
  started.push(['service', await serveService(field, 'service')])
  return Object.fromEntries(started) as Servers // one for each floor, and the service
}

async function steps(field: Field): Promise<{ series: Series[]; prompt_bytes: number }> {
  const { scale, model, note } = field
  const servers = await startAll(field)
  try {
    await furnish(servers.service)
    const stock: Stock = {
      thoughts: await createTasks(servers.service, 'bench-thoughts', scale.tasks),
      actions: await createTasks(servers.service, 'bench-actions', scale.tasks),
    }
    const variants = stepVariants(servers, stock)
    note(`${scale.tasks} tasks of each kind are planned; warming up`)
    for (const { target } of variants) await sample(target, 16, { ms: scale.sample_ms * WARMING })
    const prompt_bytes = await promptBytes(model, variants, scale)
    checkFloor(prompt_bytes)
    const series: Series[] = []
    for (const lanes of LANES)
      series.push(...(await compare(variants, lanes, scale, `${lanes}`, scale.sample_ms, note)))
    series.push(...(await compare(await hotVariants(servers), 1, scale, 'one task', scale.hot_ms, note)))
    const whole = sliceVariants(servers, await createTasks(servers.service, 'bench', SLICE_TASKS))
    series.push(...(await compare(whole, 16, scale, 'slices', scale.sample_ms, note)))
    return { series, prompt_bytes }
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()))
  }
}

/** On one task, which takes one request after the other. */
async function hotVariants(servers: Servers): Promise<Variant[]> {
  const [thoughts, actions] = [
    await createTasks(servers.service, 'bench-thoughts', 1),
    await createTasks(servers.service, 'bench-actions', 1),
  ]
  return stepVariants(servers, { thoughts, actions })
}

/** A B C … A B C …: what the machine does meanwhile falls on all alike. */
async function compare(
  variants: Variant[],
  lanes: number,
  { rounds }: Scale,
  load: string,
  ms: number,
  note: Wanted['note'],
): Promise<Series[]> {
  note(`load ${load}: ${rounds} rounds of ${variants.map(({ id }) => id).join(' ')}`)
  const series = variants.map(({ id, title }): Series => ({ id, title, load, samples: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const [index, { target }] of variants.entries())
      series[index]?.samples.push(await sample(target, lanes, { ms }))
  }
  return series
}

/** A floor with a shorter prompt would be one that nobody can reach, and a longer one too easy. */
function checkFloor(prompt_bytes: number): void {
  const apart = Math.abs(JSON.stringify(CHAT).length / prompt_bytes - 1)
  if (apart > FLOOR_APART_MAX)
    throw new Error(
      `our prompt has ${prompt_bytes} bytes, that of the floors ${JSON.stringify(CHAT).length}: bench/floor/floor.ts`,
    )
}
const FLOOR_APART_MAX = 0.1

/** Bytes of the body of one of our model calls. */
async function promptBytes({ count }: BenchModel, variants: Variant[], { sample_ms }: Scale): Promise<number> {
  const before = { ...count }
  for (const { id, target } of variants) if (id === 'model') await sample(target, 16, { ms: sample_ms / 4 })
  return Math.round((count.bytes - before.bytes) / (count.calls - before.calls))
}
