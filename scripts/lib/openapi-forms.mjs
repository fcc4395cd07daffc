/** How openapi.yaml describes bodies that are no JSON: files, forms, and forms with files. */

/** The bytes of a file, whatever type the request says. */
export function uploadOf(types) {
  const content = Object.fromEntries([...types, '*/*'].map((type) => [type, { schema: {} }]))
  return { required: true, description: 'the file', content }
}

/** A form has texts only. */
const INPUT = {
  type: 'string',
  description: 'the input of the agent, as a JSON object; any other text stands instead of `goal`',
}

/** The fields of the schema that are texts and numbers, and the names by which others send their text. */
export function formOf(properties, { text_field, senders }) {
  const simple = Object.entries(properties).filter(([, { type }]) => type === 'string' || type === 'integer')
  const names = ['input', ...(senders ?? ['Body', 'text'])]
  const alias = { type: 'string', description: `instead of \`${text_field}\`` }
  return {
    type: 'object',
    description: 'Beside `Body` or `text` other fields are left out; otherwise an unknown field is refused.',
    properties: {
      ...Object.fromEntries(names.map((name) => [name, alias])),
      ...Object.fromEntries(simple),
      ...('input' in properties && text_field !== 'input' ? { input: INPUT } : {}),
    },
  }
}

/** The fields of a form, or all of the body as JSON in one part, and then the files. */
export function partsOf(properties, rule, whole) {
  const description = 'all fields as JSON, in place of the others'
  const task = { type: 'string', contentMediaType: 'application/json', contentSchema: whole, description }
  const file = { type: 'string', format: 'binary' }
  const files = { type: 'array', items: file, description: 'under any name, behind the fields' }
  return { type: 'object', properties: { task, ...formOf(properties, rule).properties, files } }
}
