/** Runs before each file of tests: most tests call the core, which expects that the modes, the slash commands, the validator and the shards are loaded. */
import { loadModes } from '../../src/core/modes/index.ts'
import { loadCommands } from '../../src/core/workspace/commands/load-commands.ts'
import { loadShards } from '../../src/shell/shards/store-with-shards.ts'
import { loadValidator } from '../../src/store/fits.ts'

await Promise.all([loadModes(), loadCommands(), loadValidator(), loadShards()])
