/** The files of a new task with their names in the task. A mode that analyses data offers its only file as the dataset. */
import { useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import type { ChosenFile } from '../../api/upload-files.ts'

const WORDS = wordTable({
  label: ['Files', '文件'],
  help: [
    'Tables: csv, tsv, json up to 50 MiB, xlsx, xls up to 10 MiB. Images: png, jpg, webp, gif up to 5 MiB. They are put once the task is made.',
    '表格：csv、tsv、json 不超过 50 MiB，xlsx、xls 不超过 10 MiB。图片：png、jpg、webp、gif 不超过 5 MiB。任务创建后上传。',
  ],
  background: [
    'A task driven by the service begins at once, before any file could be there. Choose “By requests” to bring files.',
    '由服务推进的任务会立即开始，来不及等文件就位。如需附带文件，请选择“由请求推进”。',
  ],
  as: [(name: string) => `put as ${name}`, (name) => `上传为 ${name}`],
  remove: [(name: string) => `Remove ${name}`, (name) => `移除 ${name}`],
  dataset: ['The task is about this file (dataset)', '任务针对此文件（dataset）'],
  list: ['Chosen files', '已选文件'],
})

interface Props {
  chosen: readonly ChosenFile[]
  choose: (files: File[]) => void
  isBackground: boolean
  /** Whether the file is the dataset; null if that is not asked. */
  dataset: boolean | null
  setDataset: (is: boolean) => void
}

export function FileField({ chosen, choose, isBackground, dataset, setDataset }: Props) {
  const words = useWords(WORDS)
  const input = useRef<HTMLInputElement>(null)
  const remove = (index: number) => {
    choose(chosen.filter((_one, at) => at !== index).map(({ file }) => file))
    // The button of the file is gone.
    input.current?.focus()
  }
  return (
    <div class="stack new-tight">
      <Field label={words.label} help={isBackground ? words.background : words.help}>
        {(attributes) => (
          <input
            {...attributes}
            ref={input}
            type="file"
            multiple
            accept=".csv,.tsv,.json,.xlsx,.xls,.md,.txt,.png,.jpg,.jpeg,.webp,.gif"
            disabled={isBackground}
            onChange={({ currentTarget }) => {
              choose([...chosen.map(({ file }) => file), ...(currentTarget.files ?? [])])
              // Otherwise a removed file could not be chosen again.
              currentTarget.value = ''
            }}
          />
        )}
      </Field>
      {chosen.length > 0 && (
        <ul class="new-files" aria-label={words.list}>
          {chosen.map(({ name, file }, index) => (
            <li key={name} class="row">
              <span>
                {file.name}
                {file.name !== name && <span class="soft small new-as">{words.as(name)}</span>}
              </span>
              <span class="push">
                <Button kind="quiet" label={words.remove(file.name)} onClick={() => remove(index)}>
                  ✕
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {dataset !== null && (
        <label>
          <input
            type="checkbox"
            checked={dataset}
            onChange={({ currentTarget }) => setDataset(currentTarget.checked)}
          />{' '}
          {words.dataset}
        </label>
      )}
    </div>
  )
}
