/** The adversary: decides which gate opens next and what goes wrong there. */
import { attempt, type Clients, type Ticketed } from './clients.ts'
import type { Random } from './random.ts'
import { DIED, RESET, type Gate } from './scheduler.ts'

/** Shares of opened gates, and of moves between them, at which something goes wrong. */
export interface Faults {
  crash: number
  /** At the calls of tools, whose worker may die three times in a row, and of a model that chooses one as the last of three, or sums up. */
  crash_at_tool: number
  /** At calls of clients' servers. */
  crash_outside: number
  reset: number
  repeat: number
  ghost: number
  reboot: number
  jump: number
  hang_up: number
}
export const NO_FAULTS: Faults = {
  crash: 0,
  crash_at_tool: 0,
  crash_outside: 0,
  reset: 0,
  repeat: 0,
  ghost: 0,
  reboot: 0,
  jump: 0,
  hang_up: 0,
}

const HOUR_MS = 3_600_000
/** Longer than a tool's time and the grace of its lease. */
const LEASE_OVER_MS = 40_000

export interface Chaos {
  random: Random
  clients: Clients
  faults: Faults
  /** Calls that were made and are on their way a second time. */
  ghosts: { gate: Gate; life: number }[]
  crashes: number
  trace: string[] | null
}

const tell = (chaos: Chaos, line: () => string) => chaos.trace?.push(line())

const OUTSIDE = /^tool\.(?:outside|look|answer|abandon)$/
/** Calls that come last, so that few are left to die at. */
const LAST = /^tool\.(?:answer|abandon)$/
/** Calls that few workers live to make. */
const LATE = /^(?:tool\.|model\.(?:action|summary)$)/

/** Opens a parked gate, with or without a fault. */
export async function openGate(chaos: Chaos, gate: Gate): Promise<void> {
  const { random, faults, clients } = chaos
  const { scheduler, seen, clock } = clients.world
  // Time passes between any two calls, so that no two lives of a task are of the same moment.
  clock.now += 1
  const { crash_at_tool, crash_outside, crash: usual } = faults
  const deadly = OUTSIDE.test(gate.label)
    ? crash_outside * (LAST.test(gate.label) ? 2 : 1)
    : LATE.test(gate.label)
      ? crash_at_tool
      : usual
  if (random.chance(deadly)) {
    // A tool is given up at its third death only: its lease is over before anybody asks.
    if (deadly > faults.crash) clock.now += LEASE_OVER_MS
    return crash(chaos, gate, random.chance(0.5) ? 'before' : 'after')
  }
  if (random.chance(faults.reset)) {
    const after = random.chance(0.5)
    tell(chaos, () => `${gate.actor.name}: ${gate.shown()} – object reset ${after ? 'after' : 'before'}`)
    seen('object reset')
    if (after) await gate.deliver()
    return scheduler.fail(gate, RESET)
  }
  if (gate.repeatable && random.chance(faults.repeat)) {
    const lost = random.chance(0.5)
    tell(chaos, () => `${gate.actor.name}: ${gate.shown()} – ${lost ? 'reply lost, sent again' : 'delivered twice'}`)
    seen(lost ? 'lost reply' : 'repeated delivery')
    gate.actor.resent ||= lost
    const [first, second] = [await gate.deliver(), await gate.deliver()]
    return scheduler.answer(gate, lost ? second : first)
  }
  if (gate.repeatable && gate.label !== 'store.create' && random.chance(faults.ghost))
    chaos.ghosts.push(ghostOf(chaos, gate))
  tell(chaos, () => `${gate.actor.name}: ${gate.shown()}`)
  return scheduler.answer(gate, gate.deliver())
}

const ghostOf = ({ clients: { world } }: Chaos, gate: Gate) => ({ gate, life: livesOf(world) })
/** A call never arrives in another life of its task: ids are not guessed. */
const livesOf = ({ lives }: Clients['world']) => [...lives.values()].reduce((sum, life) => sum + life, 0)

export async function crash(chaos: Chaos, gate: Gate, when: 'before' | 'after'): Promise<void> {
  const { scheduler, seen } = chaos.clients.world
  tell(chaos, () => `${gate.actor.name}: ${gate.shown()} – worker dies ${when}`)
  seen(`crash ${when} ${gate.label}`)
  chaos.crashes += 1
  if (when === 'after') await gate.deliver()
  gate.actor.alive = false
  return scheduler.fail(gate, DIED)
}

/** The process dies: with everything in it on one machine, else only the object's. */
export async function reboot(chaos: Chaos): Promise<void> {
  const { clients } = chaos
  const { world } = clients
  world.boots.object = `boot${Number(world.boots.object.slice(4)) + 1}`
  world.seen('reboot')
  tell(chaos, () => `reboot: ${world.boots.object}`)
  if (world.boots.apart) return
  for (const { actor } of world.scheduler.parked.slice()) if (actor.alive) await world.scheduler.kill(actor)
}

/** What happens between two calls. */
export async function meanwhile(chaos: Chaos): Promise<void> {
  const { random, faults, clients } = chaos
  const { world } = clients
  if (random.chance(faults.reboot)) await reboot(chaos)
  if (random.chance(faults.jump)) {
    const forward = random.chance(0.5)
    world.clock.now += forward ? HOUR_MS : -HOUR_MS
    world.seen(forward ? 'clock forward' : 'clock back')
    tell(chaos, () => `clock ${forward ? '+' : '-'}1 h`)
  }
  if (random.chance(faults.hang_up)) {
    // An alarm has nobody who could.
    const parked = world.scheduler.parked.filter(({ actor }) => !actor.gone && !actor.name.startsWith('alarm'))
    const { actor } = parked.length > 0 ? random.pick(parked) : { actor: null }
    if (actor !== null) actor.gone = true
    actor?.left?.abort()
    world.seen('hang-up')
  }
  if (chaos.ghosts.length > 0 && random.chance(0.3)) {
    const [ghost] = chaos.ghosts.splice(random.below(chaos.ghosts.length), 1)
    if (ghost === undefined || ghost.life !== livesOf(world)) return
    tell(chaos, () => `late: ${ghost.gate.shown()}`)
    world.seen('delayed delivery')
    await ghost.gate.deliver()
  }
}

const ATTEMPTS_MAX = 6

/** Whether a client may try again: under its key always, else only what nobody has answered. */
const mayRepeat = ({ request, actors }: Ticketed) =>
  request.key !== null && actors.length < ATTEMPTS_MAX && actors.filter((actor) => !actor.over).length < 2

/** A client that saw no answer, or that is impatient, sends its request again under the same key. */
export async function repeatOne(chaos: Chaos): Promise<boolean> {
  const { random, clients } = chaos
  const open = clients.all.filter(mayRepeat)
  if (open.length === 0) return false
  const ticketed = random.pick(open)
  const other = ticketed.kept !== null && random.chance(0.15) ? 'other' : undefined
  tell(
    chaos,
    () =>
      `${ticketed.request.name} again under ${ticketed.request.key?.key}${other === undefined ? '' : ', another body'}`,
  )
  await attempt(clients, ticketed, false, other)
  return true
}

/** A client whose task was deleted makes it again under its key: the id comes back, and with it the keys of effects. */
export async function remakeOne({ clients, random, trace }: Chaos): Promise<boolean> {
  const { world, all } = clients
  const gone = all.find(({ request, kept, actors }) => {
    const deleted = kept !== null && !world.tasks.has(kept.answer.task.id)
    return request.name === 'create' && deleted && actors.every(({ over }) => over) && actors.length < ATTEMPTS_MAX
  })
  if (gone === undefined || random.chance(0.3)) return false
  trace?.push(`create again under ${gone.request.key?.key}, after a delete`)
  await attempt(clients, gone)
  return true
}
