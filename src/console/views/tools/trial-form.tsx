/** Tries tools before a task has them: lists what the entries give, and calls one tool. The entries and the arguments stay as drafts. */
import { useState } from 'preact/hooks'
import { post, type ApiRequest } from '../../api/request.ts'
import type { TaskTools, ToolTrial } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { handleSubmit, SelectField, TextAreaField } from '../../parts/form.tsx'
import { ActionNote } from '../../parts/problem/action-note.tsx'
import { RequestButton } from '../../parts/request-button.tsx'
import { argumentsFor } from '../../parts/tools/arguments-for.ts'
import { SourceList, ToolList, useToolCard } from '../../parts/tools/tool-list.tsx'
import { parseJson } from '../../parse.ts'
import { useDraft } from '../../state/drafts.ts'
import { usePreferences, useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { ENTRY_KINDS, withExample } from './trial.ts'
import { TrialResult } from './trial-result.tsx'

const WORDS = wordTable({
  title: ['Try tools', '试用工具'],
  what: [
    'The same list as “tools” of a new task. Nothing is kept, and nobody is asked for approval: a call acts.',
    '与新任务的 “tools” 列表相同。不保存任何内容，也不会请求批准：调用会真实执行。',
  ],
  entries: ['Entries as JSON', '条目（JSON）'],
  examples: ['Add an example', '添加示例'],
  kinds: [
    { mcp: 'MCP server', openapi: 'OpenAPI document', http: 'HTTP request', signed: 'Signed tool' },
    { mcp: 'MCP 服务器', openapi: 'OpenAPI 文档', http: 'HTTP 请求', signed: '签名工具' },
  ],
  preview: ['Preview', '预览'],
  none: ['These entries give no tools.', '这些条目没有给出工具。'],
  json: ['This is no JSON.', '这不是合法的 JSON。'],
  found: ['What a task would be offered', '任务将获得的工具'],
  tool: ['Tool', '工具'],
  input: ['Arguments as JSON', '参数（JSON）'],
  call: ['Call the tool', '调用工具'],
})

const NO_TRIAL = { entries: '', name: '', input: '{}' }

export function TrialForm() {
  const words = useWords(WORDS)
  const { locale } = usePreferences()
  const draft = useDraft('tool-trial', NO_TRIAL)
  const action = useAction()
  const [unread, setUnread] = useState(false)
  const [found, setFound] = useState<{ tools: unknown; list: TaskTools } | null>(null)
  const { entries } = draft.value
  const tools = parseJson(entries)
  const request = tools.ok ? post('/tools/preview', { tools: tools.value, locale }) : null
  const preview = async () => {
    setUnread(request === null)
    setFound(null)
    if (!tools.ok || request === null) return
    const answer = await action.run<TaskTools>(request)
    if (answer?.ok !== true) return
    const list = answer.value
    setFound({ tools: tools.value, list })
    const names = list.data.map(({ name }) => name)
    draft.change((now) => {
      if (names.includes(now.name)) return now
      const [first] = list.data
      return { ...now, name: first?.name ?? '', input: argumentsFor(first?.parameters) }
    })
  }
  const change = (text: string) => draft.change((now) => ({ ...now, entries: text }))
  return (
    <section class="card stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p class="soft small">{words.what}</p>
      <form class="stack" onSubmit={handleSubmit(() => void preview())}>
        <TextAreaField
          label={words.entries}
          error={unread && !tools.ok ? words.json : null}
          class="json"
          rows={8}
          spellcheck={false}
          value={entries}
          change={change}
        />
        <fieldset class="row">
          <legend class="soft small">{words.examples}</legend>
          {ENTRY_KINDS.map((kind) => (
            <Button key={kind} onClick={() => change(withExample(entries, kind))}>
              {words.kinds[kind]}
            </Button>
          ))}
        </fieldset>
        <div class="row">
          <RequestButton type="submit" kind="main" text={words.preview} busy={action.busy} request={request} />
        </div>
        <ActionNote of={action} />
      </form>
      {found !== null && <Found {...found} />}
    </section>
  )
}

/** `tools` are the entries that were listed. A change of the text below them is not called before it is listed. */
function Found({ tools, list }: { tools: unknown; list: TaskTools }) {
  const words = useWords(WORDS)
  const cardOf = useToolCard()
  return (
    <section class="stack" aria-label={words.found}>
      <h3>{words.found}</h3>
      {list.sources.length > 0 && <SourceList sources={list.sources} />}
      {list.data.length === 0 ? <p>{words.none}</p> : <ToolList tools={list.data.map(cardOf)} />}
      {list.data.length > 0 && <CallForm tools={tools} list={list} />}
    </section>
  )
}

function CallForm({ tools, list }: { tools: unknown; list: TaskTools }) {
  const words = useWords(WORDS)
  const { locale } = usePreferences()
  const draft = useDraft('tool-trial', NO_TRIAL)
  const action = useAction()
  const [unread, setUnread] = useState(false)
  const [trial, setTrial] = useState<ToolTrial | null>(null)
  const { name, input } = draft.value
  const args = parseJson(input)
  const request: ApiRequest | null = args.ok
    ? post('/tools/call', { tools, name, arguments: args.value, locale })
    : null
  const call = async () => {
    setUnread(request === null)
    setTrial(null)
    if (request === null) return
    const answer = await action.run<ToolTrial>(request)
    if (answer?.ok === true) setTrial(answer.value)
  }
  const choose = (chosen: string) => {
    setTrial(null)
    const parameters = list.data.find((tool) => tool.name === chosen)?.parameters
    draft.change((now) => ({ ...now, name: chosen, input: argumentsFor(parameters) }))
  }
  return (
    <form class="stack" aria-label={words.call} onSubmit={handleSubmit(() => void call())}>
      <SelectField
        label={words.tool}
        value={name}
        options={list.data.map((tool) => [tool.name, tool.name] as const)}
        change={choose}
      />
      <TextAreaField
        label={words.input}
        error={unread && !args.ok ? words.json : null}
        class="json"
        rows={6}
        spellcheck={false}
        value={input}
        change={(text) => draft.change((now) => ({ ...now, input: text }))}
      />
      <div class="row">
        <RequestButton type="submit" kind="main" text={words.call} busy={action.busy} request={request} />
      </div>
      <ActionNote of={action} />
      <TrialResult of={trial} />
    </form>
  )
}
