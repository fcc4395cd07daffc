/** Data that a release leaves behind, made over HTTP alone: tasks of every mode in every state, and everything that a workspace can hold. */
import { createServer } from 'node:http'
import { once } from 'node:events'

/** The longest that a task is kept after its end, and a question stays open, so that the data can be looked at for a year. */
const KEPT_S = 31_536_000
/** The longest that a report is awaited. */
const REPORT_S = 604_800
const settings = { question_ttl_s: KEPT_S }
const SALES = `region,month,amount\n${Array.from({ length: 200 }, (_, row) => `${['north', 'south'][row % 2]},2026-${String((row % 12) + 1).padStart(2, '0')},${(row * 37) % 500}`).join('\n')}\n`
/** The key of the tenant that the stories belong to. */
export const STORY_KEY = 'dev-key'

/** `request(method, path, body)` with the key of the stories; answers the JSON. Throws on a refusal. */
export function client(url) {
  return async (method, path, body) => {
    const isText = typeof body === 'string'
    const headers = { authorization: `Bearer ${STORY_KEY}`, ...(isText ? {} : { 'content-type': 'application/json' }) }
    const answer = await fetch(`${String(url)}${path}`, {
      method,
      headers,
      body: body === undefined || isText ? body : JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
}

/** Makes them, and answers the id of each task by what it is. */
export async function makeStories(url) {
  const ask = client(url)
  const make = (body) =>
    ask('POST', '/tasks', { idle_ttl_s: KEPT_S, ...body, settings: { ...settings, ...body.settings } })
  const step = (task, rounds = 20) => ask('POST', `/tasks/${task.id}/step`, { rounds })
  await makeWorkspace(ask)
  const refusing = await refusingServer()
  const tasks = {
    ...(await planned(make, ask)),
    ...(await conversed(make, ask)),
    ...(await analysed(make, ask, step)),
    ...(await delegated(make, ask, step)),
    ...(await derived(make, ask)),
    undelivered: await make({ goal: 'buy milk', callback_url: refusing.url, rounds: 20 }),
    failed: await make({
      goal: 'book the dentist',
      rounds: 20,
      settings: { question_ttl_s: 1, on_question_expired: 'fail' },
    }),
  }
  await until('a delivery that was given up', async () => (await ask('GET', '/webhooks/deliveries')).data.length > 0)
  await until('a failed task', async () => (await ask('GET', `/tasks/${tasks.failed.id}`)).status === 'failed')
  refusing.end()
  return Object.fromEntries(Object.entries(tasks).map(([name, { id }]) => [name, id]))
}

async function makeWorkspace(ask) {
  for (const command of [
    '/todo add "water the plants" --due "2027-05-01 09:00"',
    '/todo add "call the bank"',
    '/todo done 2',
    '/schedule add "team meeting" "2027-05-03 10:00" --duration 30m --repeat weekly',
  ])
    await ask('POST', '/commands', { command })
  await ask('PUT', '/secrets/orders', { value: 'a secret of the fixture', hosts: ['api.example.com'] })
  await ask('PUT', '/agents/shopper', { instructions: 'Buy what is asked for.', goal: 'Buy {what}' }).catch(() =>
    ask('PUT', '/agents/shopper', { instructions: 'Buy what is asked for.' }),
  )
  // It is due once in four years, so that nothing is made while the data are looked at.
  await ask('PUT', '/schedules/leap-day', { cron: '0 0 29 2 *', task: { goal: 'buy a calendar' } })
  await ask('POST', '/schedules/leap-day/run')
  await ask('PUT', '/schedules/resting', { cron: '0 0 29 2 *', task: { goal: 'buy nothing' } })
  await ask('POST', '/schedules/resting/pause')
}

/** plan_execute and dynamic, in each state that waits or has ended. */
async function planned(make, ask) {
  const limited = { max_steps: 1 }
  const made = {
    created: await make({ goal: 'buy milk tomorrow', rounds: 0, metadata: { order: '7' }, title: 'Milk' }),
    completed: await make({ goal: 'buy milk tomorrow', rounds: 20 }),
    asking: await make({ goal: 'book the dentist on Friday at 3pm', rounds: 20 }),
    approving: await make({ goal: 'buy milk tomorrow', rounds: 20, settings: { approve: 'plan' } }),
    exhausted: await make({ goal: 'buy milk, buy bread and buy tea', rounds: 20, settings: limited }),
    stopped: await make({ goal: 'buy milk and buy bread', rounds: 1 }),
    canceled: await make({ goal: 'buy milk tomorrow', rounds: 0 }),
    noticed: await make({ goal: 'buy milk', mode: 'dynamic', rounds: 20 }),
    underway: await make({ goal: 'buy milk, then book the dentist on Friday', mode: 'dynamic', rounds: 2 }),
  }
  await ask('POST', `/tasks/${made.stopped.id}/pause`)
  await ask('POST', `/tasks/${made.canceled.id}/cancel`)
  return made
}

async function conversed(make, ask) {
  const session = await make({ goal: 'Note to buy milk', mode: 'session', rounds: 20 })
  await ask('POST', `/tasks/${session.id}/input`, { input: 'Note to buy bread too' })
  return {
    session,
    open_session: await make({
      goal: 'Note to buy milk, then book the dentist tomorrow at 15:00',
      mode: 'session',
      rounds: 1,
    }),
  }
}

async function analysed(make, ask, step) {
  const wanted = { goal: 'Analyse the sales trend', mode: 'autonomous', settings: { dataset: 'sales.csv' }, rounds: 0 }
  const [analysis, half, missing] = [await make(wanted), await make(wanted), await make(wanted)]
  for (const task of [analysis, half]) await ask('PUT', `/tasks/${task.id}/files/sales.csv`, SALES)
  await step(analysis, 40)
  await step(half, 2)
  await step(missing, 1)
  return { analysis, half_analysis: half, without_file: missing }
}

async function delegated(make, ask, step) {
  const mission = {
    goal: 'Reproduce the project and raise its accuracy',
    mode: 'orchestrator',
    settings: { report_timeout_s: REPORT_S },
  }
  const [led, waiting, claimed] = [await make(mission), await make(mission), await make(mission)]
  const pending = async () => (await ask('GET', '/delegations?status=pending&limit=100')).data
  const of = async (task) => (await pending()).find(({ task_id }) => task_id === task.id)
  const first = await of(led)
  await ask('POST', `/delegations/${first.id}/report`, {
    session_id: 's1',
    status: 'SUCCESS',
    results: 'Accuracy 0.81.',
    text: 'Found it.',
  })
  await step(led, 2)
  const theirs = await of(claimed)
  await ask('POST', `/delegations/${theirs.id}/claim`, { worker: 'worker of the fixture', lease_s: 60 })
  return { led, delegated: waiting, claimed }
}

async function derived(make, ask) {
  const origin = await make({ goal: 'buy milk and buy bread', rounds: 3 })
  const fork = await ask('POST', `/tasks/${origin.id}/fork`, { at: 1 })
  const background = await make({ goal: 'buy milk and buy bread', drive: 'background' })
  return { origin, fork, background, by_agent: await make({ goal: 'Buy milk', agent: 'shopper', rounds: 20 }) }
}

/** Tasks that the service has only begun to work off: to be made before it is killed. Answers their ids. */
export async function makeUnfinished(url, count = 6) {
  const ask = client(url)
  const wanted = { drive: 'background', idle_ttl_s: KEPT_S }
  const made = Array.from({ length: count }, (_, index) =>
    ask('POST', '/tasks', { ...wanted, goal: `buy milk and buy bread ${index}` }),
  )
  return (await Promise.all(made)).map(({ id }) => id)
}

const PATIENCE_MS = 20_000
async function until(what, look) {
  for (const end = Date.now() + PATIENCE_MS; !(await look()); await new Promise((resolve) => setTimeout(resolve, 50)))
    if (Date.now() > end) throw new Error(`still no ${what}`)
}

/** A receiver that wants no more messages, so that a delivery is given up at once. */
async function refusingServer() {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(410).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/hook`,
    end: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
