/** Tools and their sources as the service lists them. Their texts come from strangers, so they are shown as texts. */
import type { SourceEntry, ToolEntry } from '../../api/wire.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { Fold } from '../fold.tsx'
import './tools.css'

const WORDS = wordTable({
  origins: [
    { built_in: 'built in', signed: 'signed POST', http: 'HTTP', mcp: 'MCP', openapi: 'OpenAPI' },
    { built_in: '内置', signed: '签名 POST', http: 'HTTP', mcp: 'MCP', openapi: 'OpenAPI' },
  ],
  from: [(source: string) => `from ${source}`, (source) => `来自 ${source}`],
  reads: ['only reads', '只读'],
  destroys: ['may destroy', '可能有破坏性'],
  schema: ['Arguments', '参数'],
  schemaOf: [(tool: string) => `Arguments of ${tool}`, (tool) => `${tool} 的参数`],
  states: [
    { listed: 'listed', not_listed: 'not listed yet', unavailable: 'not available' },
    { listed: '已列出', not_listed: '尚未列出', unavailable: '不可用' },
  ],
  count: [(tools: number) => (tools === 1 ? '1 tool' : `${tools} tools`), (tools) => `${tools} 个工具`],
  changed: [
    'Its list has changed. It is read again when the task goes on after a stop.',
    '列表已变化，任务停止后继续时会重新读取。',
  ],
})

/** `signs` are short facts of the tool, such as its origin. */
interface ShownTool {
  name: string
  description: string
  parameters: object
  signs: string[]
}

/** Returns what is shown of a tool of a task. */
export function useToolCard(): (tool: ToolEntry) => ShownTool {
  const words = useWords(WORDS)
  return ({ name, description, parameters, origin, source, method, read_only, destructive }) => {
    const said = [
      words.origins[origin],
      source === null ? null : words.from(source),
      method,
      read_only === true ? words.reads : null,
      destructive === true ? words.destroys : null,
    ]
    return { name, description, parameters, signs: said.filter((sign) => sign !== null) }
  }
}

export function ToolList({ tools }: { tools: readonly ShownTool[] }) {
  const words = useWords(WORDS)
  return (
    <ul class="tools">
      {tools.map(({ name, description, parameters, signs }) => (
        <li key={name} class="tool">
          <div class="row">
            <code>{name}</code>
            {signs.map((sign) => (
              <span key={sign} class="soft small">
                {sign}
              </span>
            ))}
          </div>
          {description !== '' && <p class="said small">{description}</p>}
          <Fold title={words.schema} label={words.schemaOf(name)}>
            {() => <pre>{JSON.stringify(parameters, null, 2)}</pre>}
          </Fold>
        </li>
      ))}
    </ul>
  )
}

export function SourceList({ sources }: { sources: readonly SourceEntry[] }) {
  const words = useWords(WORDS)
  return (
    <ul class="tools">
      {sources.map(({ name, kind, state, tools, changed, notes }) => (
        <li key={name} class={state === 'unavailable' ? 'tool tool-lost' : 'tool'}>
          <div class="row">
            <code>{name}</code>
            <span class="soft small">{words.origins[kind]}</span>
            <span class="small">{words.states[state]}</span>
            {state === 'listed' && <span class="soft small">{words.count(tools)}</span>}
          </div>
          {changed && <p class="small">{words.changed}</p>}
          {notes.map((note) => (
            <p key={note} class="said small">
              {note}
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}
