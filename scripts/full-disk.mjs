/**
 * `npm run full-disk`: runs the service on a small file system and fills it to the last byte (Linux; needs the right to mount). Writes have to
 * get 507 and reads have to work, also in the next process. With free space again, every acknowledged task has to be there and continue
 * by itself. Prints one JSON line of figures. Exit 1 when one of these does not hold.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { makeDataDir, removeDataDir, startService } from './lib/service.mjs'

const ROUNDS = 3
const dataDir = makeDataDir()
const environment = {
  ENVIRONMENT: 'development',
  API_KEYS: undefined,
  MODEL_PROVIDER: 'offline',
  OPENAI_API_KEY: undefined,
}
const wrong = []
const seen = {}

execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', dataDir])
let service = await startService({ dataDir, env: environment })
try {
  await main()
} finally {
  await service.stop()
  execFileSync('umount', [dataDir])
  removeDataDir(dataDir)
}
for (const sentence of wrong) console.error(`wrong: ${sentence}`)
console.log(JSON.stringify(seen))
process.exit(wrong.length === 0 ? 0 : 1)

async function main() {
  const manual = await created('manual')
  await send('PUT', `/tasks/${manual}/files/before.csv`, 'a,b\n1,2\n')
  const driven = await created('background')
  fill()
  const waiting = await statusOf(driven)
  seen.background_was = waiting
  for (let round = 0; round < ROUNDS; round++) await full(manual, driven)
  await service.kill()
  service = await startService({ dataDir, env: environment })
  await full(manual, driven)
  rmSync(`${dataDir}/filler`)
  expect('a manual task goes on', 200, await send('POST', `/tasks/${manual}/step`, { rounds: 9 }))
  expect('what was put before is there', 200, await send('GET', `/tasks/${manual}/files/before.csv`))
  const begun = Date.now()
  while ((await statusOf(driven)) !== 'completed' && Date.now() - begun < 60_000)
    await new Promise((done) => setTimeout(done, 200))
  seen.background_ms = Date.now() - begun
  expect('a background task goes on by itself', 'completed', await statusOf(driven))
}

async function full(manual, driven) {
  for (const id of [manual, driven]) {
    expect('a task is read', 200, await send('GET', `/tasks/${id}`))
    expect('events are read', 200, await send('GET', `/tasks/${id}/events?limit=5`))
    expect('rows are exported', 200, await send('GET', `/tasks/${id}/export`))
  }
  expect('tasks are listed', 200, await send('GET', '/tasks'))
  expect('a file is read', 200, await send('GET', `/tasks/${manual}/files/before.csv`))
  expect('a step is refused', 507, await send('POST', `/tasks/${manual}/step`, {}))
  expect('a file is refused', 507, await send('PUT', `/tasks/${manual}/files/more.csv`, 'a,b\n'.repeat(50_000)))
  expect('a task is refused', 507, await send('POST', '/tasks', { goal: 'buy milk', rounds: 0 }))
  expect('an unknown task is refused', 507, await send('GET', `/tasks/task_${'0'.repeat(32)}`))
  expect('a command is refused', 507, await send('POST', '/commands', { command: '/todo add milk' }))
}

async function created(drive) {
  const made = await request('POST', '/tasks', {
    goal: 'buy milk and buy bread and buy eggs and buy tea',
    rounds: 0,
    drive,
  })
  return (await made.json()).id
}
async function statusOf(id) {
  return (await (await request('GET', `/tasks/${id}`)).json()).status
}

async function send(method, path, body) {
  return (await request(method, path, body)).status
}

function request(method, path, body) {
  const type = typeof body === 'string' ? 'text/csv' : 'application/json'
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  return fetch(service.url + path, {
    method,
    headers: { authorization: 'Bearer dev-key', 'content-type': type },
    body: text,
  })
}

function expect(sentence, wanted, found) {
  const key = `${sentence}: ${found}`
  seen[key] = (seen[key] ?? 0) + 1
  if (found !== wanted) wrong.push(`${sentence}: ${found} instead of ${wanted}`)
}

/** Fills the file system to its last byte. */
function fill() {
  const file = openSync(`${dataDir}/filler`, 'a')
  for (const bytes of [4_096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes))
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}
