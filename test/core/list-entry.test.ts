/** The entries that lists show are stored with a format, which has to rise with every change of their members (U25, U43). */
import { expect, it } from 'vitest'
import * as z from 'zod'
import { listedText } from '../../src/core/protocol/view/list-entry.ts'
import { TaskEntry } from '../../src/core/terms/view.ts'
import { ALL, ask, benchOf, CALLER, createTask, planned, playMany, type Bench } from '../support/scripted.ts'

const MESSAGE =
  'The members of a list entry have changed. Raise FORMAT in src/core/protocol/view/list-entry.ts, and write the format and the ' +
  'members here. Otherwise lists show stored entries of the old shape until their tasks change.'

const FORMAT = 9
/** The members of each object in an entry as clients see it. */
const SHOWN = {
  '': `id mode goal locale timezone status stop_reason budget step_count counters pending result error retry_after_ms settings tools
    drive callback_url metadata title agent forked_from version created_at updated_at plan as_of`,
  '/budget': 'unit used max remaining tokens cost_usd seconds',
  '/budget/tokens': 'used max kinds',
  '/budget/tokens/kinds': 'input cache_read cache_write image output reasoning',
  '/budget/cost_usd': 'used max',
  '/budget/seconds': 'used max',
  '/counters': 'model_calls actions successful_actions failed_actions replans iterations',
  '/pending': `kind request_id question prompt response_schema choices other_answers expires_at answer_url action delegation_id deadline hint
    name put_url endings content_types tool message looks_at`,
  '/pending/action': 'tool input item_id',
  '/result': 'text artifacts outcome unmet data',
  '/result/artifacts': 'name content_type size url',
  '/result/unmet': 'item reason',
  '/error': 'code detail',
  '/agent': 'name version',
  '/forked_from': 'id at',
  '/settings': `max_steps max_iterations max_tokens max_cost_usd max_seconds plan_retries strict_replies calls failure_limit max_clarifications
    observation_char_limit observation_history_limit cancel_phrase continue_grants model models temperature reasoning_effort phases model_timeout_s model_silence_s
    max_output_tokens question_ttl_s on_question_expired approve auto_continue agent_mode dataset transcript_token_limit
    tool_boundary_hint fallback_by_step_size plan_templates max_actions_per_step repeat_action_limit step_timeout_s max_adjustments
    dynamic_planning merged_calls report_timeout_s worker_pool max_retries_per_step max_replans command_budget search_top_k respect_robots schedule_window_days
    conflict_preview_days`,
  '/settings/approve': 'tools',
  '/settings/models': 'plan thought replan turn think step_decision action evaluate summary result',
  '/settings/plan_templates': 'words steps',
  '/settings/command_budget': 'tokens cost_usd seconds',
  '/plan': 'revision cursor source finished_count id goal status iteration_count',
}
/** The members that are stored in another way than they are shown. */
const STORED = {
  '': `id link_epoch mode goal status stop_reason budget step_count counters pending result error retry_after_ms locale timezone settings
    tools drive callback_url metadata title agent forked_from version created_at updated_at plan`,
  '/result': 'text artifacts origin outcome unmet',
  '/pending': 'kind request_id question prompt response_schema choices other_answers expires_at link',
}

it('U25 U43 a stored entry has the members of its format', async () => {
  const { bench, task } = await playMany()
  const { format, entry } = await storedText(bench, task.id)
  const asking = benchOf({ plan: [planned('A')], thought: [ask()] })
  const { pending } = (await storedText(asking, (await createTask(asking, {}, ALL)).id)).entry
  const stored = { '': namesOf(entry), '/result': namesOf(entry.result), '/pending': namesOf(pending) }
  // No member is a list of schemas, or a schema that is true or false.
  const shown = membersOf(z.toJSONSchema(TaskEntry) as Schema)
  expect({ format, shown, stored }, MESSAGE).toEqual({ format: FORMAT, shown: lists(SHOWN), stored: lists(STORED) })
})

async function storedText(bench: Bench, id: string) {
  const view = await bench.store.of(CALLER.tenant, id).ask({ kind: 'view' })
  return JSON.parse((view.ok ? listedText(view.value, 0).text : null) ?? 'null')
}

const namesOf = (object: object) => Object.keys(object).toSorted()
const lists = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([path, names]) => [path, names.split(/\s+/).toSorted()]))

interface Schema {
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}
/** The names of the members by the path of their object. The members of a union are put together. */
function membersOf(schema: Schema, path = '', found: Record<string, string[]> = {}): Record<string, string[]> {
  const { anyOf = [], oneOf = [], items, properties = {} } = schema
  for (const one of [...anyOf, ...oneOf, ...(items === undefined ? [] : [items])]) membersOf(one, path, found)
  for (const [name, one] of Object.entries(properties)) {
    found[path] = [...new Set([...(found[path] ?? []), name])].toSorted()
    membersOf(one, `${path}/${name}`, found)
  }
  return found
}
