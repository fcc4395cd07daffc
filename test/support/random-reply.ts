/**
 * Replies for any mode there is, by its registry line alone: drawn from the JSON schema of the contract that a request names, again
 * until the contract takes one; of a phase without a contract a text with the marks that modes look for, and calls of the tools offered.
 */
import type { ToolCall } from '../../src/core/terms/effect.ts'
import type { JsonSchema } from '../../src/core/terms/schema/json-schema.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { readReply } from '../../src/core/mode/reply.ts'
import { LENIENT } from './readers.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'
import type { Random } from '../sim/random.ts'

export interface Said {
  text: string
  tool_calls?: ToolCall[]
}

/** Draws values from a schema until the contract accepts one, because a contract demands more than its schema. */
const DRAWS_MAX = 200

/** `serial` numbers the replies of a run, so that no two actions are the same by accident. */
export function randomReply({ metadata, contract, tools }: ModelRequest, random: Random, serial: number): Said {
  const { mode, phase } = metadata
  const names = tools.length > 0 ? tools.map(({ name }) => name) : modeOf(mode).tools
  if (contract === null) return freely(names, tools.length > 0, random, serial)
  // Where tools are offered beside a contract, a call stands for a reply.
  if (tools.length > 0 && random.chance(0.5)) return { text: '', tool_calls: randomCalls(names, random, serial) }
  const accepts = modeOf(mode).contracts[phase]
  const pool = poolOf(names, serial)
  for (let draw = 0; draw < DRAWS_MAX; draw++) {
    const text = JSON.stringify(sample(contract.schema, random, pool))
    if (accepts === undefined || readReply(accepts, text, LENIENT).ok) return { text }
  }
  throw new Error(`no draw from the schema of ${mode}/${phase} is taken by its contract`)
}

const TEXTS = [
  'The answer is 42.',
  '[Step] Read the report\n[Step] Draw the chart',
  'Now the next part. [Done]',
  '接下来处理下一步',
  '[完成] 已处理',
  '<thinking>Look first.</thinking>\n<tasks>\n- [x] Load\n- [ ] Draw\n</tasks>',
  'Nothing in particular, nowhere.',
  '<tasks>\n- [x] Load\n- [x] Draw\n</tasks>\n# Report\nIt grew.\n---\n[ANALYSIS_COMPLETE]',
  '',
]

function freely(names: readonly string[], may_call: boolean, random: Random, serial: number): Said {
  const text = random.pick(TEXTS)
  if (!may_call || random.chance(0.25)) return { text }
  return { text, tool_calls: randomCalls(names, random, serial) }
}

function randomCalls(names: readonly string[], random: Random, serial: number): ToolCall[] {
  const count = random.pick([1, 1, 1, 2, 3])
  return Array.from({ length: count }, (_, index) => ({
    id: `c${serial}_${index}`,
    name: random.chance(0.05) ? 'rocket' : random.pick(names),
    arguments: random.pick([
      JSON.stringify({ command: `/todo add item ${serial} ${index}` }),
      JSON.stringify({ name: `file${serial % 3}.txt`, content: `text ${serial}` }),
      JSON.stringify({ query: `words ${serial}` }),
      JSON.stringify({ dataset: 'sales.csv' }),
      JSON.stringify({ question: `Question ${serial}?`, why: 'it is missing', ends_item: random.chance(0.5) }),
      JSON.stringify({ thought: `thought ${serial}`, ends_item: random.chance(0.5) }),
      '{}',
      'not json',
    ]),
  }))
}

type Pool = (property: string) => readonly string[]

const poolOf =
  (tools: readonly string[], serial: number): Pool =>
  (property) => {
    if (property === 'tool') return tools
    if (property === 'input') return [`/todo add item ${serial}`, `words ${serial}`, '{"name":"a.txt","content":"x"}']
    return [`text ${serial}`, 'A', 'B', '写报告']
  }

/** Draws one value of a schema; it knows only the parts of JSON Schema that contracts use. */
function sample(schema: JsonSchema, random: Random, pool: Pool, property = ''): unknown {
  const { anyOf, type, items, properties, minItems } = schema
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'])
  if (Array.isArray(anyOf)) return sample(random.pick(anyOf) as JsonSchema, random, pool, property) // of a schema
  switch (Array.isArray(type) ? random.pick(type) : type) {
    case 'string':
      return random.pick(pool(property))
    case 'boolean':
      return random.chance(0.4)
    case 'integer':
    case 'number':
      return random.below(5)
    case 'null':
      return null
    case 'array': {
      const least = typeof minItems === 'number' ? minItems : 0
      const length = least + random.pick([0, 1, 1, 2])
      return Array.from({ length }, () => sample((items ?? {}) as JsonSchema, random, pool, property)) // of a schema
    }
    case 'object': {
      const entries = Object.entries((properties ?? {}) as Record<string, JsonSchema>) // of a schema
      return Object.fromEntries(entries.map(([name, part]) => [name, sample(part, random, pool, name)]))
    }
    default:
      return null
  }
}
