/** The import of OpenAPI documents in the runtime of the service. */
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { documentWith, listed, OK_RESPONSE } from '../support/openapi.ts'

describe('OpenAPI in workerd', () => {
  it('a document makes the same tools in JSON and in YAML', async () => {
    const schema = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } }
    const document = documentWith(
      {
        '/nodes/{id}': {
          put: { operationId: 'putNode', requestBody: { content: { 'application/json': { schema } } }, ...OK_RESPONSE },
        },
      },
      { components: { schemas: { Node: schema } } },
    )
    const [json, yaml] = await Promise.all([listed(document), listed(stringify(document))])
    expect(json.tools.map(({ name, url }) => [name, url])).toEqual([
      ['shop.putNode', 'https://api.example.com/v1/nodes/{id}'],
    ])
    expect(yaml.tools).toEqual(json.tools)
    expect(json.notes).toContain('shop.putNode: left out of its parameters: #/components/schemas/Node within itself')
  })
})
