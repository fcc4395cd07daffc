/**
 * One at a time in this isolate: what computes for long without waiting for anything. Tenants take turns, and each tenant's own go in the order in
 * which they came. Each waiter looks by itself whether it is next: a request must not wait for what another one does, which may be cut off.
 */
export interface GateTime {
  now_ms(): number
  /** Lets everything else go on for at least so long. */
  wait(ms: number): Promise<void>
}
/** Lets other requests be served. Rejects when the turn was given to another, its deadline being over. */
export type Pause = () => Promise<void>
export interface Waiting {
  tenant: string
  /** How long whoever asks waits for the whole of it. */
  timeout_ms: number
}
/** Does the work in its turn, or answers `busy` when that does not come in time. */
export type Gate = <T>(of: Waiting, busy: T, work: (pause: Pause) => Promise<T>) => Promise<T>

/** Of its time: the rest is for the work itself. */
const WAITED_PART = 0.75
const LOOK_MS = 20

/** Where nothing else is to be served. */
export const openGate: Gate = (_of, _busy, work) => work(() => Promise.resolve())

interface Ticket {
  tenant: string
  /** Of its waiting, then of its turn. */
  until: number
}

export function oneAtATime({ now_ms, wait }: GateTime): Gate {
  /** By tenant, the one whose turn it is first. */
  const line = new Map<string, Ticket[]>()
  let holder: Ticket | null = null

  const leave = (ticket: Ticket) => {
    const rest = (line.get(ticket.tenant) ?? []).filter((other) => other !== ticket)
    if (rest.length === 0) line.delete(ticket.tenant)
    else line.set(ticket.tenant, rest)
  }
  const next = (): Ticket | undefined => {
    for (const ticket of [...line.values()].flat()) if (ticket.until <= now_ms()) leave(ticket)
    // A holder whose time is over has nobody who waits for it, and may have been cut off.
    if (holder !== null && holder.until <= now_ms()) holder = null
    return holder === null ? line.values().next().value?.[0] : undefined
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
      if (next() === ticket) return true
      if (ticket.until <= now_ms()) return false
      await wait(LOOK_MS)
    }
  }
  return async ({ tenant, timeout_ms }, busy, work) => {
    const begun = now_ms()
    const ticket = { tenant, until: begun + timeout_ms * WAITED_PART }
    line.set(tenant, [...(line.get(tenant) ?? []), ticket])
    if (!(await isNext(ticket))) return busy
    take(ticket, begun + timeout_ms)
    const pause = async () => {
      await wait(0)
      if (holder !== ticket) throw new Error('its turn is over')
    }
    try {
      await pause()
      return await work(pause)
    } finally {
      if (holder === ticket) holder = null
    }
  }
}
