/** The optional fields of a task: language, time zone, callback, labels, and the client's own tools. */
import { Button } from '../../parts/button.tsx'
import { ErrorFold } from '../../parts/error-fold.tsx'
import { InputField, SelectField, TextAreaField } from '../../parts/form.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import type { DraftForm } from './task-draft.ts'

const WORDS = wordTable({
  title: ['Language, callback, labels, tools', '语言、回调、标签与工具'],
  locale: ['Language of prompts and texts', '提示与文本的语言'],
  guessed: ['by the script of the goal', '按目标的文字判断'],
  timezone: ['Time zone', '时区'],
  timezoneHelp: [
    'In which dates of the goal are meant, such as Europe/Berlin. Empty: that of the service.',
    '目标中的日期以此时区为准，例如 Asia/Shanghai。留空则用服务的时区。',
  ],
  here: [(zone: string) => `Use ${zone}`, (zone) => `使用 ${zone}`],
  callback: ['Callback', '回调地址'],
  callbackHelp: [
    'An https address that is told when the task waits, pauses or ends.',
    '任务等待、暂停或结束时通知的 https 地址。',
  ],
  idle: ['Kept after its end (s)', '结束后保留（秒）'],
  idleHelp: ['Seconds, 60 to 31536000. Empty: 30 days.', '60 至 31536000 秒。留空：30 天。'],
  slice: ['Time of the first slice (ms)', '首次推进的时限（毫秒）'],
  sliceHelp: [
    'No round begins after it: 100 to 120000. Empty: 25000.',
    '超过后不再开始新的一轮：100 至 120000。留空：25000。',
  ],
  metadata: ['Labels', '标签'],
  name: [(row: number) => `Name of label ${row}`, (row) => `标签 ${row} 的名称`],
  value: [(row: number) => `Value of label ${row}`, (row) => `标签 ${row} 的值`],
  remove: [(row: number) => `Remove label ${row}`, (row) => `删除标签 ${row}`],
  add: ['Add a label', '添加标签'],
  instructions: ['Instructions', '指令'],
  instructionsHelp: [
    'What the model keeps to in every phase: its role, language, tone, what to leave alone.',
    '模型在每个阶段都要遵守的内容：角色、语言、语气、不得触碰的内容。',
  ],
  schema: ['Shape of the result', '结果的结构'],
  schemaHelp: [
    'A JSON Schema of an object. The task then ends with data of this shape, beside its text.',
    '一个对象的 JSON Schema。任务结束时除文字外还给出此结构的数据。',
  ],
  tools: ['Tools of your own', '自带工具'],
  toolsHelp: [
    'A JSON list of {"mcp": address} for an MCP server, {"openapi": address} for an API description, {"http": {"method", "url"}} for a plain request, and {"name", "url"} for a signed tool. “Tools” in the navigation has an example of each, and tries them.',
    'JSON 列表：{"mcp": 地址} 是 MCP 服务器，{"openapi": 地址} 是 API 描述，{"http": {"method", "url"}} 是普通请求，{"name", "url"} 是签名工具。导航中的“工具”有每种的示例，并可试用。',
  ],
})
const POINTERS = [
  '/locale',
  '/timezone',
  '/callback_url',
  '/idle_ttl_s',
  '/max_ms',
  '/metadata',
  '/instructions',
  '/output_schema',
  '/tools',
]

export function OptionalFields({ form }: { form: DraftForm }) {
  const { draft, change, errorAt: error } = form
  const words = useWords(WORDS)
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const hasError = POINTERS.some((pointer) => error(pointer) !== null)
  return (
    <ErrorFold kind="new-fold card" hasError={hasError} title={words.title}>
      <div class="new-group">
        <SelectField
          label={words.locale}
          error={error('/locale')}
          value={draft.locale}
          options={[
            ['', words.guessed],
            ['en', 'English'],
            ['zh', '中文'],
          ]}
          change={(locale) => change({ locale })}
        />
        <div class="stack new-tight">
          <Text form={form} name="timezone" label={words.timezone} help={words.timezoneHelp} />
          <Button kind="quiet" onClick={() => change({ timezone: zone })}>
            {words.here(zone)}
          </Button>
        </div>
        <div class="new-wide">
          <Text form={form} name="callback_url" label={words.callback} help={words.callbackHelp} />
        </div>
        <Text form={form} name="idle_ttl_s" label={words.idle} help={words.idleHelp} />
        <Text form={form} name="max_ms" label={words.slice} help={words.sliceHelp} />
      </div>
      <Labels form={form} />
      <TextAreaField
        label={words.instructions}
        help={words.instructionsHelp}
        error={error('/instructions')}
        rows={3}
        value={draft.instructions}
        change={(instructions) => change({ instructions })}
      />
      <TextAreaField
        label={words.schema}
        help={words.schemaHelp}
        error={error('/output_schema')}
        class="json"
        rows={4}
        spellcheck={false}
        value={draft.output_schema}
        change={(output_schema) => change({ output_schema })}
      />
      <TextAreaField
        label={words.tools}
        help={words.toolsHelp}
        error={error('/tools')}
        class="json"
        rows={4}
        spellcheck={false}
        value={draft.tools}
        change={(tools) => change({ tools })}
      />
    </ErrorFold>
  )
}

interface TextProps {
  form: DraftForm
  name: 'timezone' | 'callback_url' | 'idle_ttl_s' | 'max_ms'
  label: string
  help: string
}

function Text({ form: { draft, change, errorAt: error }, name, label, help }: TextProps) {
  return (
    <InputField
      label={label}
      help={help}
      error={error(`/${name}`)}
      inputMode={name === 'idle_ttl_s' || name === 'max_ms' ? 'numeric' : 'text'}
      spellcheck={false}
      value={draft[name]}
      change={(text) => change({ [name]: text })}
    />
  )
}

function Labels({ form: { draft, change, errorAt: error } }: { form: DraftForm }) {
  const words = useWords(WORDS)
  const { metadata } = draft
  const problem = error('/metadata')
  const set = (index: number, part: { key?: string; value?: string }) =>
    change({ metadata: metadata.map((label, at) => (at === index ? { ...label, ...part } : label)) })
  return (
    <fieldset class="stack new-tight">
      <legend>{words.metadata}</legend>
      {metadata.map(({ key, value }, index) => (
        <div key={index} class="new-label">
          <input
            aria-label={words.name(index + 1)}
            value={key}
            spellcheck={false}
            onInput={({ currentTarget }) => set(index, { key: currentTarget.value })}
          />
          <input
            aria-label={words.value(index + 1)}
            value={value}
            onInput={({ currentTarget }) => set(index, { value: currentTarget.value })}
          />
          <Button
            kind="quiet"
            label={words.remove(index + 1)}
            onClick={() => change({ metadata: metadata.filter((_label, at) => at !== index) })}
          >
            ✕
          </Button>
        </div>
      ))}
      {problem !== null && (
        <p class="field-error small" role="alert">
          {problem}
        </p>
      )}
      <div>
        <Button onClick={() => change({ metadata: [...metadata, { key: '', value: '' }] })}>{words.add}</Button>
      </div>
    </fieldset>
  )
}
