/**
 * Ends a served runtime without losing what is under way: the Worker is told to begin nothing further, workerd to accept no connection, and
 * both go on until the requests and the background work they have are over. Nothing is left for the next process to recover.
 */
import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The request in the form that src/lifecycle/drain-request.ts reads. */
const DRAIN_HEADER = 'x-loop-agent-drain'

/** Work that takes longer is cut off; the next process recovers it as it does after a crash. */
const DRAIN_WITHIN_MS = 25_000

/** The time that streams have to end by themselves. */
const STREAMS_END_MS = 50

/** A secret that only this process and its Worker know. */
export const newDrainSecret = () => randomBytes(32).toString('base64url')

/** The result of `start`, and the workerd that it has spawned, because Miniflare does not say which process it runs. */
export async function withRuntime(start) {
  const spawned = []
  const note = ({ process }) => spawned.push(process)
  subscribe('child_process', note)
  try {
    const started = await start()
    return { started, runtime: spawned.findLast(({ spawnfile }) => /workerd/.test(basename(spawnfile ?? ''))) ?? null }
  } finally {
    unsubscribe('child_process', note)
  }
}

/** Calls `ended` when the runtime has ended by itself, or its time is over. */
export async function drain({ url, secret, runtime }, ended) {
  if (runtime === null || runtime.exitCode !== null || runtime.signalCode !== null) return ended()
  // This happens in the listener itself, because Miniflare would start the next runtime.
  runtime.once('exit', ended)
  void sleep(DRAIN_WITHIN_MS).then(ended)
  const ask = () => fetch(url, { method: 'POST', headers: { [DRAIN_HEADER]: secret } }).catch(() => null)
  await ask()
  // The second request stays open as long as any other work is in progress.
  const answer = await ask()
  // A stream that ends during the drain is closed only with the last request.
  await sleep(STREAMS_END_MS)
  // workerd stops listening, answers the requests that it has accepted, and exits.
  runtime.kill('SIGTERM')
  await answer?.text().catch(() => undefined)
}
