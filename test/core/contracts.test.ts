/** The schemas of the contracts as they are sent to a model, and what a model is told of a reply that breaks one. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { schemaOf } from '../../src/core/engine/contracts.ts'
import { rebuildPrompt, requestText } from '../../src/core/engine/rebuild-prompt.ts'
import { readReply } from '../../src/core/mode/reply.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'
import { utf8Bytes } from '../../src/core/terms/text.ts'
import { storedRows } from '../support/forks.ts'
import { LENIENT } from '../support/readers.ts'
import { act, benchOf, CALLER, closed, createTask, done, ALL, planned, taken } from '../support/scripted.ts'

/** What a request has around its messages and its schema. */
const FRAME_BYTES = 512

const contracts = MODE_NAMES.flatMap((mode) => Object.keys(modeOf(mode).contracts).map((name) => ({ mode, name })))

describe('the schema that is sent', () => {
  it.each(contracts)(
    'has no bounds of length or size, which strict endpoints refuse: $mode $name',
    ({ mode, name }) => {
      const text = JSON.stringify(schemaOf(mode, name, ['todo']))
      expect(text).not.toMatch(/"(?:min|max)(?:Length|Items|imum)"|"pattern"|"format"|names_a_tool/)
      expect(text.length).toBeGreaterThan(50)
    },
  )

  it('names the tools that the task offers, with those of its client', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act('{}', 'weather'), done()], replan: [closed()] })
    const weather = {
      name: 'weather',
      description: 'w',
      parameters: null,
      url: 'https://example.com',
      idempotent: true,
    }
    await createTask(bench, {}, ALL, { tools: [weather] })
    const sent = JSON.stringify(bench.requests[1]?.contract?.schema)
    expect(sent).toContain(`"enum":${JSON.stringify([...modeOf('plan_execute').tools, 'weather'])}`)
    expect(JSON.stringify(schemaOf('plan_execute', 'thought', []))).not.toContain('"todo"')
  })

  it('is reserved with its prompt by each call, also where another call was sent the same', async () => {
    const script = { plan: [planned('A')], thought: [act('{}'), act('{}'), done()], replan: [closed()] }
    const bench = benchOf(script)
    const { id } = await createTask(bench, {}, ALL)
    const rows = storedRows(bench, id)
    const schemas = bench.requests.map(({ contract }) => utf8Bytes(JSON.stringify(contract?.schema)))
    for (let seq = 2; seq <= (rows.last()?.seq ?? 0); seq++) {
      const [row, head] = [rows.closed(seq), rows.closed(seq - 1)?.head]
      if (row?.effect?.kind !== 'call_model' || head === undefined) continue
      const prompt = rebuildPrompt(head, row.effect.phase, rows.recall, row.effect.wall_ms)
      const rest = (row.reserved?.input_tokens ?? 0) - utf8Bytes(requestText(prompt)) - (schemas.shift() ?? 0)
      expect(rest).toBeGreaterThanOrEqual(FRAME_BYTES)
      expect(rest).toBeLessThan(FRAME_BYTES + 100)
    }
    expect(schemas).toEqual([])
  })

  it('binds no reply: a tool that is not offered is a failed action that names the nearest one', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act('x', 'scheduler'), done()], replan: [closed()] })
    const { id } = await createTask(bench, {}, ALL)
    const page = await bench.service.listEvents(CALLER, id, { after: 0, limit: 100 })
    const finished = page.ok ? page.value.data.find(({ type }) => type === 'action_finished') : undefined
    expect(finished?.payload).toMatchObject({ ok: false, text: expect.stringContaining('did you mean "schedule"?') })
    expect(taken(await bench.service.getTask(CALLER, id)).status).toBe('completed')
  })
})

describe('what a model is told of a reply that breaks its contract', () => {
  const contract = z.strictObject({ status: z.enum(['on', 'off']), part: z.strictObject({ size: z.int() }) })
  const reasonOf = (reply: object) => {
    const read = readReply(contract, JSON.stringify(reply), LENIENT)
    return read.ok ? '' : read.reason
  }

  it('names the member, what is allowed, and what was given', () => {
    expect(reasonOf({ status: 'up', part: { size: 1 } })).toMatch(/^status: .*"on"\|"off" \(given: "up"\)$/)
    expect(reasonOf({ status: 'on', part: { size: 'large' } })).toMatch(/^part\.size: .*\(given: "large"\)$/)
  })

  it('says that nothing was given, and cuts what is long', () => {
    expect(reasonOf({ status: 'on' })).toMatch(/^part: .*\(given: nothing\)$/)
    const long = reasonOf({ status: 'x'.repeat(5_000), part: { size: 1 } })
    expect(long).toContain('given: "xxx')
    expect(long.length).toBeLessThan(200)
  })
})
