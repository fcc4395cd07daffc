/** Runs a share of the simulation's seeds in a thread; its only message is the report. */
import { parentPort, workerData } from 'node:worker_threads'
import { loadModes } from '../../src/core/modes/index.ts'
import { loadCommands } from '../../src/core/workspace/commands/load-commands.ts'
import { loadValidator } from '../../src/store/fits.ts'
import { simulate } from '../../test/sim/run.ts'

const { seed, seeds, most } = workerData
await Promise.all([loadModes(), loadCommands(), loadValidator()])
const report = await simulate(seed, seeds, most)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin to name, unlike a window
parentPort.postMessage(report)
