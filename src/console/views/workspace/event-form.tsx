/** The form of an event. Its repetition is that of the grammar: an interval, and a number of times or no end. */
import type { ComponentProps } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { useWords } from '../../state/preferences.tsx'
import { eventAdd, eventUpdate, REPEAT_UNITS, type EventDraft, type FieldError, type RepeatUnit } from './commands.ts'
import { useFieldError } from './use-field-error.ts'
import { CommandForm } from './command-form.tsx'
import { LabeledInput } from './labeled-input.tsx'
import { useCommandAction } from './use-command.ts'

const WORDS = {
  en: {
    title: 'Title',
    start: 'Start',
    duration: 'Minutes',
    default: 'Left empty: 60.',
    remind: 'Remind',
    repeat: 'Repeats',
    once: 'never',
    minute: 'minutes apart',
    hour: 'hours apart',
    day: 'days apart',
    week: 'weeks apart',
    every: 'Interval',
    times: 'Times in all',
    endless: 'Left empty: without end.',
    remind_start: 'Remind of each, from',
    add: 'Add event',
    stays: 'A reminder can be changed, not taken away: left empty, it stays. Saving switches the repetition on.',
  },
  zh: {
    title: '标题',
    start: '开始',
    duration: '时长（分钟）',
    default: '留空为 60。',
    remind: '提醒',
    repeat: '重复',
    once: '不重复',
    minute: '按分钟',
    hour: '按小时',
    day: '按天',
    week: '按周',
    every: '间隔',
    times: '总次数',
    endless: '留空则无限重复。',
    remind_start: '逐次提醒，自',
    add: '添加日程',
    stays: '提醒只能更改，不能清除：留空则保持不变。保存后重复会开启。',
  },
}
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
    onChange: (value: string) => change({ [name]: value }),
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
        <LabeledInput {...input('title')} focus={first} />
      </div>
      <LabeledInput {...input('start')} type="datetime-local" />
      <LabeledInput {...input('duration')} type="number" min={1} help={words.default} />
      <LabeledInput {...input('remind')} type="datetime-local" />
      <Repetition draft={draft} input={input} onUnit={(unit) => change({ unit })} />
    </CommandForm>
  )
}

interface RepetitionProps {
  draft: EventDraft
  /** Returns the props of the input for a member. */
  input: (name: Texts) => ComponentProps<typeof LabeledInput>
  onUnit: (unit: RepeatUnit | '') => void
}

function Repetition({ draft, input, onUnit }: RepetitionProps) {
  const words = useWords(WORDS)
  return (
    <>
      <Field label={words.repeat}>
        {(attributes) => (
          <select
            {...attributes}
            value={draft.unit}
            onChange={({ currentTarget: { value } }) => onUnit(CHOICES.find((unit) => unit === value) ?? '')}
          >
            <option value="">{words.once}</option>
            {CHOICES.map((unit) => (
              <option key={unit} value={unit}>
                {words[unit]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {draft.unit !== '' && (
        <>
          <LabeledInput {...input('every')} type="number" min={1} help={words[draft.unit]} />
          <LabeledInput {...input('times')} type="number" min={2} help={words.endless} />
          <LabeledInput {...input('remind_start')} type="datetime-local" />
        </>
      )}
    </>
  )
}
