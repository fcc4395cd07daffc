/** The form of an event. Its repetition is that of the grammar: an interval, and a number of times or no end. */
import type { ComponentProps } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { InputField, SelectField } from '../../parts/form.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { eventAdd, eventUpdate, REPEAT_UNITS, type EventDraft, type FieldError, type RepeatUnit } from './commands.ts'
import { useFieldError } from './use-field-error.ts'
import { CommandForm } from './command-form.tsx'
import { useCommandAction } from './use-command.ts'

const WORDS = wordTable({
  title: ['Title', '标题'],
  start: ['Start', '开始'],
  duration: ['Minutes', '时长（分钟）'],
  default: ['Left empty: 60.', '留空为 60。'],
  remind: ['Remind', '提醒'],
  repeat: ['Repeats', '重复'],
  once: ['never', '不重复'],
  minute: ['minutes apart', '按分钟'],
  hour: ['hours apart', '按小时'],
  day: ['days apart', '按天'],
  week: ['weeks apart', '按周'],
  every: ['Interval', '间隔'],
  times: ['Times in all', '总次数'],
  endless: ['Left empty: without end.', '留空则无限重复。'],
  remind_start: ['Remind of each, from', '逐次提醒，自'],
  add: ['Add event', '添加日程'],
  stays: [
    'A reminder can be changed, not taken away: left empty, it stays. Saving switches the repetition on.',
    '提醒只能更改，不能清除：留空则保持不变。保存后重复会开启。',
  ],
})
const CHOICES = Object.keys(REPEAT_UNITS).filter((name): name is RepeatUnit => name in REPEAT_UNITS)

/** The members that are texts. */
type Texts = Exclude<keyof EventDraft, 'unit'>

interface Props {
  /** null: the event is new. */
  id: number | null
  from: EventDraft
  onDone: (start: string) => void
  onCancel?: () => void
  /** Opens the editor of a conflicting event. It gets the draft, so that nothing entered here is lost. */
  onEdit: (id: number, draft: EventDraft) => void
}

export function EventForm({ id, from, onDone, onCancel, onEdit }: Props) {
  const words = useWords(WORDS)
  const [draft, setDraft] = useState(from)
  const [error, setError] = useState<FieldError | null>(null)
  const command = useCommandAction()
  const first = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => first.current?.focus(), [])
  const errorOf = useFieldError(error)
  const line = id === null ? eventAdd(draft) : eventUpdate(id, draft)
  const submit = async () => {
    setError(line.ok ? null : line.error)
    if (line.ok && (await command.run(line.value)) !== null) onDone(draft.start)
  }
  const change = (part: Partial<EventDraft>) => setDraft((before) => ({ ...before, ...part }))
  const input = (name: Texts) => ({
    label: words[name],
    value: draft[name],
    error: errorOf(name),
    autocomplete: 'off' as const,
    change: (value: string) => change({ [name]: value }),
  })
  return (
    <CommandForm
      id={id}
      add={words.add}
      note={words.stays}
      {...{ line, command, onCancel }}
      onSubmit={() => void submit()}
      onEdit={(other) => onEdit(other, draft)}
    >
      <div class="desk-wide">
        <InputField {...input('title')} focus={first} />
      </div>
      <InputField {...input('start')} type="datetime-local" />
      <InputField {...input('duration')} type="number" min={1} help={words.default} />
      <InputField {...input('remind')} type="datetime-local" />
      <Repetition draft={draft} input={input} onUnit={(unit) => change({ unit })} />
    </CommandForm>
  )
}

interface RepetitionProps {
  draft: EventDraft
  /** Returns the props of the input for a member. */
  input: (name: Texts) => ComponentProps<typeof InputField>
  onUnit: (unit: RepeatUnit | '') => void
}

function Repetition({ draft, input, onUnit }: RepetitionProps) {
  const words = useWords(WORDS)
  return (
    <>
      <SelectField
        label={words.repeat}
        value={draft.unit}
        options={[['', words.once], ...CHOICES.map((unit) => [unit, words[unit]] as const)]}
        change={onUnit}
      />
      {draft.unit !== '' && (
        <>
          <InputField {...input('every')} type="number" min={1} help={words[draft.unit]} />
          <InputField {...input('times')} type="number" min={2} help={words.endless} />
          <InputField {...input('remind_start')} type="datetime-local" />
        </>
      )}
    </>
  )
}
