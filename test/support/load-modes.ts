/** Runs before each file of tests: most tests call the core, which expects that the modes are loaded. */
import { loadModes } from '../../src/core/modes/index.ts'

await loadModes()
