/**
 * The model of the bench on 127.0.0.1: OpenAI-compatible and without delay. It decides by the place of the call alone – `cf-aig-metadata` –
 * and knows from the name of the model how many items the task has. It counts what was asked, so that nothing can be left out unseen.
 */
import { createServer } from 'node:http'
import { actionOf } from './task.mjs'

/** Items a plan shows at once: the text does not grow with the task. */
const SHOWN_ITEMS = 5
/** Ours asks for a second thought, which closes the item. */
const OPS_PER_ITEM = { plan_execute: 4, peer: 3 }

export const modelName = (items) => `bench-${items}-items`

/** Answers with its origin, the number of calls so far, and its end. */
export async function startModel() {
  const state = { calls: 0, plans: new Map() }
  const server = createServer((request, response) => void answer(state, request, response))
  server.keepAliveTimeout = 600_000
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    calls: () => state.calls,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(state, request, response) {
  const spot = JSON.parse(String(request.headers['cf-aig-metadata']))
  const parts = []
  for await (const part of request) parts.push(part)
  const { model } = JSON.parse(Buffer.concat(parts).toString())
  state.calls += 1
  const body = JSON.stringify(
    completionOf(model, JSON.stringify(replyOf(state.plans, spot, Number(model.match(/\d+/)[0])))),
  )
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}

/** `seq` counts from the plan on; in our service a create may stand before it. */
function replyOf(plans, { task, mode, phase, seq }, items) {
  if (phase === 'plan') {
    plans.set(task, seq)
    return { status: 'planned', plan: titles(0, items) }
  }
  const item = Math.floor((seq - plans.get(task) - 1) / OPS_PER_ITEM[mode])
  if (phase === 'replan') {
    if (item + 1 < items) return { status: 'replanned', plan: titles(item + 1, items), response: null }
    plans.delete(task)
    return {
      status: 'done',
      plan: [],
      response: 'Every part was read, and what has to be looked at again is put down.',
    }
  }
  const closing = mode === 'plan_execute' && (seq - plans.get(task) - 1) % OPS_PER_ITEM[mode] === 2
  return closing ? thought('done', null) : thought('continue', { tool: 'todo', input: actionOf(item) })
}

const thought = (status, next_action) => ({
  status,
  current_step: 'put down what has to be looked at again',
  next_action,
  question: null,
  response: null,
})

function titles(from, items) {
  const count = Math.min(SHOWN_ITEMS, items - from)
  return Array.from(
    { length: count },
    (_, index) => `read part ${from + index} and note what has to be looked at again`,
  )
}

function completionOf(model, content) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
    usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
  }
}
