/** A tenant of `npm start` over several workspace objects: one list, one quota, and a growth between two starts. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../scripts/lib/service.mjs'
import { call, callTask, newPlace, until, untilFound, type Place } from './support.ts'

let place: Place
afterEach(() => place.leave())

const Page = z.object({ data: z.array(z.looseObject({ id: z.string() })), next_cursor: z.string().nullable() })
async function idsOf(service: Service, query = ''): Promise<string[]> {
  const found: string[] = []
  for (let after = ''; ;) {
    const page = Page.parse(await call(service, 'GET', `/tasks?limit=6${query}${after}`))
    found.push(...page.data.map(({ id }) => id))
    if (page.next_cursor === null) return found
    after = `&after=${page.next_cursor}`
  }
}
const workspaces = () =>
  readdirSync(join(place.dataDir, 'do/loop-agent-WorkspaceObject')).filter((name) =>
    /^[0-9a-f]{64}\.sqlite$/.test(name),
  )
const make = async (service: Service, goal: string, more: object = { rounds: 0 }) =>
  (await callTask(service, 'POST', '/tasks', { goal, ...more })).id

it('OPS-19 a tenant over several objects has one list and one quota, through kill -9 and through a growth', async () => {
  place = newPlace()
  const first = await place.start()
  const made = [await make(first, 'buy milk before'), await make(first, 'buy bread before')]
  await first.kill()
  expect(workspaces()).toHaveLength(1)

  const second = await place.start({ TENANT_SHARDS: 'dev:4', MAX_OPEN_TASKS: '18' })
  for (let at = 0; at < 16; at++) made.push(await make(second, `buy milk ${at}`))
  await expect(make(second, 'one too many')).rejects.toThrow('quota_exceeded')
  expect(await idsOf(second)).toEqual(made.toReversed())
  expect(workspaces().length).toBe(4)
  const [, , done = '', gone = ''] = made
  await callTask(second, 'POST', `/tasks/${done}/step`, { rounds: 20 })
  await call(second, 'DELETE', `/tasks/${gone}`)
  const left = made.filter((id) => id !== gone)
  await second.kill()

  const third = await place.start({ TENANT_SHARDS: 'dev:8', MAX_OPEN_TASKS: '18' })
  expect(await idsOf(third)).toEqual(left.toReversed())
  expect(await idsOf(third, '&status=completed')).toEqual([done])
  // Of the 18 one has ended and one is gone.
  const driven = [await make(third, 'call mum', { drive: 'background' }), await make(third, 'call dad')]
  await until(third, driven[0] ?? '', ({ status }) => status === 'completed')
  // The end of a driven task is counted just after the task shows it.
  expect(await untilFound('place for another task', () => make(third, 'call aunt').catch(() => null))).not.toBe('')
  await expect(make(third, 'one too many')).rejects.toThrow('quota_exceeded')
  expect((await idsOf(third)).length).toBe(left.length + 3)
  await third.kill()

  // Fewer shards would not find the tasks of the others, so new work is refused.
  const fourth = await place.start()
  await expect(make(fourth, 'anything')).rejects.toThrow('not_configured')
}, 60_000)
