/**
 * A plan-and-execute graph in LangGraph.js with its SQLite checkpointer: a node for each kind of op, lists with appending reducers.
 * One op per request is a static breakpoint behind every node; the same graph without them works the task off in one request.
 */
import { Annotation, END, START, StateGraph } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { ChatOpenAI } from '@langchain/openai'
import Database from 'better-sqlite3'
import * as z from 'zod'
import { serve } from '../serve.mjs'
import { acknowledgementOf, contextOf, contractsOf, GOAL, spotOf, systemOf, textOfAction } from '../task.mjs'

const { MODEL_ORIGIN, STORAGE } = process.env
/** A task of 200 ops takes as many supersteps; the default stops at 25. */
const SUPERSTEPS_MAX = 1_000

const database = new Database(`${STORAGE}/peer.sqlite`)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = NORMAL')
database.exec('CREATE TABLE IF NOT EXISTS todos (id INTEGER PRIMARY KEY, text TEXT NOT NULL)')
const insertTodo = database.prepare('INSERT INTO todos (text) VALUES (?)')

const contracts = contractsOf(z)
const models = new Map()
/** One client per model and contract, as they are meant to be kept. */
function modelOf(name, phase) {
  const key = `${name} ${phase}`
  if (!models.has(key)) {
    const chat = new ChatOpenAI({
      model: name,
      temperature: 0,
      maxTokens: 4096,
      maxRetries: 0,
      apiKey: 'none',
      configuration: { baseURL: `${MODEL_ORIGIN}/v1` },
    })
    models.set(key, chat.withStructuredOutput(contracts[phase], { name: phase, method: 'jsonSchema', strict: true }))
  }
  return models.get(key)
}

const appended = () => Annotation({ reducer: (all, some) => all.concat(some), default: () => [] })
const State = Annotation.Root({
  goal: Annotation(),
  model: Annotation(),
  ops: Annotation({ reducer: (one, more) => one + more, default: () => 0 }),
  plan: Annotation(),
  action: Annotation(),
  response: Annotation(),
  finished: appended(),
  observations: appended(),
})

function ask(phase, state, { configurable }) {
  const messages = [
    ['system', systemOf(phase)],
    ['user', contextOf(state)],
  ]
  return modelOf(state.model, phase).invoke(messages, {
    options: { headers: spotOf(configurable.thread_id, phase, state.ops) },
  })
}
async function plan(state, config) {
  return { plan: (await ask('plan', state, config)).plan, ops: 1 }
}
async function thought(state, config) {
  return { action: (await ask('thought', state, config)).next_action, ops: 1 }
}
function tool({ action }) {
  const text = textOfAction(action.input)
  const { lastInsertRowid } = insertTodo.run(text)
  const result = acknowledgementOf(lastInsertRowid, text)
  return { observations: [{ tool: action.tool, input: action.input, ok: true, result }], ops: 1 }
}
async function replan(state, config) {
  const reply = await ask('replan', state, config)
  return { plan: reply.plan, finished: [state.plan[0]], response: reply.response, ops: 1 }
}

const graph = new StateGraph(State)
  .addNode('planner', plan)
  .addNode('thinker', thought)
  .addNode('actor', tool)
  .addNode('replanner', replan)
  .addEdge(START, 'planner')
  .addEdge('planner', 'thinker')
  .addEdge('thinker', 'actor')
  .addEdge('actor', 'replanner')
  .addConditionalEdges('replanner', ({ plan: left }) => (left.length === 0 ? END : 'thinker'), ['thinker', END])
  .compile({ checkpointer: new SqliteSaver(database) })

const NODES = ['planner', 'thinker', 'actor', 'replanner']
/** With one op in a run, writing at its end is writing after every op, and the cheapest way to do so. */
const ONE_OP = { interruptAfter: NODES, durability: 'exit' }
const ALL_OPS = { recursionLimit: SUPERSTEPS_MAX, durability: 'sync' }

async function run(id, input, options) {
  const { ops, plan: left } = await graph.invoke(input, { configurable: { thread_id: id }, ...options })
  return { ops, done: left.length === 0 }
}
serve({
  create: (id, model) => run(id, { goal: GOAL, model }, ONE_OP),
  step: (id) => run(id, null, ONE_OP),
  work: (id) => run(id, null, ALL_OPS),
})
