/** Sources of tools and held calls: what is listed, what a call costs, who is asked, and who hears that nobody waits any more (D4, U15). */
import type { SeededBug } from './seeded-bug.ts'

const HELD = 'src/core/engine/tools/held-calls.ts'
const CHARGE = 'src/core/engine/charge-row.ts'

export const TOOL_BUGS: readonly SeededBug[] = [
  {
    name: 'look-costs-a-step',
    law: 'a held call costs one step, however often it is looked at',
    file: CHARGE,
    find: "|| kind === 'tool_asked' || kind === 'tool_waits'",
    replace: "|| kind === 'tool_asked'",
  },
  {
    name: 'list-costs-a-step',
    law: 'a list of tools costs no step',
    file: CHARGE,
    find: "effect?.kind === 'list_tools' || kind === 'tool_asked'",
    replace: "kind === 'tool_asked'",
  },
  {
    name: 'lost-list-given-up',
    law: 'a list whose worker was lost is fetched again under its key',
    file: 'src/core/protocol/advance.ts',
    find: "(effect.kind === 'list_tools' || (effect.kind === 'run_tool' && effect.idempotent))",
    replace: "effect.kind === 'run_tool' && effect.idempotent",
  },
  {
    name: 'source-not-asked-again',
    law: 'a source that cannot be listed is asked again after a wait',
    file: 'src/core/engine/tools/tool-lists.ts',
    find: 'if (failed.passing && streak.count < LIST_TRIES_MAX)',
    replace: 'if (failed.passing && streak.count < 1)',
  },
  {
    name: 'answer-for-tool-lost',
    law: 'a tool that asked gets the answer of the person',
    file: HELD,
    find: 'answer: answered === null ? null : { action: answered.action, content: answered.content },',
    replace: 'answer: null,',
  },
  {
    name: 'held-call-begun-anew',
    law: 'a held call goes on from its state and is not begun again',
    file: HELD,
    find: 'return { ...effect, held: held.row }',
    replace: 'return effect',
  },
  {
    name: 'side-turn-ends-held-call',
    law: 'a side turn comes between a held call and its result',
    file: HELD,
    find: 'if (end === null && mode.side_phase === state.phase)',
    replace: "if (end === null && mode.side_phase === state.phase && held.kind === 'lost')",
  },
  {
    name: 'wait-outlives-its-call',
    law: 'a task waits for no look at a call that was edited away',
    file: HELD,
    find: '{ held: null, retry_at: null }',
    replace: '{ held: null, retry_at }',
  },
  {
    name: 'lost-call-made-again',
    law: 'a lost call is made again only if a person wants it',
    file: HELD,
    find: "if (answerAt(held.answer, recall)?.action !== 'accept') return",
    replace: "if (answerAt(held.answer, recall)?.action === 'none') return",
  },
  {
    name: 'held-call-never-looked-at',
    law: 'the service comes back to a call that works on outside',
    file: 'src/core/protocol/alarm-times.ts',
    find: 'return head.asking_since === null && awaitedRow(head) === null ? (head.retry_at ?? context.now_ms) : null',
    replace:
      'return head.asking_since === null && awaitedRow(head) === null && head.held === null ? (head.retry_at ?? context.now_ms) : null',
  },
  {
    name: 'held-for-ever',
    law: 'a call that works on outside beyond its time is given up',
    file: HELD,
    find: 'const expired = now_ms - next.since >= report_timeout_s * 1000',
    replace: 'const expired = now_ms - next.since >= report_timeout_s * 1000 * 1000',
  },
  {
    name: 'question-of-tool-passed-over',
    law: 'a call that asks a person does not go on without an answer',
    file: 'src/core/protocol/expected-effect.ts',
    find: "if (!aside && asksPerson(head)) return { kind: 'nothing', because: 'question' }",
    replace: '',
  },
  {
    name: 'dropped-call-not-told',
    law: 'the server of a call that nobody waits for is told',
    file: 'src/core/protocol/transaction.ts',
    find: 'if (reduced.dropped !== null) dropped.push(reduced.dropped)',
    replace: '',
  },
  {
    name: 'ended-call-given-up',
    law: 'a call that has a result is not given up',
    file: HELD,
    find: "if (event.kind === 'tool_returned' && event.code !== 'refused') return null",
    replace: '',
  },
  {
    name: 'named-tool-not-approved',
    law: 'the call of a named tool waits for its approval',
    file: 'src/core/engine/approval.ts',
    find: 'return approve.tools.some((pattern) => matches(pattern, tool, own))',
    replace: 'return approve.tools.length > 99 && matches(tool, tool, own)',
  },
  {
    name: 'fork-lacks-sources',
    law: 'a fork has the lists of its parent',
    file: 'src/core/replay/fork.ts',
    find: 'return { ...kept, settings, fallbacks,',
    replace: 'return { ...kept, sources: undefined, settings, fallbacks,',
  },
]
