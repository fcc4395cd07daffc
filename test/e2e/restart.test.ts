/** A kill -9 of the whole service between two slices loses nothing that was answered. */
import { afterEach, describe, expect, it } from 'vitest'
import { call, callTask, journalOf, newPlace, type Place } from './support.ts'

let place: Place
afterEach(() => place.leave())

describe('kill -9 and a restart on the same data', () => {
  it('every answered task, todo and step is still there, and the next step continues', async () => {
    place = newPlace()
    const first = await place.start()
    const fresh = await callTask(first, 'POST', '/tasks', { goal: 'buy milk and buy bread', rounds: 0 })
    const stepped = await callTask(first, 'POST', `/tasks/${fresh.id}/step`, {})
    const other = await callTask(first, 'POST', '/tasks', { goal: 'call mum', rounds: 0 })
    const added = await call(first, 'POST', '/commands', { command: '/todo add water the plants' })
    expect(stepped.step_count).toBeGreaterThan(0)
    expect(added).toMatchObject({ ok: true })
    const rows = await journalOf(first, fresh.id)
    await first.kill()

    const second = await place.start()
    const { slice: _, ...kept } = stepped
    expect(await callTask(second, 'GET', `/tasks/${fresh.id}`)).toMatchObject(kept)
    expect(await callTask(second, 'GET', `/tasks/${other.id}`)).toMatchObject({ goal: 'call mum', step_count: 0 })
    expect(await journalOf(second, fresh.id)).toEqual(rows)
    const listed = await call(second, 'POST', '/commands', { command: '/todo list' })
    const water = expect.objectContaining({ content: 'water the plants', status: 'open' })
    expect(listed).toMatchObject({ rows: expect.arrayContaining([water]) })

    const next = await callTask(second, 'POST', `/tasks/${fresh.id}/step`, {})
    expect(next.slice).toMatchObject({ advanced: true })
    expect(next.step_count).toBeGreaterThan(stepped.step_count)
    const done = await callTask(second, 'POST', `/tasks/${fresh.id}/step`, { rounds: 50 })
    expect(done).toMatchObject({ status: 'completed', stop_reason: 'done' })
  })

  it('a question that was open before the restart is still open after it, and accepts its answer', async () => {
    place = newPlace()
    const first = await place.start()
    const asked = await callTask(first, 'POST', '/tasks', { goal: 'book the dentist on Friday at 3pm', rounds: 10 })
    expect(asked).toMatchObject({ status: 'input_required', pending: { kind: 'question' } })
    await first.kill()

    const second = await place.start()
    expect(await callTask(second, 'GET', `/tasks/${asked.id}`)).toMatchObject({ pending: asked.pending })
    const done = await callTask(second, 'POST', `/tasks/${asked.id}/input`, { input: '45 minutes', rounds: 10 })
    expect(done).toMatchObject({ status: 'completed' })
  })
})
