/**
 * A plan-and-execute agent with the Cloudflare Agents SDK: its small state by `setState` after every op, what grows in tables by
 * `this.sql`, as its pages on state advise. The model is called from within the agent through the openai package.
 */
import { Agent, getAgentByName } from 'agents'
import OpenAI from 'openai'
import * as z from 'zod'
import {
  acknowledgementOf,
  contextOf,
  contractsOf,
  GOAL,
  phaseAfter,
  spotOf,
  systemOf,
  textOfAction,
} from '../task.mjs'

const contracts = contractsOf(z)
const formats = Object.fromEntries(
  Object.entries(contracts).map(([name, contract]) => [
    name,
    { type: 'json_schema', json_schema: { name, strict: true, schema: z.toJSONSchema(contract) } },
  ]),
)

export class PeerAgent extends Agent {
  initialState = { goal: GOAL, model: '', phase: 'plan', ops: 0, plan: [], action: null, response: null }

  async plan(model, whole) {
    void this.sql`CREATE TABLE IF NOT EXISTS observations (id INTEGER PRIMARY KEY, item TEXT, observation TEXT)`
    void this.sql`CREATE TABLE IF NOT EXISTS finished (id INTEGER PRIMARY KEY, title TEXT)`
    void this.sql`CREATE TABLE IF NOT EXISTS todos (id INTEGER PRIMARY KEY, text TEXT)`
    this.setState({ ...this.state, model })
    await this.step()
    if (whole) while (this.state.phase !== null) await this.step()
    return this.told()
  }

  async step() {
    const { phase, ops } = this.state
    const change = phase === 'tool' ? this.act() : await this.decide(phase)
    this.setState({ ...this.state, ...change, ops: ops + 1 })
    return this.told()
  }

  told() {
    return { id: this.name, ops: this.state.ops, done: this.state.phase === null }
  }

  act() {
    const { action, plan } = this.state
    const text = textOfAction(action.input)
    const [{ id }] = this.sql`INSERT INTO todos (text) VALUES (${text}) RETURNING id`
    const observation = { tool: action.tool, input: action.input, ok: true, result: acknowledgementOf(id, text) }
    void this.sql`INSERT INTO observations (item, observation) VALUES (${plan[0]}, ${JSON.stringify(observation)})`
    return { phase: phaseAfter('tool'), action: null }
  }

  async decide(phase) {
    const reply = await this.ask(phase)
    const next = { phase: phaseAfter(phase, reply) }
    if (phase === 'thought') return { ...next, action: reply.next_action }
    if (phase === 'replan') void this.sql`INSERT INTO finished (title) VALUES (${this.state.plan[0]})`
    return { ...next, plan: reply.plan, response: reply.response ?? null }
  }

  async ask(phase) {
    const { goal, model, plan, ops } = this.state
    const finished = this.sql`SELECT title FROM finished ORDER BY id`.map(({ title }) => title)
    const rows = this.sql`SELECT observation FROM observations ORDER BY id`
    const observations = rows.map(({ observation }) => JSON.parse(observation))
    const body = {
      model,
      messages: [
        { role: 'system', content: systemOf(phase) },
        { role: 'user', content: contextOf({ goal, plan, finished, observations }) },
      ],
      temperature: 0,
      max_tokens: 4096,
      response_format: formats[phase],
    }
    const { choices } = await this.open().chat.completions.create(body, { headers: spotOf(this.name, phase, ops) })
    return contracts[phase].parse(JSON.parse(choices[0].message.content))
  }

  /** Kept while the agent is in memory. */
  open() {
    this.client ??= new OpenAI({ apiKey: 'none', baseURL: `${this.env.MODEL_ORIGIN}/v1`, maxRetries: 0 })
    return this.client
  }
}

// oxlint-disable-next-line import/no-default-export -- the Worker itself has to be one
export default {
  async fetch(request, env) {
    const id = /^\/tasks\/([^/]+)\/step$/.exec(new URL(request.url).pathname)?.[1]
    if (id !== undefined) return Response.json(await (await getAgentByName(env.PEERS, id)).step())
    const { model, whole } = await request.json()
    const agent = await getAgentByName(env.PEERS, crypto.randomUUID())
    return Response.json(await agent.plan(model, whole === true))
  },
}
