/** What one contender costs: short tasks in both shapes at both concurrencies, and long tasks whose late steps are held against early ones. */
import { performance } from 'node:perf_hooks'
import { cpuOf_ms } from './machine.mjs'
import { openClient, workAll } from './load.mjs'
import { CONCURRENCIES, ITEMS, LONG_OPS, SHAPES, STRETCHES } from './shape.mjs'

/** CPU of the server and time, over what is done meanwhile; `ops` is what it answers with. */
async function measured(server, client, work) {
  const before = { cpu_ms: cpuOf_ms(server.pid), requests: client.requests, at_ms: performance.now() }
  const ops = await work()
  const seconds = (performance.now() - before.at_ms) / 1000
  const cpu_ms = cpuOf_ms(server.pid) - before.cpu_ms
  if (!(ops > 0) || !(cpu_ms > 0)) throw new Error(`${server.contender.name}: ${ops} ops in ${cpu_ms} ms of CPU`)
  return {
    ops,
    cpu_ms_per_op: cpu_ms / ops,
    requests_per_s: (client.requests - before.requests) / seconds,
    ops_per_s: ops / seconds,
  }
}

/** Of every shape and concurrency, as `step 1`. `counts` has the tasks for each concurrency. */
export async function measureShort(server, model, counts) {
  const figures = {}
  for (const shape of SHAPES)
    for (const concurrency of CONCURRENCIES) {
      const client = openClient(server)
      const before = model.calls()
      const plan = { items: ITEMS, whole: shape.whole, count: counts[concurrency], concurrency }
      figures[`${shape.name} ${concurrency}`] = await measured(server, client, () =>
        workAll(client, server.contender, plan),
      )
      client.close()
      checkCalls(server.contender, model.calls() - before, ITEMS * counts[concurrency], counts[concurrency])
    }
  return figures
}

/** All but the tool calls ask the model, and none asks it twice. */
function checkCalls({ name, opsPerItem }, calls, items, tasks) {
  const expected = items * (opsPerItem - 1) + tasks
  if (calls !== expected) throw new Error(`${name}: ${calls} calls to the model instead of ${expected}`)
}

/**
 * Some tasks side by side, each a step at a time. Requests and ops go alike for the peers; ours does four ops in three requests, so that
 * fifteen requests are twenty ops and both stretches begin with an item.
 */
export async function measureLong(server, model, tasks) {
  const client = openClient(server)
  const { opsPerItem } = server.contender
  const items = Math.ceil(LONG_OPS / opsPerItem)
  const requestsFor = (ops) => (ops * 3) / opsPerItem
  const before = model.calls()
  const states = []
  for (let made = 0; made < tasks; made += 1) states.push(await client.create(items, false))
  const advance = async (upTo) => {
    const start = states[0].ops
    while (states[0].ops < upTo + 1) await round(client, states)
    if (states.some(({ ops }) => ops !== upTo + 1))
      throw new Error(`${server.contender.name}: no op ${upTo} of its own`)
    return (upTo + 1 - start) * tasks
  }
  const figures = {}
  for (const { name, from, to } of STRETCHES) {
    await advance(from - 1)
    const sent = client.requests
    figures[name] = (await measured(server, client, () => advance(to))).cpu_ms_per_op
    const expected = requestsFor(to - from + 1) * tasks
    if (client.requests - sent !== expected) throw new Error(`${server.contender.name}: not ${expected} requests`)
  }
  client.close()
  if (model.calls() - before < tasks * 100) throw new Error(`${server.contender.name}: too few calls to the model`)
  return figures
}

async function round(client, states) {
  for (const [index, { id }] of states.entries()) states[index] = await client.step(id)
}
