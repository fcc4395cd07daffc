/** The fields of all settings: the budget first, the others in a fold. Only changed settings are sent. */
import { useId } from 'preact/hooks'
import type { ModelList } from '../../api/wire.ts'
import { Field, type ControlAttributes } from '../../parts/field.tsx'
import { Select } from '../../parts/form.tsx'
import { ErrorFold } from '../../parts/error-fold.tsx'
import { usePreferences, useWords, wordTable } from '../../state/preferences.tsx'
import { isChanged, pointerOf, type DraftForm } from './task-draft.ts'
import { groupSettings, type SettingSpec } from './setting-specs.ts'
import { helpInChinese } from './setting-words.ts'

const WORDS = wordTable({
  budget: ['Budget', '预算'],
  more: ['More settings', '更多设置'],
  changed: [(count: number) => ` (${count} changed)`, (count) => `（已修改 ${count} 项）`],
  unchanged: ['What is left empty is as configured.', '留空的项按服务的配置。'],
  mode: ['Of this mode', '本模式'],
  general: ['Of every mode', '所有模式'],
  others: ['Of other modes', '其他模式'],
  configured: ['as configured', '按配置'],
  yes: ['yes', '是'],
  no: ['no', '否'],
  none: [(name: string) => `${name}: no value (null)`, (name) => `${name}：不设值（null）`],
  null: ['none', '无'],
})
const FOLDED_GROUPS = ['mode', 'general', 'others'] as const

interface Props {
  specs: readonly SettingSpec[]
  /** The models that a task may name. */
  models: ModelList['data']
  form: DraftForm
}

export function SettingFields({ specs, models, form }: Props) {
  const words = useWords(WORDS)
  const names = useId()
  const groups = groupSettings(specs, form.draft.mode)
  const folded = FOLDED_GROUPS.flatMap((name) => groups[name])
  const changed = folded.filter((spec) => isChanged(form.draft, spec)).length
  const hasError = folded.some(({ name }) => form.errorAt(pointerOf(name)) !== null)
  return (
    <>
      <datalist id={names}>
        {models.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <Group title={words.budget} specs={groups.budget} form={form} names={names} />
      <ErrorFold
        kind="new-fold card"
        hasError={hasError}
        title={`${words.more}${changed > 0 ? words.changed(changed) : ''}`}
      >
        <p class="soft small">{words.unchanged}</p>
        {FOLDED_GROUPS.map((name) => (
          <Group key={name} title={words[name]} specs={groups[name]} form={form} names={names} />
        ))}
      </ErrorFold>
    </>
  )
}

/** `names` is the id of the list of models. */
interface GroupProps {
  title: string
  specs: readonly SettingSpec[]
  form: DraftForm
  names: string
}

function Group({ title, specs, form, names }: GroupProps) {
  if (specs.length === 0) return null
  return (
    <fieldset class="new-group">
      <legend>{title}</legend>
      {specs.map((spec) => (
        <Setting key={spec.name} spec={spec} form={form} names={names} />
      ))}
    </fieldset>
  )
}

function Setting({
  spec,
  form: { draft, change, errorAt: error },
  names,
}: { spec: SettingSpec } & Pick<GroupProps, 'form' | 'names'>) {
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
              list={name === 'model' ? names : undefined}
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
  /** The id of a list of suggestions. */
  list: string | undefined
  enter: (value: string) => void
}

function Control({ attributes, spec: { kind, choices }, entry, disabled, list, enter }: ControlProps) {
  const words = useWords(WORDS)
  if (kind === 'json')
    return (
      <textarea
        {...attributes}
        class="json"
        rows={3}
        spellcheck={false}
        disabled={disabled}
        placeholder="{ … }"
        value={entry}
        onInput={({ currentTarget }) => enter(currentTarget.value)}
      />
    )
  if (kind === 'choice' || kind === 'boolean') {
    const names = kind === 'choice' ? choices : ['true', 'false']
    const textOf = (name: string) => (kind === 'choice' ? name : name === 'true' ? words.yes : words.no)
    return (
      <Select
        {...attributes}
        disabled={disabled}
        value={entry}
        options={[['', words.configured], ...names.map((name) => [name, textOf(name)] as const)]}
        change={enter}
      />
    )
  }
  return (
    <input
      {...attributes}
      type="text"
      list={list}
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
