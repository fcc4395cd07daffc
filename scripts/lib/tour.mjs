/** Tasks of every kind on a service with the offline model, made over HTTP, and the addresses of the console's views that show them. */
import { VIEWS } from '../../src/console/route.ts'
import { salesCsv } from './sales-csv.mjs'

const TURNS_AT_MOST = 30
const MOVING = new Set(['queued', 'running'])

/** Creates one task of each kind, and returns their ids by kind. `key` is an API key of the service. */
export async function fill(origin, key = 'dev-key') {
  const call = callerOf(origin, key)
  const make = async (goal, more = {}) => (await call('POST', '/tasks', { goal, rounds: 30, ...more })).id
  const completed = await make('buy milk and buy bread', { metadata: { customer: 'acme', ticket: 'T-1042' } })
  const asking = await make('book the dentist on Friday at 3pm')
  const paused = await make('buy milk, buy bread, buy eggs and buy tea', { settings: { max_steps: 4 } })
  const approval = await make('buy stamps and call the bank', { settings: { approve: 'plan' } })
  const canceled = await make('book a room for Monday at 10am')
  await call('POST', `/tasks/${canceled}/cancel`, {})
  const chinese = await make('买牛奶，然后预约周五下午三点的牙医')
  const waiting = await make('1. Reproduce the project\n2. Measure the accuracy\n3. Raise the accuracy', {
    mode: 'orchestrator',
  })
  const analysed = await analyse(call, make)
  const commands = [
    '/todo add water the plants --tag home --priority 2',
    '/todo add call the landlord about the heating --due 2026-11-20 09:00',
    '/todo done 1',
    '/schedule add 2026-11-27 10:00 team meeting --duration 45',
  ]
  for (const command of commands) await call('POST', '/commands', { command })
  await call('PUT', '/secrets/orders', {
    value: 'a value of the tour',
    hosts: ['api.example.com', 'auth.example.com:8443'],
  })
  await call('PUT', '/agents/shopper', {
    description: 'Puts what is missing on the list of todos',
    goal: 'Add the todo "buy {{what}}"',
    instructions: 'Be brief.',
    settings: { max_steps: 10 },
    input_schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
  })
  await call('PUT', '/schedules/morning', {
    cron: '0 9 * * MON-FRI',
    timezone: 'Europe/Berlin',
    task: { agent: 'shopper', input: { what: 'milk for {{scheduled_date}}' }, drive: 'manual' },
  })
  await call('POST', '/schedules/morning/run', {})
  return { completed, asking, paused, approval, canceled, chinese, waiting, analysed }
}

/** A file goes in, charts and a report come out. */
async function analyse(call, make) {
  const id = await make('Analyse the sales trend and compare the regions', {
    mode: 'autonomous',
    settings: { dataset: 'sales.csv' },
    rounds: 0,
  })
  await call('PUT', `/tasks/${id}/files/sales.csv`, salesCsv({ rows: 500 }))
  for (let turn = 0; turn < TURNS_AT_MOST; turn++)
    if (!MOVING.has((await call('POST', `/tasks/${id}/step`, { rounds: 10 })).status)) break
  return id
}

/** A text is sent as a file, anything else as JSON. */
function callerOf(origin, key) {
  return async (method, path, body) => {
    const isFile = typeof body === 'string'
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(isFile ? {} : { 'content-type': 'application/json' }) },
      body: isFile ? body : JSON.stringify(body),
    })
    const answered = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answered)}`)
    return answered
  }
}

/** Name → fragment, of every view and every tab of a task that has something to show. */
export function viewsOf(tasks) {
  const tabs = Object.entries(tasks).flatMap(([kind, id]) => [[kind, `#/tasks/${id}`]])
  const more = ['journal', 'tools', 'files', 'raw'].flatMap((tab) =>
    ['completed', 'analysed'].map((kind) => [`${kind}-${tab}`, `#/tasks/${tasks[kind]}/${tab}`]),
  )
  const others = VIEWS.map((view) => [view, `#/${view}`])
  const named = [
    ['schedule', '#/schedules/morning'],
    ['agent', '#/agents/shopper'],
  ]
  return Object.fromEntries([...others, ...named, ...tabs, ...more])
}
