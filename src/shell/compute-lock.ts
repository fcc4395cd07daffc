/**
 * Lets one computation at a time into the place where code runs. Tenants take turns, and the calls of one tenant go in the order in which they
 * came. Whoever leaves wakes the next one. A request may be cut off without a word while it holds the turn or waits for it, so each waiter also
 * looks by itself from time to time; that is seldom, because a look of thousands of waiters must cost next to nothing.
 */
interface LockTime {
  now_ms(): number
  /** Lets everything else go on for so long, or until it is woken. */
  wait(ms: number, woken?: Promise<void>): Promise<void>
}
/** Lets other requests be served. Rejects when the turn was given to another, its deadline being over. */
export type Pause = () => Promise<void>
interface LockRequest {
  tenant: string
  /** How long whoever asks waits for the whole of it. */
  timeout_ms: number
}
/** Does the work in its turn, which is told what is left of its time, or answers `busy` when the turn does not come in time. */
export type ComputeLock = <T>(
  of: LockRequest,
  busy: T,
  work: (pause: Pause, rest_ms: number) => Promise<T>,
) => Promise<T>

/** Of its time: the rest is for the work itself. */
const WAITED_PART = 0.75
const LOOK_MS = 1_000

/** Where nothing else is to be served. */
export const freeLock: ComputeLock = ({ timeout_ms }, _busy, work) => work(() => Promise.resolve(), timeout_ms)

interface Ticket {
  tenant: string
  /** Of its waiting, then of its turn. */
  until: number
  wake: () => void
}

export function exclusiveLock({ now_ms, wait }: LockTime): ComputeLock {
  /** By tenant, the one whose turn it is first. */
  const line = new Map<string, Ticket[]>()
  let holder: Ticket | null = null

  /** The first ticket whose time is not over; only what stands before it is looked at. */
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
    // Nobody waits for a holder whose time is over, and its request may have been cut off.
    if (holder !== null && holder.until <= now_ms()) holder = null
    return holder === null ? first() : null
  }
  const take = (ticket: Ticket, until: number) => {
    const rest = (line.get(ticket.tenant) ?? []).slice(1)
    line.delete(ticket.tenant)
    // Behind the other tenants.
    if (rest.length > 0) line.set(ticket.tenant, rest)
    ticket.until = until
    holder = ticket
  }
  const isNext = async (ticket: Ticket): Promise<boolean> => {
    for (;;) {
      const turn = next()
      if (turn === ticket) return true
      if (ticket.until <= now_ms()) return false
      const woken = new Promise<void>((resolve) => void (ticket.wake = resolve))
      const changes_ms = Math.min(ticket.until, (holder ?? turn ?? ticket).until) - now_ms()
      await wait(Math.min(LOOK_MS, Math.max(1, changes_ms)), woken)
    }
  }
  return async ({ tenant, timeout_ms }, busy, work) => {
    const begun = now_ms()
    const ticket: Ticket = { tenant, until: begun + timeout_ms * WAITED_PART, wake: () => {} }
    const tickets = line.get(tenant)
    if (tickets === undefined) line.set(tenant, [ticket])
    else tickets.push(ticket)
    if (!(await isNext(ticket))) return busy
    take(ticket, begun + timeout_ms)
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
