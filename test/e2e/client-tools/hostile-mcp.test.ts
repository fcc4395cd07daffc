/**
 * MCP servers that are malformed, huge, slow or lying, through the built service: each drawn answer meets a task of its own. The service
 * answers every request in its bound and without a 5xx, and every task is in a state that has a name. `MCP_HOSTILE=10000` draws more.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../../scripts/lib/service.mjs'
import { TaskView } from '../../../src/core/terms/view.ts'
import { fault, faulty } from '../../support/mcp-faults.ts'
import { calling } from '../../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ModelCall, type ScriptedOpenai } from '../../support/scripted-openai.ts'
import { answerOf, startToolServer, type ToolServer } from '../../support/tool-server.ts'
import { newPlace } from '../support.ts'

const DRAWN = Number(process.env['MCP_HOSTILE'] ?? 200)
const SEED = 20_261_124
const AT_ONCE = 8
/** The longest that a task may work: what a silent server costs. */
const MAX_SECONDS = 2
/** Far beyond what any request may take. */
const REQUEST_MS = 45_000

const servers: (typeof globalThis.fetch)[] = []
const place = newPlace()
let tools: ToolServer
let model: ScriptedOpenai
let service: Service
beforeAll(async () => {
  tools = await startToolServer((request) => {
    const fetch = servers[Number(request.path.split('/')[1])]
    return fetch === undefined ? new Response(null, { status: 404 }) : answerOf({ fetch }, request)
  })
  model = await startScriptedOpenai(turn)
  service = await place.start({ ...openaiAt(model.base_url), RATE_LIMIT_PER_MINUTE: '1000000' })
})
afterAll(async () => {
  await place.leave()
  await tools.close()
  await model.close()
})

/** Calls the tool once, if the server has listed it, and ends. */
function turn({ body }: ModelCall): object | string {
  const { messages, tools: offered } = body
  const isCalled = JSON.stringify(messages).includes('"role":"tool"')
  return isCalled || !JSON.stringify(offered).includes('"shop_act"') ? 'Finished.' : calling('', ['shop_act', {}])
}

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: 'Bearer dev-key', 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const signal = AbortSignal.timeout(REQUEST_MS)
  const response = await fetch(`${service.url}${path}`, { method, headers, signal, ...sent })
  const said = await response.text()
  expect(response.status, `${method} ${path}: ${said.slice(0, 500)}`).toBeLessThan(300)
  return said === '' ? null : JSON.parse(said)
}

const Replay = z.object({ equal: z.boolean(), first_difference: z.unknown() })
/** The life of one task: it is made, advanced, read, run again, ended and deleted. */
async function liveOnce(number: number, optional: boolean): Promise<string> {
  const made = TaskView.parse(
    await ask('POST', '/tasks', {
      goal: 'use the shop',
      mode: 'session',
      locale: 'en',
      rounds: 5,
      max_ms: 10_000,
      tools: [{ mcp: `${tools.origin}/${number}/mcp`, name: 'shop', optional }],
      settings: { max_seconds: MAX_SECONDS },
    }),
  )
  const path = `/tasks/${made.id}`
  await ask('POST', `${path}/step`, { rounds: 5, max_ms: 10_000 })
  for (const page of ['/tools', '/journal?limit=100', '/events?limit=100']) await ask('GET', `${path}${page}`)
  const { status, stop_reason } = TaskView.parse(await ask('GET', path))
  expect(Replay.parse(await ask('POST', `${path}/replay`))).toEqual({ equal: true, first_difference: null })
  await ask('POST', `${path}/cancel`)
  await ask('DELETE', path)
  return `${status} ${stop_reason}`
}

it(
  `MCP-13 ${DRAWN} tasks whose MCP servers answer as drawn are all in a named state, and no request of theirs is a 5xx`,
  { timeout: 900_000 },
  async () => {
    const drawn = fc.sample(fc.tuple(fc.constantFrom(2026 as const, 2025 as const), fault, fc.boolean()), {
      numRuns: DRAWN,
      seed: SEED,
    })
    servers.push(...drawn.map(([revision, one]) => faulty(revision, one)))
    const tally = new Map<string, number>()
    const failed: string[] = []
    const left = [...drawn.entries()]
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [number, [, one, optional]] = next
        try {
          const state = await liveOnce(number, optional)
          tally.set(state, (tally.get(state) ?? 0) + 1)
        } catch (error) {
          failed.push(`${number} ${String(error)} ${JSON.stringify(one).slice(0, 500)}`)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    if (process.env['MCP_HOSTILE'] !== undefined) console.log(Object.fromEntries(tally), failed.length)
    expect(failed.slice(0, 5)).toEqual([])
    expect(service.output()).not.toMatch(/uncaught|unhandled/i)
    // The draw is worth nothing where all ends alike.
    const reached = [...tally.keys()].map((state) => state.split(' ')[0] ?? '')
    expect([...new Set(reached)]).toEqual(
      expect.arrayContaining(['completed', 'input_required', 'paused', 'waiting_external']),
    )
  },
)
