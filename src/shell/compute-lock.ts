/**
 * Lets one computation at a time into the place where code runs. Tenants alternate, and the calls of one tenant keep their order. A holder
 * that leaves wakes the next one. A request may be cut off while it holds the lock or waits, so each waiter also looks by itself, seldom
 * enough that thousands of waiters cost next to nothing.
 */
interface LockTime {
  now_ms(): number
  /** Lets other work run for `ms`, or until `woken` resolves. */
  wait(ms: number, woken?: Promise<void>): Promise<void>
}
/** Lets other requests be served. Rejects when the lock was given to another because the time of this holder is over. */
export type Pause = () => Promise<void>
interface LockRequest {
  tenant: string
  /** The most time for waiting and working together. */
  timeout_ms: number
}
/** Does the work while it holds the lock, and tells it how much time is left. Answers `busy` where the lock does not come in time. */
export type ComputeLock = <T>(
  of: LockRequest,
  busy: T,
  work: (pause: Pause, rest_ms: number) => Promise<T>,
) => Promise<T>

/** The part of the time that a call may wait. The rest is for its work. */
const WAITED_PART = 0.75
const LOOK_MS = 1_000

/** A lock that is always free, for a process that serves nothing else. */
export const freeLock: ComputeLock = ({ timeout_ms }, _busy, work) => work(() => Promise.resolve(), timeout_ms)

interface Ticket {
  tenant: string
  /** The end of its waiting time, then of its holding time. */
  until: number
  wake: () => void
}

export function exclusiveLock({ now_ms, wait }: LockTime): ComputeLock {
  /** The waiting tickets by tenant; the next tenant comes first. */
  const line = new Map<string, Ticket[]>()
  let holder: Ticket | null = null

  /** The first ticket whose time is not over. Only the tickets before it are looked at. */
  const first = (): Ticket | null => {
    for (const [tenant, tickets] of line) {
      const late = tickets.findIndex(({ until }) => until > now_ms())
      tickets.splice(0, late === -1 ? tickets.length : late)
      if (tickets[0] !== undefined) return tickets[0]
      line.delete(tenant)
    }
    return null
  }
  const next = (): Ticket | null => {
    // A holder whose time is over is passed over: its request may have been cut off.
    if (holder !== null && holder.until <= now_ms()) holder = null
    return holder === null ? first() : null
  }
  const take = (ticket: Ticket, until: number) => {
    const rest = (line.get(ticket.tenant) ?? []).slice(1)
    line.delete(ticket.tenant)
    // The tenant goes behind the others.
    if (rest.length > 0) line.set(ticket.tenant, rest)
    ticket.until = until
    holder = ticket
  }
  const isNext = async (ticket: Ticket): Promise<boolean> => {
    for (;;) {
      const candidate = next()
      if (candidate === ticket) return true
      if (ticket.until <= now_ms()) return false
      const woken = new Promise<void>((resolve) => void (ticket.wake = resolve))
      const changes_ms = Math.min(ticket.until, (holder ?? candidate ?? ticket).until) - now_ms()
      await wait(Math.min(LOOK_MS, Math.max(1, changes_ms)), woken)
    }
  }
  return async ({ tenant, timeout_ms }, busy, work) => {
    const started_ms = now_ms()
    const ticket: Ticket = { tenant, until: started_ms + timeout_ms * WAITED_PART, wake: () => {} }
    const tickets = line.get(tenant)
    if (tickets === undefined) line.set(tenant, [ticket])
    else tickets.push(ticket)
    if (!(await isNext(ticket))) return busy
    take(ticket, started_ms + timeout_ms)
    const pause = async () => {
      await wait(0)
      if (holder !== ticket) throw new Error('its turn is over')
    }
    try {
      await pause()
      return await work(pause, ticket.until - now_ms())
    } finally {
      if (holder === ticket) {
        holder = null
        next()?.wake()
      }
    }
  }
}
