/** What computes for long in an isolate takes turns and pauses: whoever asks for something else meanwhile is served. */
import { afterEach, expect, it } from 'vitest'
import { salesLines } from '../../scripts/lib/sales-csv.mjs'
import { callTask, newPlace, type Place } from './support.ts'

let place: Place
afterEach(() => place.leave())

const TASKS = 4
const AUTH = { authorization: 'Bearer dev-key' }

it(
  'O1-08 tasks that read and compute over 4 MB at the same time delay no other request: health is answered throughout, and each task succeeds',
  { timeout: 180_000 },
  async () => {
    place = newPlace()
    const service = await place.start()
    const csv = [...salesLines({ rows: 80_000 })].join('\n')
    expect(csv.length).toBeGreaterThan(3_000_000)
    const settings = { dataset: 'sales.csv' }
    const body = { goal: 'Analyse the sales trend and compare the regions', mode: 'autonomous', settings, rounds: 0 }
    const ids: string[] = []
    for (let n = 0; n < TASKS; n++) {
      const { id } = await callTask(service, 'POST', '/tasks', body)
      const put = { method: 'PUT', headers: AUTH, body: csv }
      expect((await fetch(`${service.url}/tasks/${id}/files/sales.csv`, put)).status).toBe(201)
      ids.push(id)
    }
    const stepping = { now: true }
    const steps = Promise.all(ids.map((id) => callTask(service, 'POST', `/tasks/${id}/step`, { rounds: 4 })))
    void steps.finally(() => (stepping.now = false)).catch(() => undefined)
    let answered = 0
    while (stepping.now) {
      const health = await fetch(`${service.url}/health`)
      await health.arrayBuffer()
      if (health.status === 200 && stepping.now) answered += 1
    }
    for (const task of await steps) expect(task.counters).toMatchObject({ failed_actions: 0 })
    console.log('health', answered)
    // Each of them pauses a dozen times while it reads, and each reads at least twice.
    expect(answered).toBeGreaterThan(TASKS * 10)
  },
)
