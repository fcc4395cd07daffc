/** The fields of all settings: the budget first, the others in a fold. Only changed settings are sent. */
import { Field, type ControlAttributes } from '../../parts/field.tsx'
import { ErrorFold } from '../../parts/error-fold.tsx'
import { usePreferences, useWords } from '../../state/preferences.tsx'
import { isChanged, pointerOf, type DraftForm } from './task-draft.ts'
import { groupSettings, type SettingSpec } from './setting-specs.ts'
import { helpInChinese } from './setting-words.ts'

const WORDS = {
  en: {
    budget: 'Budget',
    more: 'More settings',
    changed: (count: number) => ` (${count} changed)`,
    unchanged: 'What is left empty is as configured.',
    mode: 'Of this mode',
    general: 'Of every mode',
    others: 'Of other modes',
    configured: 'as configured',
    yes: 'yes',
    no: 'no',
    none: (name: string) => `${name}: no value (null)`,
    null: 'none',
  },
  zh: {
    budget: '预算',
    more: '更多设置',
    changed: (count: number) => `（已修改 ${count} 项）`,
    unchanged: '留空的项按服务的配置。',
    mode: '本模式',
    general: '所有模式',
    others: '其他模式',
    configured: '按配置',
    yes: '是',
    no: '否',
    none: (name: string) => `${name}：不设值（null）`,
    null: '无',
  },
}
const FOLDED_GROUPS = ['mode', 'general', 'others'] as const

export function SettingFields({ specs, form }: { specs: readonly SettingSpec[]; form: DraftForm }) {
  const words = useWords(WORDS)
  const groups = groupSettings(specs, form.draft.mode)
  const folded = FOLDED_GROUPS.flatMap((name) => groups[name])
  const changed = folded.filter((spec) => isChanged(form.draft, spec)).length
  const hasError = folded.some(({ name }) => form.errorAt(pointerOf(name)) !== null)
  return (
    <>
      <Group title={words.budget} specs={groups.budget} form={form} />
      <ErrorFold
        kind="new-fold card"
        hasError={hasError}
        title={`${words.more}${changed > 0 ? words.changed(changed) : ''}`}
      >
        <p class="soft small">{words.unchanged}</p>
        {FOLDED_GROUPS.map((name) => (
          <Group key={name} title={words[name]} specs={groups[name]} form={form} />
        ))}
      </ErrorFold>
    </>
  )
}

function Group({ title, specs, form }: { title: string; specs: readonly SettingSpec[]; form: DraftForm }) {
  if (specs.length === 0) return null
  return (
    <fieldset class="new-group">
      <legend>{title}</legend>
      {specs.map((spec) => (
        <Setting key={spec.name} spec={spec} form={form} />
      ))}
    </fieldset>
  )
}

function Setting({ spec, form: { draft, change, errorAt: error } }: { spec: SettingSpec; form: DraftForm }) {
  const words = useWords(WORDS)
  const { name, min, max, nullable } = spec
  const entry = draft.settings[name] ?? ''
  const isNull = draft.settings[name] === null
  const enter = (value: string | null) => change({ settings: { ...draft.settings, [name]: value } })
  const { locale } = usePreferences()
  const help = locale === 'zh' ? helpInChinese(name, spec.description) : spec.description
  const range = min === null && max === null ? '' : ` (${min ?? ''}–${max ?? ''})`
  return (
    <div class={spec.kind === 'json' ? 'new-wide' : ''}>
      {/* The document of the service is in English, whatever the language of the page is. */}
      <Field
        label={name}
        help={help.replaceAll('`', '') + range}
        helpLang={locale === 'zh' ? 'zh-Hans' : 'en'}
        error={error(pointerOf(name))}
      >
        {(attributes) => (
          <div class="new-entry">
            <Control
              attributes={attributes}
              spec={spec}
              entry={isNull ? 'null' : entry}
              disabled={isNull}
              enter={enter}
            />
            {nullable && (
              <label class="small soft">
                <input
                  type="checkbox"
                  aria-label={words.none(name)}
                  checked={isNull}
                  onChange={({ currentTarget }) => enter(currentTarget.checked ? null : '')}
                />{' '}
                {words.null}
              </label>
            )}
          </div>
        )}
      </Field>
    </div>
  )
}

interface ControlProps {
  attributes: ControlAttributes
  spec: SettingSpec
  entry: string
  disabled: boolean
  enter: (value: string) => void
}

function Control({ attributes, spec: { kind, choices }, entry, disabled, enter }: ControlProps) {
  const words = useWords(WORDS)
  if (kind === 'json')
    return (
      <textarea
        {...attributes}
        class="new-json"
        rows={3}
        spellcheck={false}
        disabled={disabled}
        placeholder="{ … }"
        value={entry}
        onInput={({ currentTarget }) => enter(currentTarget.value)}
      />
    )
  if (kind === 'choice' || kind === 'boolean') {
    const options =
      kind === 'choice'
        ? choices.map((name) => [name, name])
        : [
            ['true', words.yes],
            ['false', words.no],
          ]
    return (
      <select
        {...attributes}
        disabled={disabled}
        value={entry}
        onChange={({ currentTarget }) => enter(currentTarget.value)}
      >
        <option value="">{words.configured}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )
  }
  return (
    <input
      {...attributes}
      type="text"
      inputMode={kind === 'integer' ? 'numeric' : kind === 'number' ? 'decimal' : 'text'}
      autocomplete="off"
      spellcheck={false}
      disabled={disabled}
      placeholder={words.configured}
      value={entry}
      onInput={({ currentTarget }) => enter(currentTarget.value)}
    />
  )
}
