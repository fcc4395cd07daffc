/** The instructions of a new task over HTTP (U55). */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Brief } from '../../src/core/terms/effect.ts'
import { closed, done, benchOf, planned } from '../support/scripted.ts'
import { fixture } from '../support/http-fixture.ts'

const Answer = z.looseObject({ id: z.string().nullable(), instructions: z.string().optional() })
const SCRIPT = { plan: [planned('A')], thought: [done()], replan: [closed()] }
const served = () => fixture({ answers: benchOf(SCRIPT).service })

async function given(instructions: unknown) {
  const { post, asked } = fixture()
  expect((await post('/tasks', { goal: 'x', instructions })).status).toBe(201)
  return Brief.pick({ instructions: true }).parse(asked[0]?.args[1])
}

describe('instructions', () => {
  it('U55 are trimmed, and null or none means none', async () => {
    expect(await given('  Be brief.\n')).toEqual({ instructions: 'Be brief.' })
    expect(await given('🥛'.repeat(16_000))).toEqual({ instructions: '🥛'.repeat(16_000) })
    expect(await given(null)).toEqual({})
    expect(await given(undefined)).toEqual({})
  })

  it('U55 shows what it was given, to who reads the task and not in lists', async () => {
    const { post, send } = served()
    const made = Answer.parse(await (await post('/tasks', { goal: 'x', instructions: 'Be brief.' })).json())
    expect(made.instructions).toBe('Be brief.')
    const read = Answer.parse(await (await send('GET', `/tasks/${made.id}`)).json())
    expect(read.instructions).toBe('Be brief.')
    const { data } = z.object({ data: z.array(Answer) }).parse(await (await send('GET', '/tasks')).json())
    expect(data.map(({ id, instructions }) => [id, instructions])).toEqual([[made.id, undefined]])
    const plain = Answer.parse(await (await served().post('/tasks', { goal: 'x' })).json())
    expect(plain).not.toHaveProperty('instructions')
  })

  it('U55 shows them in a dry run, whose worst case counts them', async () => {
    const Planned = Answer.extend({ forecast: z.object({ worst_case: z.object({ tokens: z.int() }) }) })
    const dry = async (more: object) =>
      Planned.parse(await (await served().post('/tasks?dry_run=true', { goal: 'x', ...more })).json())
    const [plain, told] = [await dry({}), await dry({ instructions: 'Be brief.' })]
    expect(told.instructions).toBe('Be brief.')
    expect(told.forecast.worst_case.tokens).toBeGreaterThan(plain.forecast.worst_case.tokens)
  })
})
