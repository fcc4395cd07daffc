/** `npm run bench:slots`: run slots of the built service, in figures (docs/contributing/performance.md). */
import { runSlotBench } from '../bench/slots.ts'

await runSlotBench()
