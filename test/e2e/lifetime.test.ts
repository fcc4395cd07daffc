/** The life of the process that serves a data directory: alone on it, with files that may be damaged, ended without losing what is under way. */
import { spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readdirSync, symlinkSync, truncateSync, writeSync } from 'node:fs'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { closed, done, planned } from '../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { NODE } from '../../scripts/lib/node.mjs'
import { call, callTask, ENV, journalOf, newPlace, processesWith, type Place } from './support.ts'

let place: Place
let model: ScriptedOpenai | null = null
afterEach(async () => {
  await place.leave()
  await model?.close()
  model = null
})

const KEY = { authorization: 'Bearer dev-key' }

describe('a data directory', () => {
  it('is served by one process: a second one is refused with a sentence for any path to it, and can start after kill -9', async () => {
    place = newPlace()
    const first = await place.start()
    const other = `${place.dataDir}/itself`
    symlinkSync(place.dataDir, other)
    const sentence = `${place.dataDir} is in use by another loop-agent (process ${first.pid}): stop it, or choose another DATA_DIR`
    await expect(place.start({ DATA_DIR: other })).rejects.toThrow(`error: ${sentence}\n`)
    expect(await call(first, 'GET', '/health')).toMatchObject({ status: 'ok' })
    await first.kill()
    const second = await place.start({ DATA_DIR: other })
    expect(await call(second, 'GET', '/health')).toMatchObject({ status: 'ok' })
  })
})

describe('an overwritten file of a task', () => {
  it('makes this task state_unreadable, can be deleted, and affects no other task', async () => {
    place = newPlace()
    const first = await place.start()
    const damages = [
      (file: string) => overwrite(file, 0),
      (file: string) => overwrite(file, 4_096),
      (file: string) => truncateSync(file, 6_000),
    ]
    const ids = []
    for (const _ of damages) ids.push((await callTask(first, 'POST', '/tasks', { goal: 'buy milk', rounds: 9 })).id)
    const files = taskFiles()
    const other = await callTask(first, 'POST', '/tasks', { goal: 'buy bread', rounds: 0 })
    await first.kill()
    for (const file of files) new DatabaseSync(file).exec('PRAGMA wal_checkpoint(TRUNCATE)')
    for (const [index, damage] of damages.entries()) damage(String(files[index]))

    const second = await place.start()
    const send = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${second.url}/tasks/${path}`, { method, headers: { ...KEY, ...headers } })
      return method === 'DELETE' ? response.status : [response.status, await response.json()]
    }
    const unreadable = [500, expect.objectContaining({ code: 'state_unreadable' })]
    const reads = ['', '/journal', '/export', '/files'].map((path) => ['GET', path] as const)
    for (const id of ids) {
      for (const [method, path] of [...reads, ['POST', '/cancel'], ['POST', '/step']] as const)
        expect(await send(method, id + path)).toEqual(unreadable)
      expect(await send('GET', `${id}/events`, { accept: 'text/event-stream' })).toEqual(unreadable)
    }
    expect(await callTask(second, 'POST', `/tasks/${other.id}/step`, { rounds: 9 })).toMatchObject({
      status: 'completed',
    })
    for (const id of ids) {
      expect(await send('DELETE', id)).toBe(204)
      expect(await send('GET', id)).toEqual([404, expect.objectContaining({ code: 'task_not_found' })])
    }
  })
})

const taskFiles = () =>
  readdirSync(`${place.dataDir}/do/loop-agent-TaskObject`)
    .filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
    .map((name) => `${place.dataDir}/do/loop-agent-TaskObject/${name}`)

function overwrite(file: string, from: number): void {
  const opened = openSync(file, 'r+')
  writeSync(opened, Buffer.alloc(fstatSync(opened).size - from, 7), 0, undefined, from)
  closeSync(opened)
}

describe('SIGTERM during a slice', () => {
  it('answers the slice, ends streams, starts nothing new, exits with 0, and leaves the next process nothing to recover', async () => {
    place = newPlace()
    const gate = Promise.withResolvers<void>()
    const called = Promise.withResolvers<void>()
    const slow = (phase: string) => {
      if (phase !== 'thought') return Promise.resolve()
      called.resolve()
      return gate.promise
    }
    const script = {
      plan: [planned('A'), planned('A')],
      thought: [done(), done()],
      replan: [closed('Done.'), closed('Done.')],
    }
    model = await startScriptedOpenai(script, ({ phase }) => slow(phase))
    const env = openaiAt(model.base_url)
    const first = await place.start(env)
    const task = await callTask(first, 'POST', '/tasks', { goal: 'g', rounds: 0 })
    const stream = await fetch(`${first.url}/tasks/${task.id}/events`, {
      headers: { ...KEY, accept: 'text/event-stream' },
    })
    const events = stream.text()
    const stepped = callTask(first, 'POST', `/tasks/${task.id}/step`, { rounds: 9 })
    await called.promise
    process.kill(first.pid, 'SIGTERM')
    expect(await events).not.toContain('event: end')
    const refused = await fetch(`${first.url}/health`).then(
      ({ status }) => status,
      () => 'refused',
    )
    expect([503, 'refused']).toContain(refused)
    gate.resolve()
    expect(await stepped).toMatchObject({ status: 'running', slice: { advanced: true, rounds: 1 } })
    expect(await first.ended).toEqual([0, null])

    const second = await place.start(env)
    const rows = await journalOf(second, task.id)
    expect(rows.filter(({ outcome }) => outcome !== 'ok' && outcome !== null)).toEqual([])
    expect(await callTask(second, 'POST', `/tasks/${task.id}/step`, { rounds: 9 })).toMatchObject({
      status: 'completed',
    })
    expect(model.calls).toHaveLength(3)
  })

  it('ends the process at once when it is sent again after a second; within that second it counts as the same signal', async () => {
    place = newPlace()
    const called = Promise.withResolvers<void>()
    const never = () => {
      called.resolve()
      return new Promise<void>(() => {})
    }
    model = await startScriptedOpenai({}, never)
    const service = await place.start(openaiAt(model.base_url))
    const lost = callTask(service, 'POST', '/tasks', { goal: 'g' }).catch(() => 'lost')
    await called.promise
    const begun = performance.now()
    const signals = ['SIGTERM', 'SIGINT'] as const
    const send = () => signals.forEach((signal) => process.kill(service.pid, signal))
    send()
    const again = setInterval(send, 100)
    expect(await service.ended.finally(() => clearInterval(again))).toEqual([1, null])
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_000)
    expect(await lost).toBe('lost')
  })

  it.each([
    ['SIGTERM', 'a shell', ''],
    ['SIGINT', 'a shell and an older Node', '--no-strip-types'],
  ] as const)(
    'under npm start, %s to the whole group finishes the slice, although %s above the service ends too',
    async (signal, _, option) => {
      place = newPlace()
      const gate = Promise.withResolvers<void>()
      const called = Promise.withResolvers<void>()
      const script = { plan: [planned('A')], thought: [done()], replan: [closed('Done.')] }
      model = await startScriptedOpenai(script, ({ phase }) => {
        if (phase !== 'thought') return Promise.resolve()
        called.resolve()
        return gate.promise
      })
      const { url, shell } = await startUnderShell(option, openaiAt(model.base_url))
      const created = callTask({ url }, 'POST', '/tasks', { goal: 'g', rounds: 1 })
      await called.promise
      process.kill(-shell.pid, signal)
      // The model is slow: the service looks every half second whether its parents are there.
      setTimeout(gate.resolve, 1_100)
      expect(await created).toMatchObject({ status: 'running', slice: { rounds: 1 } })
      await expect.poll(() => processesWith(place.dataDir), { timeout: 10_000 }).toEqual([])
    },
  )
})

/** As npm starts it: a shell stands above it. With the option Node reads no TypeScript, and starts another one. */
async function startUnderShell(option: string, env: Record<string, string | undefined>) {
  const command = `true && "${NODE}" ${option} scripts/start.mjs; exit $?`
  const given = { ...process.env, ...ENV, ...env, PORT: '0', DATA_DIR: place.dataDir, npm_lifecycle_event: 'start' }
  const shell = spawn('sh', ['-c', command], { env: given, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  shell.stdout.on('data', (chunk) => (printed += String(chunk)))
  await expect.poll(() => printed, { timeout: 20_000 }).toContain('listening on')
  return { url: /http:\S+/.exec(printed)?.[0] ?? '', shell: Object.assign(shell, { pid: Number(shell.pid) }) }
}
