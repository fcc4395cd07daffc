/**
 * What a change costs: the bundles of two commits do the same requests in turn, and each round gives the ratio of their processor time. Both
 * have a runtime of their own on one core, and one scripted model.
 */
import { join } from 'node:path'
import { ratioInterval, type Interval } from './interval.ts'
import { median, sample } from './load.ts'
import { onField, QUICK, type Wanted } from './run.ts'
import { serve, serviceBindings, type Server } from './servers.ts'
import { startup } from './startup.ts'
import { createTasks, furnish } from './tasks.ts'
import { serviceVariants, wholeSlices, type Variant } from './variants.ts'

export interface AbScale {
  rounds: number
  /** Requests of a sample, by the id of their variant. What is not named here is not measured. */
  requests: Partial<Record<AbId, number>>
  /** Samples before the first that counts: the code is not compiled yet. */
  warming: number
  tasks: number
}
export const AB_IDS = ['model', 'action', 'tool', 'slice', 'start'] as const
export type AbId = (typeof AB_IDS)[number]

export interface Compared {
  id: AbId
  title: string
  /** Medians, in ms of CPU a request, or a start. */
  base_ms: number
  tree_ms: number
  /** Of the tree to the base: above 1 the tree is dearer. */
  of_base: Interval
}

const LANES = 16

/** `bundle` is that of the tree, and `base` the folder of the other one. */
export function compareBundles(wanted: Omit<Wanted, 'scale'> & { base: string }, scale: AbScale): Promise<Compared[]> {
  return onField({ ...wanted, scale: QUICK }, async ({ place, core, model, bindingsOf, note }) => {
    const bindings = bindingsOf(serviceBindings(model.base_url))
    const run = core === null ? {} : { core }
    const directories = { base: wanted.base, tree: wanted.bundle }
    const servers: Server[] = []
    const side = async (name: keyof typeof directories): Promise<Map<string, Variant>> => {
      const server = await serve(directories[name], join(place, name), bindings, run)
      servers.push(server)
      return variantsOf(server, scale)
    }
    const compared: Compared[] = []
    try {
      const [base, tree] = [await side('base'), await side('tree')]
      for (const [id, requests] of Object.entries(scale.requests) as [AbId, number][]) {
        const sides = { base: base.get(id), tree: tree.get(id) }
        if (sides.base === undefined || sides.tree === undefined) continue
        note(`${sides.tree.title}: ${scale.rounds} rounds of ${requests} requests each`)
        const pairs = await inTurns({ base: sides.base, tree: sides.tree }, requests, scale)
        compared.push(comparedOf(id, sides.tree.title, pairs))
      }
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
    if (scale.requests.start === undefined) return compared
    note(`${scale.rounds} starts each`)
    const both = { base: { directory: wanted.base, bindings }, tree: { directory: wanted.bundle, bindings } }
    const starts = await startup(both, place, core, scale.rounds)
    const pairs = starts.tree.map((tree, round) => [tree, starts.base[round] ?? Number.NaN] as const)
    return [...compared, comparedOf('start', 'start until the first answer', pairs)]
  })
}

async function variantsOf(server: Server, { tasks, requests }: AbScale): Promise<Map<string, Variant>> {
  await furnish(server)
  const ids = (kind: Parameters<typeof createTasks>[1]) => createTasks(server, kind, tasks)
  const stock = {
    thoughts: await ids('bench-thoughts'),
    actions: requests.action === undefined ? [] : await ids('bench-actions'),
  }
  const whole = requests.slice === undefined ? [] : [wholeSlices(server, await ids('bench'))]
  return new Map([...serviceVariants(server, stock), ...whole].map((variant) => [variant.id, variant]))
}

/** Of each round the CPU of the tree and of the base. Each side begins every other round. */
async function inTurns(sides: { base: Variant; tree: Variant }, requests: number, { rounds, warming }: AbScale) {
  const pairs: (readonly [number, number])[] = []
  for (let round = -warming; round < rounds; round++) {
    const cost = async ({ target }: Variant) => (await sample(target, LANES, { requests })).cpu_ms ?? Number.NaN
    const [first, second] = round % 2 === 0 ? [sides.base, sides.tree] : [sides.tree, sides.base]
    const [one, other] = [await cost(first), await cost(second)]
    if (round >= 0) pairs.push(first === sides.tree ? [one, other] : [other, one])
  }
  return pairs
}

function comparedOf(id: AbId, title: string, pairs: readonly (readonly [number, number])[]): Compared {
  const middle = (side: 0 | 1) => median(pairs.map((pair) => pair[side]))
  return { id, title, base_ms: middle(1), tree_ms: middle(0), of_base: ratioInterval(pairs) }
}

/** Whether it is dearer than so much of the base for sure: the whole interval says so. */
export const isDearer = ({ of_base }: Compared, most: number): boolean => of_base.low > most
