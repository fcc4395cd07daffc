/** A share of the simulation's seeds in a thread of its own; its report is its one message. */
import { parentPort, workerData } from 'node:worker_threads'
import { simulate } from '../../test/sim/run.ts'

const { seed, seeds, most } = workerData
const report = await simulate(seed, seeds, most)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin to name, unlike a window
parentPort.postMessage(report)
