/** Runs before each file of tests: most tests call the core, which expects that the modes, the slash commands, the validator and the shards are loaded. */
import { vi } from 'vitest'
import { loadModes } from '../../src/core/modes/index.ts'
import { loadCommands } from '../../src/core/workspace/commands/load-commands.ts'
import { loadShards } from '../../src/shell/shards/store-with-shards.ts'
import { loadValidator } from '../../src/store/fits.ts'
// A request loads the texts of problems with the first one. Of fifty requests at once one would load them, and in the runtime of these tests no other
// request may wait for that.
import '../../src/http/gate/problem-content.ts'

await Promise.all([loadModes(), loadCommands(), loadValidator(), loadShards()])

// The files of a worker share its globals. What the last test of a file has put there is taken away before each test only, which is too late for a
// hook that runs before all of them.
vi.unstubAllGlobals()
