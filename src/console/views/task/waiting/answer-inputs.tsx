/** The fields of an answer. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { InputField, TextAreaField } from '../../../parts/form.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { typedText, type AnswerField, type AnswerShape } from './answer-fields.ts'
import { WHOLE, type AnswerError, type AnswerErrors, type TypedValues } from './answer-text.ts'

const WORDS = wordTable({
  answer: ['Your answer', '您的回答'],
  json: ['As JSON', '以 JSON 填写'],
  lines: ['One a line.', '每行一个。'],
  optional: ['(optional)', '（可不填）'],
  yes: ['yes', '是'],
  no: ['no', '否'],
  none: ['no answer', '不作答'],
  other: ['Or another answer', '或填写其他回答'],
})
const ERROR_WORDS = wordTable({
  missing: ['This is needed.', '此项必填。'],
  not_a_number: ['This has to be a number.', '请填写数字。'],
  not_whole: ['This has to be a whole number.', '请填写整数。'],
  not_json: ['This is not JSON.', '这不是有效的 JSON。'],
  too_low: [(least: number) => `It has to be ${least} at least.`, (least) => `不能小于 ${least}。`],
  too_high: [(most: number) => `It may be ${most} at most.`, (most) => `不能大于 ${most}。`],
  too_short: [(least: number) => `It has to have ${least} characters at least.`, (least) => `至少 ${least} 个字符。`],
  too_long: [(most: number) => `It may have ${most} characters at most.`, (most) => `最多 ${most} 个字符。`],
  too_few: [(least: number) => `There have to be ${least} at least.`, (least) => `至少 ${least} 个。`],
  too_many: [(most: number) => `There may be ${most} at most.`, (most) => `最多 ${most} 个。`],
})

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
      return <Choices {...input(WHOLE, words.answer, '')} options={shape.options} other={shape.other} />
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

/** A choice and another answer exclude each other, so both are one value. */
function Choices({ options, other, ...input }: InputProps & { options: string[]; other: boolean }) {
  const words = useWords(WORDS)
  const { value, change } = input
  return (
    <>
      <Options {...input} options={options.map((text) => [text, text])} />
      {other && (
        <InputField
          label={words.other}
          help=""
          error={null}
          value={options.includes(value) ? '' : value}
          change={change}
        />
      )}
    </>
  )
}

function useAnswerErrorWords(): (error: AnswerError) => string {
  const words = useWords(ERROR_WORDS)
  return (error) => {
    if ('least' in error) return words[error.code](error.least)
    if ('most' in error) return words[error.code](error.most)
    return words[error.code]
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
  // A number input would hide a text that is no number, and the page could not explain the error.
  const control = kind.format === 'date' ? { type: 'date' as const } : { inputMode: INPUT_MODES[kind.of] }
  const help = [input.help, isNumber ? rangeOf(field) : ''].join(' ').trim()
  return <InputField {...input} {...control} help={help} required={field.required} />
}

function rangeOf({ least, most }: AnswerField): string {
  if (least !== null && most !== null) return `${least} – ${most}`
  if (least !== null) return `≥ ${least}`
  return most === null ? '' : `≤ ${most}`
}

function Lines({ code = false, ...input }: InputProps & { code?: boolean }) {
  return <TextAreaField {...input} rows={3} class={code ? 'waiting-code' : ''} spellcheck={!code} />
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
    <fieldset class="waiting-options" aria-describedby={`${id}-notes`} data-invalid={error === null ? undefined : ''}>
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
          <p class="field-error small" role="alert">
            {error}
          </p>
        )}
      </Notes>
    </fieldset>
  )
}

const Notes = ({ id, children }: { id: string; children: ComponentChildren }) => <div id={id}>{children}</div>
