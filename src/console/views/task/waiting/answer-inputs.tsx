/** The fields of an answer. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Field } from '../../../parts/field.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { typedText, type AnswerField, type AnswerShape } from './answer-fields.ts'
import { WHOLE, type AnswerErrors, type TypedValues } from './answer-text.ts'
import { useAnswerErrorWords } from './answer-error-words.ts'

const WORDS = {
  en: {
    answer: 'Your answer',
    json: 'As JSON',
    lines: 'One a line.',
    optional: '(optional)',
    yes: 'yes',
    no: 'no',
    none: 'no answer',
  },
  zh: {
    answer: '您的回答',
    json: '以 JSON 填写',
    lines: '每行一个。',
    optional: '（可不填）',
    yes: '是',
    no: '否',
    none: '不作答',
  },
}

interface Props {
  shape: AnswerShape
  typed: TypedValues
  errors: AnswerErrors
  change: (name: string, value: string) => void
}
interface InputProps {
  label: string
  help: string
  value: string
  error: string | null
  change: (value: string) => void
}

export function AnswerInputs({ shape, typed, errors, change }: Props) {
  const words = useWords(WORDS)
  const errorText = useAnswerErrorWords()
  const input = (name: string, label: string, help: string, preset = ''): InputProps => {
    const error = errors.get(name)
    return {
      label,
      help,
      value: typed.get(name) ?? preset,
      error: error === undefined ? null : errorText(error),
      change: (value) => change(name, value),
    }
  }
  switch (shape.kind) {
    case 'text':
      return <Lines {...input(WHOLE, words.answer, '')} />
    case 'json':
      return <Lines {...input(WHOLE, words.answer, words.json)} code />
    case 'choices':
      return <Options {...input(WHOLE, words.answer, '')} options={shape.options.map((text) => [text, text])} />
    case 'fields':
      return (
        <>
          {shape.fields.map((field) => {
            const title = field.name === WHOLE && field.title === '' ? words.answer : field.title
            const label = field.required ? title : `${title} ${words.optional}`
            return <FieldInput key={field.name} field={field} {...input(field.name, label, field.help, field.preset)} />
          })}
        </>
      )
  }
}

const INPUT_MODES = { text: 'text', boolean: 'text', number: 'decimal', integer: 'numeric' } as const

function FieldInput({ field, ...input }: InputProps & { field: AnswerField }) {
  const words = useWords(WORDS)
  const { kind, many } = field
  // A field that may be empty can be emptied again.
  const empty = field.required && !field.nullable ? null : words.none
  if (kind.of === 'choice') {
    const options = kind.options.map((option): [string, string] => [typedText(option, kind), String(option)])
    return <Options {...input} options={options} many={many} empty={empty} />
  }
  if (many) return <Lines {...input} help={[input.help, words.lines].join(' ').trim()} />
  if (kind.of === 'boolean')
    return (
      <Options
        {...input}
        options={[
          ['true', words.yes],
          ['false', words.no],
        ]}
        empty={empty}
      />
    )
  const isNumber = kind.of !== 'text'
  const { label, help, error, value, change } = input
  return (
    <Field label={label} help={[help, isNumber ? rangeOf(field) : ''].join(' ').trim()} error={error}>
      {(attributes) => {
        const inputProps = {
          ...attributes,
          required: field.required,
          value,
          onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => change(currentTarget.value),
        }
        if (kind.format === 'date') return <input {...inputProps} type="date" />
        // A number input would hide a text that is no number, and the page could not explain the error.
        return <input {...inputProps} type="text" inputMode={INPUT_MODES[kind.of]} />
      }}
    </Field>
  )
}

function rangeOf({ least, most }: AnswerField): string {
  if (least !== null && most !== null) return `${least} – ${most}`
  if (least !== null) return `≥ ${least}`
  return most === null ? '' : `≤ ${most}`
}

function Lines({ label, help, error, value, change, code = false }: InputProps & { code?: boolean }) {
  return (
    <Field label={label} help={help} error={error}>
      {(attributes) => (
        <textarea
          {...attributes}
          rows={3}
          class={code ? 'waiting-code' : ''}
          spellcheck={!code}
          value={value}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** `options` has the typed text and the label of each choice. `empty` is the label for no answer; null if an answer is required. */
function Options({
  label,
  help,
  error,
  value,
  change,
  options,
  many = false,
  empty = null,
}: InputProps & { options: [string, string][]; many?: boolean; empty?: string | null }) {
  const id = useId()
  const choices: [string, string][] = many || empty === null ? options : [...options, ['', empty]]
  const chosen = many ? value.split('\n').filter((line) => line !== '') : [value]
  const toggle = (option: string, on: boolean) => {
    if (!many) return change(option)
    // The answer has the order of the schema, not that of the clicks.
    change(
      options
        .map(([name]) => name)
        .filter((name) => (name === option ? on : chosen.includes(name)))
        .join('\n'),
    )
  }
  return (
    <fieldset class="waiting-options" aria-describedby={`${id}-notes`} data-flawed={error === null ? undefined : ''}>
      <legend>{label}</legend>
      {choices.map(([option, text]) => (
        <label key={option}>
          <input
            type={many ? 'checkbox' : 'radio'}
            name={id}
            checked={chosen.includes(option)}
            onChange={({ currentTarget }) => toggle(option, currentTarget.checked)}
          />
          <span>{text}</span>
        </label>
      ))}
      <Notes id={`${id}-notes`}>
        {help !== '' && <p class="soft small">{help}</p>}
        {error !== null && (
          <p class="flaw small" role="alert">
            {error}
          </p>
        )}
      </Notes>
    </fieldset>
  )
}

const Notes = ({ id, children }: { id: string; children: ComponentChildren }) => <div id={id}>{children}</div>
