/** The optional fields of a task: language, time zone, callback, labels, and the client's own tools. */
import { Button } from '../../parts/button.tsx'
import { ErrorFold } from '../../parts/error-fold.tsx'
import { Field } from '../../parts/field.tsx'
import { useWords } from '../../state/preferences.tsx'
import type { DraftForm } from './task-draft.ts'

const WORDS = {
  en: {
    title: 'Language, callback, labels, tools',
    locale: 'Language of prompts and texts',
    guessed: 'by the script of the goal',
    timezone: 'Time zone',
    timezoneHelp: 'In which dates of the goal are meant, such as Europe/Berlin. Empty: that of the service.',
    here: (zone: string) => `Use ${zone}`,
    callback: 'Callback',
    callbackHelp: 'An https address that is told when the task waits, pauses or ends.',
    idle: 'Kept after its end (s)',
    idleHelp: 'Seconds, 60 to 31536000. Empty: 30 days.',
    slice: 'Time of the first slice (ms)',
    sliceHelp: 'No round begins after it: 100 to 120000. Empty: 25000.',
    metadata: 'Labels',
    name: (row: number) => `Name of label ${row}`,
    value: (row: number) => `Value of label ${row}`,
    remove: (row: number) => `Remove label ${row}`,
    add: 'Add a label',
    tools: 'Tools of your own',
    toolsHelp: 'JSON: [{"name", "description", "parameters", "url", "idempotent"}], called over HTTPS.',
  },
  zh: {
    title: '语言、回调、标签与工具',
    locale: '提示与文本的语言',
    guessed: '按目标的文字判断',
    timezone: '时区',
    timezoneHelp: '目标中的日期以此时区为准，例如 Asia/Shanghai。留空则用服务的时区。',
    here: (zone: string) => `使用 ${zone}`,
    callback: '回调地址',
    callbackHelp: '任务等待、暂停或结束时通知的 https 地址。',
    idle: '结束后保留（秒）',
    idleHelp: '60 至 31536000 秒。留空：30 天。',
    slice: '首次推进的时限（毫秒）',
    sliceHelp: '超过后不再开始新的一轮：100 至 120000。留空：25000。',
    metadata: '标签',
    name: (row: number) => `标签 ${row} 的名称`,
    value: (row: number) => `标签 ${row} 的值`,
    remove: (row: number) => `删除标签 ${row}`,
    add: '添加标签',
    tools: '自带工具',
    toolsHelp: 'JSON：[{"name", "description", "parameters", "url", "idempotent"}]，通过 HTTPS 调用。',
  },
}
const POINTERS = ['/locale', '/timezone', '/callback_url', '/idle_ttl_s', '/max_ms', '/metadata', '/tools']

export function OptionalFields({ form }: { form: DraftForm }) {
  const { draft, change, errorAt: error } = form
  const words = useWords(WORDS)
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const hasError = POINTERS.some((pointer) => error(pointer) !== null)
  return (
    <ErrorFold kind="new-fold card" hasError={hasError} title={words.title}>
      <div class="new-group">
        <Field label={words.locale} error={error('/locale')}>
          {(attributes) => (
            <select
              {...attributes}
              value={draft.locale}
              onChange={({ currentTarget }) => change({ locale: currentTarget.value })}
            >
              <option value="">{words.guessed}</option>
              <option value="en">English</option>
              <option value="zh">中文</option>
            </select>
          )}
        </Field>
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
      <Field label={words.tools} help={words.toolsHelp} error={error('/tools')}>
        {(attributes) => (
          <textarea
            {...attributes}
            class="new-json"
            rows={4}
            spellcheck={false}
            value={draft.tools}
            onInput={({ currentTarget }) => change({ tools: currentTarget.value })}
          />
        )}
      </Field>
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
    <Field label={label} help={help} error={error(`/${name}`)}>
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          inputMode={name === 'idle_ttl_s' || name === 'max_ms' ? 'numeric' : 'text'}
          spellcheck={false}
          value={draft[name]}
          onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
        />
      )}
    </Field>
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
        <p class="flaw small" role="alert">
          {problem}
        </p>
      )}
      <div>
        <Button onClick={() => change({ metadata: [...metadata, { key: '', value: '' }] })}>{words.add}</Button>
      </div>
    </fieldset>
  )
}
