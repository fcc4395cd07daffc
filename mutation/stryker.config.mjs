/** What is mutated in plain Node: the loop, the budget, the ledger, idempotency, the shell and the rows in memory. */
import { shared } from './shared.mjs'

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  ...shared('node'),
  mutate: [
    'src/core/{task,advance,reduce,budget,axes,daily,money,keyed,journal,history,assignment,guards,input,head,effect}.ts',
    'src/core/forecast*.ts',
    'src/core/modes/plan-execute/*.ts',
    'src/shell/{slice,perform,tasks,dry-run}.ts',
    'src/store/{rows,memory-rows,migrate,run-in-book}.ts',
    'src/http/gate/idempotency.ts',
  ],
  testRunner: 'in-process',
  plugins: [new URL('./in-process/runner.mjs', import.meta.url).href],
  inProcess: {
    suites: [
      'test/core/*.test.ts',
      'test/core/plan-execute/*.test.ts',
      'test/core/commands/run.test.ts',
      'test/tools/commands.test.ts',
      'test/shell/*.test.ts',
      'test/http/{budget,conditional,idempotency,ledger,prefer,refusals,routes}.test.ts',
      'mutation/sim.test.ts',
    ],
    excluded: ['test/core/pure.test.ts', 'test/core/progress-words.test.ts'],
    // These take a second or two each: about sizes, and laws the first of which says most.
    skipped: [
      'of 101 finished items',
      'pages are bounded by size',
      'event ids are dense from 1 and are the same',
      'every head stays within 16 KB',
      'an ended task stays as it is',
    ],
  },
}
