/** Asks the registry for one key or tenant, within a time. What cannot be asked is a marked error, which requests answer with 503. */
import type { LookedUp, RegistryCommand, RemoteRegistry } from '../../core/registry/registry-requests.ts'
import { onceMoreIfLost } from '../lost-object.ts'

/** A registry that has not answered by then is out of reach. */
const ANSWER_MS_MAX = 5_000
/**
 * Look-ups of one isolate at the same time. A flood of invented keys must not keep the registry from other isolates; further keys that are
 * not known here are asked to come again.
 */
const UNDER_WAY_MAX = 100
/** After a call without an answer nobody else waits for one in this time. */
const PAUSE_MS = 2_000

interface LookUpPorts {
  now_ms: () => number
  wait: (ms: number) => Promise<void>
}
type LookUp = (what: Omit<RegistryCommand<'look_up'>, 'kind'>) => Promise<LookedUp>

/**
 * Requests share no call: where the runtime ends the request that has made a call, all who wait for its answer would wait for ever. So each
 * makes its own, and a call whose request was ended is counted no longer than it may take.
 */
export function lookUpIn({ tell }: RemoteRegistry, { now_ms, wait }: LookUpPorts): LookUp {
  let under_way: { begun: number }[] = []
  let paused_until = 0
  return async (what) => {
    const own = { begun: now_ms() }
    if (own.begun < paused_until && paused_until - own.begun <= PAUSE_MS) throw away('it did not answer before')
    under_way = under_way.filter(({ begun }) => Math.abs(own.begun - begun) < ANSWER_MS_MAX)
    if (under_way.length >= UNDER_WAY_MAX) throw away('too many look-ups are under way')
    under_way.push(own)
    try {
      const answer = await Promise.race([onceMoreIfLost(() => tell({ kind: 'look_up', ...what })), late(wait)])
      if (answer !== LATE) return answer
      paused_until = now_ms() + PAUSE_MS
    } catch (error) {
      throw away('it could not be reached', error)
    } finally {
      under_way = under_way.filter((one) => one !== own)
    }
    throw away('it did not answer in time')
  }
}

/** The mark is read in http/gate/failure.ts. */
const away = (why: string, cause?: unknown) =>
  Object.assign(new Error(`the registry was not asked: ${why}`, { cause }), { registry_away: true })

const LATE = Symbol('no answer in time')
async function late(wait: LookUpPorts['wait']): Promise<typeof LATE> {
  await wait(ANSWER_MS_MAX)
  return LATE
}
