/** An image through the whole service: put over HTTP, waited for, shown to a strict endpoint, over a kill, a replay and a fork. */
import { afterEach, expect, it } from 'vitest'
import { urlOf, urlsIn } from '../support/image-bench.ts'
import { openaiAt } from '../support/scripted-openai.ts'
import { png } from '../support/pictures.ts'
import { calling } from '../support/scripted.ts'
import { startChatStandIn, type ChatStandIn } from '../support/stand-ins/chat.ts'
import { call, callTask, journalOf, newPlace, type Place } from './support.ts'

let place: Place
let model: ChatStandIn
afterEach(async () => {
  await place.leave()
  await model.close()
})

/** Of the largest size, with bytes of every kind. */
function largest(): Uint8Array<ArrayBuffer> {
  const image = Uint8Array.from({ length: 5_242_880 }, (_, at) => (at * 31) % 251)
  image.set(png(4_032, 3_024))
  return image
}

it('U46 an image of 5 MiB is put when it is asked for, and seen the same over a kill, a replay and a fork', async () => {
  place = newPlace()
  const look = calling('', ['read_file', { name: 'photo.png' }])
  const end = 'A cat.\n[Goal reached]'
  model = await startChatStandIn('mistral', { turn: [look, look, end, end] })
  const { api_key, base_url, model: name } = model.config
  const env = { ...openaiAt(base_url), OPENAI_API_KEY: api_key, OPENAI_MODEL: name }
  const service = await place.start(env)
  const waiting = await callTask(service, 'POST', '/tasks', { goal: 'Describe photo.png', mode: 'session', rounds: 3 })
  expect(waiting).toMatchObject({ status: 'input_required', pending: { kind: 'file', name: 'photo.png' } })
  const put = await fetch(`${service.url}/tasks/${waiting.id}/files/photo.png`, {
    method: 'PUT',
    headers: { authorization: 'Bearer dev-key', 'content-type': 'image/png' },
    body: largest(),
  })
  expect(put.status).toBe(201)
  await callTask(service, 'POST', `/tasks/${waiting.id}/step`, {})
  await service.kill()
  const next = await place.start(env)
  const task = await callTask(next, 'POST', `/tasks/${waiting.id}/step`, { rounds: 3 })
  expect(task).toMatchObject({ status: 'completed', result: { text: expect.stringContaining('A cat.') } })
  expect(urlsIn(model.answered.at(-1)?.request)).toEqual([urlOf(largest())])
  expect(await call(next, 'POST', `/tasks/${waiting.id}/replay`, {})).toMatchObject({ equal: true })
  const rows = await journalOf(next, waiting.id)
  expect(rows.filter(({ request_exact }) => request_exact === false)).toEqual([])
  const at = rows.findLast(({ kind }) => kind === 'run_tool')?.seq
  const fork = await callTask(next, 'POST', `/tasks/${waiting.id}/fork`, { at })
  await callTask(next, 'POST', `/tasks/${fork.id}/step`, { rounds: 3 })
  expect(model.answered).toHaveLength(4)
  expect(urlsIn(model.answered.at(-1)?.request)).toEqual([urlOf(largest())])
})
