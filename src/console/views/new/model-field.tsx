/** Which model answers, and the choice of another one where the service offers several. */
import type { ModelList } from '../../api/wire.ts'
import { SelectField } from '../../parts/form.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import type { DraftForm } from './task-draft.ts'

const WORDS = wordTable({
  label: ['Model', '模型'],
  configured: [(name: string) => `as configured: ${name}`, (name) => `按配置：${name}`],
  builtIn: [
    'The built-in rules answer: they know simple goals, and no language model is configured.',
    '由内置规则应答：只懂简单目标，服务未配置语言模型。',
  ],
  answers: [
    (model: string, endpoint: string) =>
      `${model} answers, at the endpoint ${endpoint}, unless you name another model.`,
    (model, endpoint) => `由端点 ${endpoint} 的 ${model} 应答，除非您指定其他模型。`,
  ],
  none: ['No model is configured, so no task can be made.', '服务未配置模型，无法创建任务。'],
})

/** The names and models of a list with more than one of them. */
const modelChoices = ({ data }: ModelList): [name: string, text: string][] =>
  data.map(({ name, model }) => [name, name === model ? name : `${name} (${model})`])

export function ModelField({ list, form: { draft, change } }: { list: ModelList; form: DraftForm }) {
  const words = useWords(WORDS)
  const first = list.data.find((entry) => entry.default)
  if (first === undefined) return <p class="soft small">{words.none}</p>
  const note = first.wire === 'built_in' ? words.builtIn : words.answers(first.model, first.endpoint)
  if (list.data.length < 2) return <p class="soft small">{note}</p>
  const choices = modelChoices(list)
  const chosen = draft.settings['model'] ?? ''
  // A name that was typed among the settings stays chosen.
  const typed: [string, string][] = chosen === '' || choices.some(([name]) => name === chosen) ? [] : [[chosen, chosen]]
  return (
    <div class="stack new-tight">
      <SelectField
        label={words.label}
        error={null}
        value={chosen}
        options={[['', words.configured(first.name)], ...choices, ...typed]}
        change={(model) => change({ settings: { ...draft.settings, model } })}
      />
      <p class="soft small">{note}</p>
    </div>
  )
}
