/** Creates tasks of each mode, with manual or background drive, with tools and a callback of their client, or as forks. */
import { MODE_NAMES, type ModeName } from '../../../src/core/terms/mode-names.ts'
import type { Random } from '../../sim/random.ts'
import { NOTES, RINGS } from '../script/acts.ts'
import { OUTPUT_SCHEMA } from '../script/script.ts'
import type { Known } from '../known.ts'
import { asking, send, type Client } from './asking.ts'
import { putFile, salesOf } from './files.ts'

const STEP_AHEAD = 4
/** The modes for the tenant whose day runs out; tasks that only wait would prove nothing. */
const TIGHT_MODES: readonly ModeName[] = ['plan_execute', 'session', 'dynamic']

export async function create(client: Client): Promise<boolean> {
  const { random, tenant, serial, origin } = client
  const mode = random.pick(tenant === 'tight' ? TIGHT_MODES : MODE_NAMES)
  const background = random.chance(0.4)
  const body = {
    goal: `goal ${serial()}${random.chance(0.6) ? `, with ${NOTES}` : ''}`,
    mode,
    rounds: random.below(STEP_AHEAD),
    settings: settingsOf(random, mode, tenant === 'tight'),
    ...(mode !== 'session' && random.chance(0.35) ? { output_schema: OUTPUT_SCHEMA } : {}),
    ...(background ? { drive: 'background' } : {}),
    ...(random.chance(background ? 0.8 : 0.3) ? { callback_url: `${origin}/hooks/${tenant}` } : {}),
    ...(mode === 'orchestrator' ? {} : { tools: toolsOf(`${origin}/tools/${tenant}`) }),
  }
  const asked = asking(client, 'create', '/tasks', body)
  const made = await send(client, asked)
  const known = asked.task === null ? undefined : client.bench.acks.tasks.get(asked.task)
  // The others come to wait for their dataset.
  const puts = mode === 'autonomous' && random.chance(0.25)
  if (puts && known !== undefined) await putFile(client, known, 'sales.csv', salesOf(known.id))
  return made
}

export const toolsOf = (url: string) =>
  Object.values(RINGS).map((name) => ({
    name,
    description: 'Rings a bell that is named by its mark.',
    parameters: { type: 'object', properties: { mark: { type: 'string' } }, required: ['mark'] },
    url,
    idempotent: name === RINGS.again,
  }))

function settingsOf(random: Random, mode: ModeName, tight: boolean) {
  const maybe = <T extends object>(share: number, make: () => T) => (random.chance(share) ? make() : {})
  const scale = mode === 'autonomous' ? 8 : 1
  return {
    max_steps: random.between(5, 40),
    max_iterations: random.between(4, 30),
    model_timeout_s: 3,
    max_output_tokens: tight ? 131_072 : random.between(64, 300),
    ...(tight ? {} : maybe(0.25, () => ({ max_tokens: scale * random.between(5_000, 60_000) }))),
    ...(tight ? {} : maybe(0.25, () => ({ max_cost_usd: (scale * random.between(10, 99) * 1e-4).toFixed(4) }))),
    ...maybe(0.25, () => ({ max_seconds: random.between(4, 40) })),
    ...(mode === 'orchestrator'
      ? {}
      : maybe(0.15, () => ({ approve: random.pick(['plan', 'actions', { tools: [RINGS.once] }]) }))),
    ...(mode === 'dynamic' ? maybe(0.4, () => ({ merged_calls: true })) : {}),
    ...(mode === 'autonomous' ? { dataset: 'sales.csv', ...maybe(0.25, () => ({ agent_mode: 'staged' })) } : {}),
    ...(mode === 'orchestrator' ? orchestratorSettings(random) : {}),
  }
}

/** Some tasks have such a short deadline that the report comes too late; some give each command a share of the budget. */
function orchestratorSettings(random: Random) {
  return {
    ...(random.chance(0.3) ? { report_timeout_s: random.between(2, 6) } : { report_timeout_s: 120 }),
    ...(random.chance(0.3) ? { command_budget: { tokens: 500, cost_usd: '0.0005' } } : {}),
    ...(random.chance(0.1) ? { approve: random.pick(['plan', 'actions']) } : {}),
  }
}

/** Forks at a random row: the rows of the other task up to it are the past of the new one. */
export async function fork(client: Client, known: Known): Promise<boolean> {
  const { bench, random } = client
  const { id, view } = known
  if (view.version < 2) return false
  const at = random.between(1, view.version)
  const driven = random.chance(0.3)
  const body = { at, ...(driven ? { drive: 'background' } : {}) }
  const asked = { ...asking(client, 'fork', `/tasks/${id}/fork`, body), from: { task: id, at, driven } }
  bench.moments.tell('fork')
  const made = await send(client, asked)
  if (made) bench.tally.seen('fork')
  return made
}
