/** Tasks over HTTP, for every contender in the same order: a create that plans, then a request per step, or all in one request. */
import { Agent, request } from 'node:http'
import { modelName } from '../model.mjs'
import { GOAL } from '../task.mjs'
import { AUTHORIZATION } from './contenders.mjs'

/** An item takes three requests of everybody: ours does thought and tool in one, and has the second thought alone. */
const REQUESTS_PER_ITEM = 3
const ANSWER_WITHIN_MS = 120_000

export function openClient({ origin, contender }) {
  const agent = new Agent({ keepAlive: true })
  const speak = contender.name === 'ours' ? ourTongue : peerTongue
  const client = {
    requests: 0,
    async send(path, body) {
      client.requests += 1
      return speak.read(await post(agent, `${origin}${path}`, body))
    },
    create: (items, whole) => client.send('/tasks', speak.create(items, whole)),
    step: (id) => client.send(`/tasks/${id}/step`, speak.step),
    close: () => agent.destroy(),
  }
  return client
}

const peerTongue = {
  create: (items, whole) => ({ model: modelName(items), whole }),
  step: {},
  read: (answer) => answer,
}
const ourTongue = {
  create: (items, whole) => ({
    goal: GOAL,
    rounds: whole ? items * REQUESTS_PER_ITEM : 0,
    settings: { model: modelName(items), max_steps: 10_000 },
  }),
  step: { rounds: 1 },
  read: ({ id, status, step_count }) => ({ id, ops: step_count + 1, done: status === 'completed' }),
}

function post(agent, url, body) {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = {
      authorization: AUTHORIZATION,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
      const parts = []
      answer.on('data', (part) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const told = Buffer.concat(parts).toString()
        if (answer.statusCode < 300) resolve(JSON.parse(told))
        else reject(new Error(`${url}: ${answer.statusCode} ${told.slice(0, 500)}`))
      })
    })
    sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error(`${url}: no answer`)))
    sent.on('error', reject)
    sent.end(text)
  })
}

/** One task to its end. Throws when it did not do every op there is. */
export async function work(client, contender, items, whole) {
  let state = await client.create(items, whole)
  for (let left = whole ? 0 : items * REQUESTS_PER_ITEM; left > 0; left -= 1) state = await client.step(state.id)
  const expected = 1 + items * contender.opsPerItem
  if (!state.done || state.ops !== expected)
    throw new Error(`${contender.name}: ${state.ops} ops instead of ${expected}, ${state.done ? 'done' : 'not done'}`)
  return state.ops
}

/** `count` tasks, so many at a time; answers with the ops they did. */
export async function workAll(client, contender, { items, whole, count, concurrency }) {
  let [left, ops] = [count, 0]
  const worker = async () => {
    while (left > 0) {
      left -= 1
      // Not `ops += await`: that adds to what ops was before the others went on.
      const done = await work(client, contender, items, whole)
      ops += done
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker))
  return ops
}
