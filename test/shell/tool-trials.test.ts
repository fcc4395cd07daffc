/** Tools that are tried before there is a task: every source is listed once, one call is made, and the world never becomes an error of ours. */
import { describe, expect, it } from 'vitest'
import type { ClientTool, ToolSource } from '../../src/core/terms/tools/client-tools.ts'
import { ok } from '../../src/core/terms/refusal.ts'
import type { Caller } from '../../src/shell/caller.ts'
import type { ClientTools, ToolContext } from '../../src/shell/tool-ports.ts'
import { fits } from '../../src/store/fits.ts'
import { clientTools, FILES_OF_NO_TASK } from '../../src/tools/client-tools.ts'
import { sourceAt, toolNamed } from '../support/mcp-call.ts'
import { sentTo, standIn } from '../support/mcp-stand-in.ts'
import { png } from '../support/pictures.ts'
import { benchOf, CALLER } from '../support/scripted.ts'

const OWN: ClientTool = { name: 'look', description: '', parameters: null, url: 'https://a.example', idempotent: false }
const listedBy = (source: ToolSource, ...tools: string[]) => ({
  kind: 'tools_listed' as const,
  tools: tools.map((name) => ({ ...toolNamed(name), name: `${source.name}.${name}` })),
  digest: 'd',
  notes: ['one note'],
})
const sourceNamed = (name: string) => sourceAt('https://tools.example.com/mcp', { name })
const success = { ok: true, code: 'success', text: '7' }

/** The service over these tools, with what they were asked. */
function benchWith(tools: Partial<ClientTools> = {}) {
  const asked: { what: string; call: ToolContext }[] = []
  const trial_tools: ClientTools = {
    async run(tool, sources, input, call) {
      asked.push({ what: `run ${tool.name} ${input}`, call })
      return tools.run?.(tool, sources, input, call) ?? success
    },
    async list(listing, call) {
      asked.push({ what: `list ${listing.source.name}`, call })
      return tools.list?.(listing, call) ?? listedBy(listing.source, 'act')
    },
    async abandon(dropped, call) {
      asked.push({ what: `abandon ${dropped.state}`, call: call as ToolContext })
      await tools.abandon?.(dropped, call)
    },
  }
  const bench = benchOf({}, { trial_tools })
  const what = () => asked.map((one) => one.what)
  return { ...bench, asked, what }
}
const entries = (tools: ClientTool[], ...sources: ToolSource[]) => ({ tools, sources, locale: 'en' as const })
const trialOf = (name: string, tools: ClientTool[], ...sources: ToolSource[]) => ({
  ...entries(tools, ...sources),
  name,
  input: '{"a":1}',
})
const keyed = (digest = 'd'): Caller => ({ ...CALLER, key: { scope: 'POST /tools/call', key: 'k', digest } })

describe('the preview', () => {
  it('TT-01 lists every source once, and shows its tools behind those of the entries, as a task does', async () => {
    const bench = benchWith()
    const shown = await bench.service.previewTools(CALLER, entries([OWN], sourceNamed('shop'), sourceNamed('desk')))
    expect(shown).toMatchObject({
      ok: true,
      value: {
        data: [
          { name: 'look', origin: 'signed', source: null, method: 'POST' },
          { name: 'shop.act', origin: 'mcp', source: 'shop' },
          { name: 'desk.act', origin: 'mcp', source: 'desk' },
        ],
        sources: [
          { name: 'shop', state: 'listed', tools: 1, digest: 'd', notes: ['one note'], changed: false },
          { name: 'desk', state: 'listed', tools: 1 },
        ],
      },
    })
    expect(bench.what()).toEqual(['list shop', 'list desk'])
    expect(JSON.stringify(shown)).not.toContain('example')
  })

  it('TT-01 a source that cannot be listed is shown with its reason beside the others, also where its list throws', async () => {
    const list: ClientTools['list'] = async ({ source }) => {
      if (source.name === 'desk') throw new TypeError('canary')
      if (source.name === 'shop') return listedBy(source, 'act')
      return { kind: 'tools_unlisted', reason: 'HTTP 401', passing: false, retry_after_ms: null }
    }
    const { service } = benchWith({ list })
    const shown = await service.previewTools(
      CALLER,
      entries([], sourceNamed('desk'), sourceNamed('till'), sourceNamed('shop')),
    )
    expect(shown).toMatchObject({
      value: {
        data: [{ name: 'shop.act' }],
        sources: [
          { name: 'desk', state: 'unavailable', notes: ['the tools could not be listed: TypeError'] },
          { name: 'till', state: 'unavailable', notes: ['HTTP 401'] },
          { name: 'shop', state: 'listed' },
        ],
      },
    })
  })

  it('TT-01 all lists together have 60 s, and one of them at most 30', async () => {
    const bench = benchWith({
      list: async ({ source }) => {
        bench.clock.now += 25_000
        return listedBy(source)
      },
    })
    const shown = await bench.service.previewTools(CALLER, entries([], ...['a', 'b', 'c', 'd'].map(sourceNamed)))
    expect(bench.asked.map(({ call }) => call.timeout_ms)).toEqual([30_000, 30_000, 10_000])
    expect(shown).toMatchObject({
      value: { sources: [{}, {}, { state: 'listed' }, { name: 'd', state: 'not_listed', notes: [] }] },
    })
  })

  it('TT-01 nothing more is listed for a caller that has hung up', async () => {
    const bench = benchWith()
    const gone = () => bench.asked.length > 0
    await bench.service.previewTools({ ...CALLER, gone }, entries([], sourceNamed('a'), sourceNamed('b')))
    expect(bench.what()).toEqual(['list a'])
  })
})

describe('a call', () => {
  it('TT-02 of a tool of an entry lists nothing; its key names no task', async () => {
    const bench = benchWith()
    const answer = await bench.service.tryTool(CALLER, trialOf('look', [OWN], sourceNamed('shop')))
    expect(answer).toEqual(ok({ trial: success, replayed: false }))
    expect(bench.what()).toEqual(['run look {"a":1}'])
    expect(bench.asked[0]?.call).toMatchObject({ tenant: CALLER.tenant, timeout_ms: 30_000, locale: 'en' })
    expect(bench.asked[0]?.call.key).toMatch(/^trial_id\d+:1$/)
    await bench.service.tryTool(CALLER, trialOf('look', [OWN]))
    expect(bench.asked[1]?.call.key).not.toBe(bench.asked[0]?.call.key)
  })

  it.each(['shop.act', 'shop_act', 'SHOP.ACT'])(
    'TT-02 of a tool of a source by the name %s lists only that source',
    async (name) => {
      const bench = benchWith()
      const answer = await bench.service.tryTool(CALLER, trialOf(name, [], sourceNamed('desk'), sourceNamed('shop')))
      expect(answer).toEqual(ok({ trial: success, replayed: false }))
      expect(bench.what()).toEqual(['list shop', 'run shop.act {"a":1}'])
    },
  )

  it('TT-02 of a name that no tool has tells all names, and calls nothing', async () => {
    const bench = benchWith()
    const answer = await bench.service.tryTool(CALLER, trialOf('lok', [OWN], sourceNamed('shop')))
    expect(answer).toEqual(ok({ unknown: ['look', 'shop.act'] }))
    expect(bench.what()).toEqual(['list shop'])
  })

  it('TT-03 of a tool whose source cannot be listed is a failed call that says why', async () => {
    const reason = 'no answer in time'
    const bench = benchWith({
      list: async () => ({ kind: 'tools_unlisted', reason, passing: true, retry_after_ms: null }),
    })
    const answer = await bench.service.tryTool(CALLER, trialOf('shop.act', [], sourceNamed('shop')))
    const text = `not called: the tools of shop could not be listed: ${reason}`
    expect(answer).toEqual(ok({ trial: { ok: false, code: 'tools_unavailable', text }, replayed: false }))
  })

  it('TT-03 that throws is a failed call, and its message is not told', async () => {
    const { service } = benchWith({ run: () => Promise.reject(new RangeError('canary')) })
    const trial = { ok: false, code: 'tool_error', text: 'the tool failed: RangeError' }
    expect(await service.tryTool(CALLER, trialOf('look', [OWN]))).toEqual(ok({ trial, replayed: false }))
  })

  it('TT-04 that asks a person or works on outside is held: it says what it wants, and is given up', async () => {
    const question = { text: 'Which?', schema: null }
    const asking = benchWith({ run: async () => ({ kind: 'tool_asked', question, state: 's1' }) })
    expect(await asking.service.tryTool(CALLER, trialOf('look', [OWN]))).toEqual(
      ok({ trial: { held: { kind: 'asked', question } }, replayed: false }),
    )
    expect(asking.what().at(-1)).toBe('abandon s1')
    const outside = benchWith({
      run: async () => ({ kind: 'tool_waits', state: 's2', poll_ms: 5, message: 'digging' }),
      abandon: () => Promise.reject(new Error('gone')),
    })
    expect(await outside.service.tryTool(CALLER, trialOf('look', [OWN]))).toEqual(
      ok({ trial: { held: { kind: 'outside', message: 'digging' } }, replayed: false }),
    )
    expect(outside.what().at(-1)).toBe('abandon s2')
  })
})

describe('a call under an Idempotency-Key', () => {
  it('TT-05 is made once, and answered again as before; another body under the key is refused', async () => {
    const bench = benchWith()
    const first = await bench.service.tryTool(keyed(), trialOf('look', [OWN]))
    const again = await bench.service.tryTool(keyed(), trialOf('look', [OWN]))
    expect([first, again]).toEqual([ok({ trial: success, replayed: false }), ok({ trial: success, replayed: true })])
    expect(bench.what()).toEqual(['run look {"a":1}'])
    expect(bench.asked[0]?.call.key).toBe(`trial_of-${CALLER.tenant}-k:1`)
    expect(await bench.service.tryTool(keyed('other'), trialOf('look', [OWN]))).toMatchObject({
      refusal: { code: 'idempotency_key_reused' },
    })
  })

  it('TT-05 of two at once the second is told that the first is under way, and nothing is called twice', async () => {
    const held = Promise.withResolvers<typeof success>()
    const begun = Promise.withResolvers<void>()
    const bench = benchWith({
      run() {
        begun.resolve()
        return held.promise
      },
    })
    const first = bench.service.tryTool(keyed(), trialOf('look', [OWN]))
    await begun.promise
    expect(await bench.service.tryTool(keyed(), trialOf('look', [OWN]))).toMatchObject({
      refusal: { code: 'request_in_progress', expires_ms: bench.clock.now + 40_000 },
    })
    held.resolve(success)
    expect(await first).toEqual(ok({ trial: success, replayed: false }))
    expect(bench.what()).toHaveLength(1)
  })

  it('TT-05 whose worker was lost is not repeated: its outcome is unknown; one that may be repeated is made again under its key', async () => {
    const never = benchWith({ run: () => new Promise(() => {}) })
    for (const [idempotent, calls] of [
      [false, 1],
      [true, 2],
    ] as const) {
      never.asked.length = 0
      const key = { scope: 'POST /tools/call', key: `of-${idempotent}`, digest: 'd' }
      const sent = trialOf('look', [{ ...OWN, idempotent }])
      void never.service.tryTool({ ...CALLER, key }, sent)
      await expect.poll(() => never.asked.length).toBe(1)
      never.clock.now += 40_001
      const repeated = never.service.tryTool({ ...CALLER, key }, sent)
      if (idempotent) await expect.poll(() => never.asked.length).toBe(2)
      else expect(await repeated).toMatchObject({ value: { trial: { ok: false, code: 'outcome_unknown' } } })
      expect(new Set(never.asked.map(({ call }) => call.key)).size).toBe(1)
      expect(never.asked).toHaveLength(calls)
    }
  })
})

describe('with a server of MCP', () => {
  const toolsAt = (fetch: typeof globalThis.fetch) =>
    clientTools({
      fetch,
      loopback: true,
      fits,
      now_ms: () => 1_000,
      signing: new Map(),
      secrets: { reveal: (_tenant, name) => Promise.resolve({ ok: false, error: `there is no secret ${name}` }) },
      hosts_of: async () => null,
      files: FILES_OF_NO_TASK,
      pause: () => Promise.resolve(),
    })
  const LIST = { tools: [{ name: 'act', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' }

  it('TT-06 an image is told by name, type and size, as a model would see it', async () => {
    const image = { type: 'image', data: Buffer.from(png(3, 2)).toString('base64'), mimeType: 'image/png' }
    const server = standIn(2026, { 'tools/list': () => LIST, act: () => ({ content: [image] }) })
    const { service } = benchOf({}, { trial_tools: toolsAt(server.fetch) })
    const answer = await service.tryTool(CALLER, trialOf('shop.act', [], sourceNamed('shop')))
    const bytes = png(3, 2).length
    expect(answer).toMatchObject({
      value: {
        trial: {
          ok: true,
          code: 'success',
          text: expect.stringContaining('act-1-1.png'),
          images: [{ name: 'act-1-1.png', media_type: 'image/png', width: 3, height: 2, bytes }],
        },
      },
    })
  })

  it('TT-04 a task of the server is cancelled there when the trial gives it up', async () => {
    const times = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' }
    const begun = { taskId: 't-1', status: 'working', statusMessage: 'digging', ttlMs: null, ...times }
    const server = standIn(
      2026,
      {
        'tools/list': () => LIST,
        act: () => ({ resultType: 'task', ...begun }),
        'tasks/get': () => begun,
        'tasks/cancel': () => ({}),
      },
      { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } },
    )
    const { service } = benchOf({}, { trial_tools: toolsAt(server.fetch) })
    const answer = await service.tryTool(CALLER, trialOf('shop.act', [], sourceNamed('shop')))
    expect(answer).toMatchObject({ value: { trial: { held: { kind: 'outside' } } } })
    expect(sentTo(server, 'tasks/cancel')).toMatchObject([{ taskId: 't-1' }])
  })
})
