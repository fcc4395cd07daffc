/**
 * The virtual scheduler: requests are actors that stop at a gate before every store call and every effect, and nothing
 * moves until someone opens one. No timers and no real time: between two gates only microtasks run, so an interleaving is
 * exactly the order in which gates are opened.
 */

/** One request with its Worker. */
export interface Actor {
  name: string
  /** False after its Worker died: all its further calls fail without effect. */
  alive: boolean
  /** Whether its caller has hung up. */
  gone: boolean
  /** Tells that its caller has left, to a caller that reads along. null: it wants the whole answer. */
  left: AbortController | null
  over: boolean
  /** True if a reply to one of its calls was lost and the call was repeated, so that no answer shows the effect of the first call. */
  resent: boolean
  /** The rows for which it has called a model. */
  asked: Set<string>
  /** True if it stops at no gate, for the client that comes after the faults. */
  direct: boolean
}

export const actorOf = (name: string, direct = false, left: AbortController | null = null): Actor => ({
  name,
  alive: true,
  gone: false,
  left,
  over: false,
  resent: false,
  asked: new Set(),
  direct,
})

/** A call that an actor is about to make. */
export interface Gate {
  actor: Actor
  /** What kind of call: `store.commit`, `model.plan`, `tool.ring`, … */
  label: string
  /** Makes the call. A repeated delivery makes it twice. */
  deliver: () => unknown
  /** Whether a network may deliver this call twice. */
  repeatable: boolean
  /** The text of the call in a trace. */
  shown: () => string
  answer: (value: unknown) => void
  fail: (error: Error) => void
}

export interface Scheduler {
  parked: Gate[]
  /** The number of calls of stores, models and tools so far. */
  calls: number
  /** The number of calls whose answer did not reach the worker. */
  lost: number
  gate<T>(call: Pick<Gate, 'actor' | 'label' | 'repeatable' | 'shown'> & { deliver: () => T }): Promise<Awaited<T>>
  /** Runs an actor until its first gate or its end. */
  start(actor: Actor, work: () => Promise<void>): Promise<void>
  /** Gives a parked actor its answer and runs it until its next gate or its end. */
  answer(gate: Gate, value: unknown): Promise<void>
  fail(gate: Gate, error: Error): Promise<void>
  /** Ends the Worker, so that its actor never continues. */
  kill(actor: Actor): Promise<void>
}

export const DIED = new Error('the worker died')
/** The error for a running Worker when the process of the object was lost. */
export const RESET = new Error('the object was reset')

export function scheduler(): Scheduler {
  const parked: Gate[] = []
  let stopped = () => {}
  /** Waits until the actor that was just moved stops again. */
  const standstill = (move: () => void) =>
    new Promise<void>((resolve) => {
      stopped = resolve
      move()
    })
  const leave = (gate: Gate) => parked.splice(parked.indexOf(gate), 1)
  return {
    parked,
    calls: 0,
    lost: 0,
    gate<T>(call: Pick<Gate, 'actor' | 'label' | 'repeatable' | 'shown'> & { deliver: () => T }) {
      if (!call.actor.alive) return Promise.reject(DIED)
      this.calls += 1
      if (call.actor.direct) return Promise.resolve(call.deliver())
      return new Promise<Awaited<T>>((resolve, reject) => {
        // The answer is the value of `deliver`, or a promise of it.
        const answer = (value: unknown) => resolve(value as Awaited<T>)
        parked.push({ ...call, answer, fail: reject })
        stopped()
      })
    },
    start: (actor, work) =>
      standstill(() => {
        void work().finally(() => {
          actor.over = true
          stopped()
        })
      }),
    answer(gate, value) {
      leave(gate)
      return standstill(() => gate.answer(value))
    },
    fail(gate, error) {
      this.lost += 1
      leave(gate)
      return standstill(() => gate.fail(error))
    },
    async kill(actor) {
      actor.alive = false
      const gate = parked.find((one) => one.actor === actor)
      if (gate !== undefined) await this.fail(gate, DIED)
    },
  }
}
