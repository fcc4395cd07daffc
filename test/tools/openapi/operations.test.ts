/** Which operations of an OpenAPI document become tools, and under which names (docs/tools.md). */
import { describe, expect, it } from 'vitest'
import { looseName } from '../../../src/core/terms/tools/client-tools.ts'
import { openFile } from '../../support/open-file.ts'
import { documentWith, list, listed, OK_RESPONSE, reasonOf } from '../../support/openapi.ts'

const PETS = documentWith({
  '/pets': {
    get: { operationId: 'listPets', tags: ['read'], ...OK_RESPONSE },
    post: { operationId: 'createPet', tags: ['write'], ...OK_RESPONSE },
  },
  '/pets/{id}': {
    get: { tags: ['read'], ...OK_RESPONSE },
    delete: { operationId: 'deletePet', tags: ['write'], deprecated: true, ...OK_RESPONSE },
    trace: { operationId: 'tracePet' },
  },
})
const namesOf = async (choice: Parameters<typeof listed>[1]) =>
  (await listed(PETS, choice)).tools.map(({ name }) => name)
const many = (count: number) =>
  documentWith(Object.fromEntries(Array.from({ length: count }, (_, index) => [`/p${index}`, { get: OK_RESPONSE }])))

describe('OpenAPI: which operations are taken', () => {
  it.each([
    [{}, ['shop.listPets', 'shop.createPet', 'shop.get_pets_id']],
    [{ operations: ['createPet'] }, ['shop.createPet']],
    [{ operations: ['GET /pets/{id}'] }, ['shop.get_pets_id']],
    [{ operations: ['get  /pets/{id}'] }, ['shop.get_pets_id']],
    [{ operations: ['get_pets_id'] }, ['shop.get_pets_id']],
    [{ operations: ['deletePet'] }, ['shop.deletePet']],
    [{ tags: ['read'] }, ['shop.listPets', 'shop.get_pets_id']],
    [{ methods: ['POST'] }, ['shop.createPet']],
    [{ tags: ['read'], methods: ['GET'], operations: ['listPets', 'createPet'] }, ['shop.listPets']],
  ])('%j takes %j', async (choice, names) => {
    expect(await namesOf(choice)).toEqual(names)
  })

  it.each([
    [{ operations: ['creatPet'] }, 'has no operation "creatPet"; did you mean "createPet"?'],
    [{ operations: ['zzzzzzzz', 'yyyy'] }, 'has no operation "zzzzzzzz", nor yyyy; it has listPets, createPet'],
    [{ operations: ['POST /pets/{id}'] }, 'has no operation "POST /pets/{id}"'],
    [{ operations: ['constructor'] }, 'has no operation "constructor"'],
    [{ tags: ['reed'] }, 'has no tag "reed"; did you mean "read"?'],
    [{ tags: ['read'], methods: ['POST'] }, 'has no operation that was chosen; it has listPets, createPet'],
  ])('%j names what the document has', async (choice, reason) => {
    expect(await reasonOf(PETS, choice)).toContain(reason)
  })

  it('a deprecated operation is taken only if it is named, and is told', async () => {
    expect((await listed(PETS)).notes).toContain(
      'left out because they are deprecated and not named in `operations`: deletePet',
    )
    expect((await listed(PETS, { operations: ['deletePet'] })).notes).not.toContainEqual(
      expect.stringContaining('deprecated'),
    )
  })

  it('U24 of more than 64 operations some have to be chosen', async () => {
    expect((await listed(many(64))).tools).toHaveLength(64)
    expect(await reasonOf(many(65))).toContain('has 65 of them, and at most 64 can be tools: choose by `operations`')
    expect((await listed(many(65), { operations: ['get_p64'] })).tools).toHaveLength(1)
  })

  it('U24 tools that are too large together have to be chosen too', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 90 }, (_, index) => [`member${index}`, { type: 'string', description: 'x'.repeat(90) }]),
    )
    const body = { requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } } }
    const paths = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`/p${index}`, { post: body }]))
    expect(await reasonOf(documentWith(paths))).toContain('in more than 262144 characters: choose fewer')
  })
})

const idsOf = async (...ids: string[]) => {
  const paths = Object.fromEntries(
    ids.map((operationId, index) => [`/p${index}`, { get: { operationId, ...OK_RESPONSE } }]),
  )
  return (await listed(documentWith(paths))).tools.map(({ name }) => name)
}

describe('OpenAPI: the names of tools', () => {
  it.each([
    ['getOrder', /^shop\.getOrder$/],
    ['orders/list all', /^shop\.orders_list_all$/],
    ['{weird}', /^shop\.weird$/],
    ['Aufträge', /^shop\.Auftr_ge$/],
    ['查询订单', /^shop\.[0-9a-f]{6}$/],
    ['x'.repeat(100), /^shop\.x{52}_[0-9a-f]{6}$/],
    ['__proto__', /^shop\.__proto__$/],
  ])('%j has a name that models can write', async (id, name) => {
    const [made = ''] = await idsOf(id)
    expect(made).toMatch(name)
    expect(made.length).toBeLessThanOrEqual(64)
  })

  it('O0-04 names differ also without case and signs, in documents in any order', async () => {
    const ids = ['getOrder', 'get_order', 'GETORDER', '查询', '创建', 'x'.repeat(80), `${'x'.repeat(80)}y`, 'getOrder']
    const names = await idsOf(...ids)
    expect(new Set(names.map(looseName)).size).toBe(ids.length)
  })

  it('a description is plain text of summary and description, cut at 1,000 characters', async () => {
    const of = async (operation: object) =>
      (await listed(documentWith({ '/a': { get: { ...operation, ...OK_RESPONSE } } }))).tools[0]?.description
    expect(await of({ summary: 'Lists pets', description: 'By <b>page</b>.\n\n  Sorted\u202e.' })).toBe(
      'Lists pets. By page . Sorted .',
    )
    expect(await of({ summary: 'Lists pets.', description: 'Lists pets. All.' })).toBe('Lists pets. All.')
    expect(await of({})).toBe('GET /a')
    expect(await of({ description: '🙂'.repeat(2_000) })).toHaveLength(999)
  })

  it('D4 reading may be repeated, and deleting is called destructive', async () => {
    const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options']
    const document = documentWith({ '/a': Object.fromEntries(methods.map((method) => [method, OK_RESPONSE])) })
    const traits = (await listed(document)).tools.map(({ name, idempotent, read_only, destructive }) => [
      name.split('.')[1],
      idempotent,
      read_only,
      destructive,
    ])
    expect(traits).toEqual([
      ['get_a', true, true, undefined],
      ['head_a', true, true, undefined],
      ['post_a', false, undefined, undefined],
      ['put_a', false, undefined, undefined],
      ['patch_a', false, undefined, undefined],
      ['delete_a', false, undefined, true],
      ['options_a', false, undefined, undefined],
    ])
  })
})

describe('U51 credentials that the source spells out', () => {
  const document = documentWith({ '/orders': { get: { operationId: 'orders', ...OK_RESPONSE } } })
  const headers = { 'x-key': 'spelled out' }

  it.each([
    ['an address of another host', { document: { url: 'https://docs.example.com/openapi.json' } }],
    ['another port', { document: { url: 'https://api.example.com:8443/openapi.json' } }],
    ['a file', { document: { file: 'a.json' } }],
  ])('go to no server that only the document names, where that comes from %s', async (_what, source) => {
    const open = async () => ({ ok: true as const, value: openFile(JSON.stringify(document)) })
    expect(await list(document, { headers, ...source }, { files: { open } })).toMatchObject({
      kind: 'tools_unlisted',
      reason: expect.stringContaining(
        'is at https://api.example.com, which only the document names: give `x-key` as `secret:NAME`, or say the address in `server`',
      ),
      passing: false,
    })
  })

  it.each([
    ['to the host of the document', { headers, document: { url: 'https://api.example.com/openapi.json' } }],
    ['to `server`', { headers, server: 'https://b.example.com' }],
    ['anywhere by the name of a secret, which has its own hosts', { headers: { 'x-key': 'Key secret:a' } }],
  ])('go %s', async (_what, source) => {
    expect(await reasonOf(document, source)).toBe('listed shop.orders')
  })
})
