/** Documents of real services are imported wholly, and the requests of their tools fit what they describe (docs/tools.md). */
import { readFileSync } from 'node:fs'
import { OpenAPIBackend, type Context, type Document } from 'openapi-backend'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { OpenApiSource } from '../../../src/core/terms/tools/client-tools.ts'
import { appliedSchema } from '../../../src/core/terms/schema/tool-parameters.ts'
import { fits } from '../../../src/store/fits.ts'
import { newCheckBudget } from '../../../src/core/terms/schema/checks.ts'
import { listed, reasonOf, requestOf } from '../../support/openapi.ts'

const textOf = (file: string) => readFileSync(`test/fixtures/openapi/${file}`, 'utf8')
const [MEMOS, AGENTS, ICEBERG] = ['memos.yaml', 'agent-protocol.json', 'iceberg.yaml'].map(textOf)
const SERVER = { server: 'https://api.example.com' }
const TOKEN = { ...SERVER, security: { BearerAuth: 'secret:iceberg' } }

/** Imports a whole document in portions of what one source may take. */
async function importWhole(text = '', sources: Partial<OpenApiSource>[] = [{}]) {
  const lists = await Promise.all(sources.map((source) => listed(text, source)))
  return { tools: lists.flatMap(({ tools }) => tools), notes: lists.flatMap(({ notes }) => notes) }
}

describe('OpenAPI: documents of real services', () => {
  it('Memos, 3.0 in YAML: all 73 operations, in two portions, nothing left out', async () => {
    expect(await reasonOf(MEMOS ?? '', SERVER)).toContain('has 73 of them')
    const reading = { ...SERVER, methods: ['GET'] }
    const writing = { ...SERVER, methods: ['POST', 'PUT', 'PATCH', 'DELETE'] }
    const { tools, notes } = await importWhole(MEMOS, [reading, writing])
    expect([tools.length, notes]).toEqual([73, []])
  })

  it('Agent Protocol, 3.1 in JSON: all 27 operations, nothing left out', async () => {
    const { tools, notes } = await importWhole(AGENTS, [SERVER])
    expect([tools.length, notes]).toEqual([27, []])
  })

  it('the catalog of Iceberg, 3.1 in YAML with schemas that contain themselves: all 35 operations', async () => {
    const { tools, notes } = await importWhole(ICEBERG, [TOKEN, { ...TOKEN, operations: ['getToken'] }])
    expect(tools).toHaveLength(35)
    expect(notes).toEqual([
      'left out because they are deprecated and not named in `operations`: getToken',
      'shop.createNamespace, shop.dropNamespace, shop.updateProperties and 14 more: its header Idempotency-Key is no argument: the service writes it itself',
      'shop.createTable, shop.createView: left out of its parameters: #/components/schemas/StructType within itself, #/components/schemas/Type within itself',
      'shop.planTableScan, shop.reportMetrics: left out of its parameters: #/components/schemas/Predicate within itself, what is deeper than 6 levels',
      'shop.updateTable, shop.commitTransaction: left out of its parameters: `discriminator`, #/components/schemas/StructType within itself, #/components/schemas/Type within itself, `contentEncoding`',
      'shop.replaceView: left out of its parameters: `discriminator`, #/components/schemas/StructType within itself, #/components/schemas/Type within itself',
    ])
  })

  it('without what Iceberg asks for, the schemes to give are named', async () => {
    expect(await reasonOf(ICEBERG ?? '', SERVER)).toContain(
      'getConfig needs `security.OAuth2` (an access token) or `security.BearerAuth` (a bearer token)',
    )
  })

  it('what a tool says of its arguments is what the service applies', async () => {
    const lists = await Promise.all([
      importWhole(MEMOS, [{ ...SERVER, tags: ['MemoService'] }]),
      importWhole(AGENTS, [SERVER]),
      importWhole(ICEBERG, [TOKEN]),
    ])
    const tools = lists.flatMap((one) => one.tools)
    const refused = tools.filter(({ parameters }) => !appliedSchema(parameters ?? {}).ok)
    expect([tools.length, refused.map(({ name }) => name)]).toEqual([81, []])
    expect(Math.max(...tools.map((tool) => JSON.stringify(tool).length))).toBeLessThan(20_000)
  })
})

/** A server made of a document: it refuses a request that does not fit, and answers one that fits as the document says. */
async function mockOf(text = '') {
  const definition: Document = text.startsWith('{') ? JSON.parse(text) : parse(text)
  const api = new OpenAPIBackend({ definition, quick: true })
  api.register({
    validationFail: (context: Context) => ({ status: 400, body: context.validation.errors }),
    notFound: () => ({ status: 404 }),
    notImplemented: (context: Context) => ({ status: 200, operation: context.operation.operationId }),
    unauthorizedHandler: () => ({ status: 401 }),
  })
  api.registerSecurityHandler(
    'BearerAuth',
    ({ request }) => request.headers['authorization'] === 'Bearer secret:iceberg',
  )
  await api.init()
  return api
}

describe('OpenAPI: a call of a real service', () => {
  it.each<[string, string | undefined, string, Partial<OpenApiSource>, Record<string, unknown>]>([
    [
      'Memos',
      MEMOS,
      'MemoService_CreateMemo',
      SERVER,
      { body: { state: 'NORMAL', content: '# Milk', visibility: 'PRIVATE' } },
    ],
    ['Memos', MEMOS, 'MemoService_ListMemos', SERVER, { pageSize: 5, filter: 'pinned == true' }],
    ['Agent Protocol', AGENTS, 'search_threads', SERVER, { body: { metadata: { owner: 'ann' }, limit: 3 } }],
    [
      'Agent Protocol',
      AGENTS,
      'get_thread_history',
      SERVER,
      { thread_id: '1e7f0c4a-7a34-4a0b-8f3a-0f8d4a3c5b6d', limit: 2 },
    ],
    ['Iceberg', ICEBERG, 'createNamespace', TOKEN, { prefix: 'main', body: { namespace: ['sales'], properties: {} } }],
    [
      'Iceberg',
      ICEBERG,
      'loadTable',
      TOKEN,
      { prefix: 'main', namespace: 'sales', table: 'orders', snapshots: 'refs' },
    ],
  ])(
    'of %s (%#) fits its document, and a wrong one is refused by tool and server alike',
    async (_name, text, id, source, args) => {
      const { tools } = await importWhole(text, [{ ...source, operations: [id] }])
      const [tool] = tools
      if (tool === undefined) throw new Error('no tool')
      const applied = appliedSchema(tool.parameters ?? {})
      expect(applied.ok && fits(applied.schema, args, newCheckBudget())).toBeNull()
      const api = await mockOf(text)
      const send = async (given: Record<string, unknown>) => {
        const { method, url, headers, body } = requestOf(tool, given)
        return api.handleRequest({ method, path: url.pathname, query: url.search.slice(1), headers, body })
      }
      expect(await send(args)).toEqual({ status: 200, operation: id })
      const wrong = 'body' in args ? { ...args, body: 7 } : { ...args, pageSize: 'x', limit: 'x', snapshots: 'x' }
      expect(applied.ok && fits(applied.schema, wrong, newCheckBudget())).not.toBeNull()
      expect(await send(wrong)).toMatchObject({ status: 400 })
    },
  )
})
