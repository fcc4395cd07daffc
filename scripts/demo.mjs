/** `npm run demo`: a real goal from the first request to the result, with nothing to type. Exit 0 only when the task was completed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataDir, removeDataDir, startService } from './lib/service.mjs'
import { salesCsv } from './lib/sales-csv.mjs'
import { curlLine, eventLines, planLines, reasonOf, stateLine } from './lib/show.mjs'

const GOAL = 'Plan my Friday: buy milk, book the dentist at 3pm, and look up who designed the Sydney Opera House'
const ANSWER = '45 minutes'
const ANALYSIS = 'Analyse the sales trend and compare the regions'
const SALES_ROWS = 5_000
const MISSION = 'Reproduce the project and raise its accuracy'
/** The reports of the demo's worker, in order. */
const REPORTS = [
  { status: 'FAILED', pitfalls: 'The data set is not where the README says.', text: 'Nothing could be run.' },
  { status: 'SUCCESS', results: 'Accuracy 0.81, as in the README.', text: 'Found the data set in the archive.' },
  { status: 'SUCCESS', results: 'Accuracy 0.86.', text: 'Cleaned 120 labels and trained again.' },
]
const KEY = 'dev-key'
/** Far more than this goal needs, and still a bound for a confused model. */
const STEPS_AT_MOST = 40
const ANSWERS_AT_MOST = 4
const LONGEST_PAUSE_MS = 5_000
const ENDED = ['completed', 'failed', 'canceled', 'paused']

const dataDir = makeDataDir()
let service = null
let shownPlan = ''
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void finish(130))
try {
  console.log('Starting the service with an empty store …')
  // The demo sets the key and the environment; it uses the model and the search of the user unchanged.
  const own = { TIMEZONE: 'UTC', ENVIRONMENT: 'development', API_KEYS: undefined, TEST_CLOCK: undefined }
  service = await startService({ dataDir, env: own })
  console.log(`It listens on ${service.url} and needs no account: its development key is ${KEY}.`)
  for (const task of [await play(service.url), await analyse(service.url), await lead(service.url)])
    if (task.status !== 'completed') throw new Error(reasonOf(task))
  farewell()
  await finish(0)
} catch (error) {
  console.error(`\nThe demo did not reach its goal: ${error.message}`)
  await finish(1)
}

async function finish(code) {
  await service?.stop()
  removeDataDir(dataDir)
  process.exit(code)
}

/** Runs the task from the goal to its end, and answers its questions. */
async function play(origin) {
  title('1. A goal goes in; rounds 0: it is planned and not yet worked on')
  let task = await request(`${origin}/tasks`, 'POST', { goal: GOAL, rounds: 0 })
  print(changedPlan(task), [stateLine(task)])
  const url = `${origin}/tasks/${task.id}`
  title('2. One bounded slice per request, until it is done or has a question')
  let answers = 0
  for (let step = 0; step < STEPS_AT_MOST && !ENDED.includes(task.status); step += 1) {
    if (task.status !== 'input_required') task = await advance(url, 'step')
    else if (answers < ANSWERS_AT_MOST) task = await answer(url, task, answers++)
    else return task
  }
  title('3. The result')
  console.log(task.result?.text ?? task.handover?.text ?? '  (none)')
  title('4. Every effect is in the journal')
  summarize(await request(`${url}/journal?limit=100`, 'GET'))
  return task
}

/** Mode autonomous: the model analyses a file, plans its own tasks, runs code and writes a report. */
async function analyse(origin) {
  title('5. Another mode: the model drives itself over a file. The task first, then its dataset')
  const settings = { dataset: 'sales.csv' }
  const made = await request(`${origin}/tasks`, 'POST', { goal: ANALYSIS, mode: 'autonomous', settings, rounds: 0 })
  const url = `${origin}/tasks/${made.id}`
  await upload(`${url}/files/sales.csv`, salesCsv({ rows: SALES_ROWS }))
  title('6. It explores, plans, runs code in a sandbox, ticks what it has checked, and reports')
  let task = made
  for (let step = 0; step < STEPS_AT_MOST && !ENDED.includes(task.status); step += 1) task = await advance(url, 'step')
  title('7. The report, and what else it has made')
  console.log(task.result?.text ?? task.handover?.text ?? '  (none)')
  print((task.result?.artifacts ?? []).map(({ name, size }) => `  ${name} (${size} bytes)`))
  console.log(
    `Each has a link of its own, such as:\n  curl -s '${task.result?.artifacts?.[0]?.url ?? ''}' > chart-1.svg`,
  )
  return task
}

/** Mode orchestrator: the steps are commands to an external worker, whose reports the model evaluates. The demo is the worker. */
async function lead(origin) {
  title('8. A third mode leads the work of others: each step is a command that waits for a worker')
  let task = await request(`${origin}/tasks`, 'POST', { goal: MISSION, mode: 'orchestrator' })
  print(eventLines(task), changedPlan(task), [stateLine(task)])
  for (const [index, report] of REPORTS.entries()) {
    const { data } = await request(`${origin}/delegations?status=pending`, 'GET')
    const url = `${origin}/delegations/${data[0]?.id}`
    if (index === 0) console.log(indented(await commandFile(url)).join('\n'))
    await request(`${url}/report`, 'POST', { session_id: `session-${data[0]?.item_id}`, ...report })
    console.log(`  reported: ${report.status}`)
    // One round evaluates the report, and the next one dispatches the next command; after the last report comes the summary.
    task = await advance(`${origin}/tasks/${task.id}`, 'step', { rounds: 2 })
  }
  title('9. The summary; MISSION.md among its files says how it went')
  console.log(task.result?.text ?? task.handover?.text ?? '  (none)')
  return task
}

/** The command file as an agent that works by files finds it. */
async function commandFile(url) {
  console.log(`\n$ curl -s -H 'Authorization: Bearer ${KEY}' -H 'Accept: text/markdown' ${url}`)
  const response = await fetch(url, { headers: { authorization: `Bearer ${KEY}`, accept: 'text/markdown' } })
  return response.text()
}

async function upload(url, csv) {
  console.log(`\n$ curl -s -H 'Authorization: Bearer ${KEY}' -T sales.csv ${url}`)
  const response = await fetch(url, { method: 'PUT', headers: { authorization: `Bearer ${KEY}` }, body: csv })
  if (!response.ok) throw new Error(`the upload was refused: ${response.status} ${await response.text()}`)
  const { name, size } = await response.json()
  console.log(`  ${name}: ${size} bytes of made-up sales, ${SALES_ROWS} rows`)
}

async function answer(url, task, answersBefore) {
  title(`The task waits: ${task.pending.prompt ?? task.pending.question}`)
  if (answersBefore === 0) {
    console.log('Meanwhile slash commands work, and the question stays open:')
    const { command, status } = await request(`${url}/input`, 'POST', { input: '/todo list' })
    print(indented(command?.text ?? ''), [`  => still ${status}`])
    console.log('Then the answer:')
  }
  return advance(url, 'input', { input: ANSWER })
}

async function advance(url, action, body) {
  const task = await request(`${url}/${action}`, 'POST', body)
  print(eventLines(task), changedPlan(task), [stateLine(task)])
  if (task.retry_after_ms) await sleep(Math.min(task.retry_after_ms, LONGEST_PAUSE_MS))
  return task
}

async function request(url, method, body) {
  console.log(`\n${curlLine(url, { method, key: KEY, body })}`)
  const headers = {
    authorization: `Bearer ${KEY}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
  const answered = await response.json()
  if (!response.ok)
    throw new Error(`${response.status} ${answered.code ?? ''}: ${answered.detail ?? response.statusText}`)
  return answered
}

/** Prints the plan, unless it is the one that was printed last. */
function changedPlan(task) {
  const lines = planLines(task)
  if (lines.join() === shownPlan || task.plan.items.length === 0) return []
  shownPlan = lines.join()
  return lines
}

function summarize({ data }) {
  const counts = Object.groupBy(data, ({ kind, phase }) =>
    phase === null || phase === undefined ? kind : `${kind} ${phase}`,
  )
  const parts = Object.entries(counts).map(([name, rows]) => `${rows.length} × ${name}`)
  console.log(
    `  ${data.length} rows, ${data.filter(({ counted }) => counted).length} of them counted: ${parts.join(', ')}`,
  )
}

function farewell() {
  const example = curlLine('http://127.0.0.1:8787/tasks', { method: 'POST', key: KEY, body: { goal: 'buy milk' } })
  title('Your turn')
  print([
    'npm start                  # the same service, kept on http://127.0.0.1:8787',
    example.slice(2),
    "npm run worker -- --exec '…'  # any program works off the commands of orchestrating tasks (docs/workers.md)",
    `http://127.0.0.1:8787/     # the console: see and steer every task in a browser (key: ${KEY})`,
    'http://127.0.0.1:8787/docs # every route, in a browser',
    'Any OpenAI-compatible model: set OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL before npm start.',
  ])
}

function title(text) {
  console.log(`\n--- ${text}`)
}

function print(...groups) {
  for (const line of groups.flat()) console.log(line)
}

function indented(text) {
  return text.split('\n').map((line) => `  ${line}`)
}
