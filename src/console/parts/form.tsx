/** What forms are made of: fields with one control, and a handler for their submission. */
import type { Ref } from 'preact'
import { Field, type ControlAttributes, type FieldProps } from './field.tsx'

/** Lets the page itself send a form, and not the browser. */
export const handleSubmit = (submit: () => unknown) => (event: Event) => {
  event.preventDefault()
  submit()
}

interface TextProps extends Omit<FieldProps, 'children'> {
  value: string
  change: (value: string) => void
  class?: string
  required?: boolean
  maxLength?: number
  spellcheck?: boolean
  placeholder?: string
}

interface InputProps extends TextProps {
  type?: 'text' | 'number' | 'search' | 'password' | 'date' | 'datetime-local'
  inputMode?: 'text' | 'decimal' | 'numeric'
  autocomplete?: 'off'
  autocapitalize?: 'off'
  min?: number
  max?: number
  step?: number
  focus?: Ref<HTMLInputElement>
}

export function InputField({ label, help, error, change, type = 'text', focus = null, ...input }: InputProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(attributes) => (
        <input
          {...attributes}
          {...input}
          ref={focus}
          // Preact types each kind of input by its literal, and these attributes are valid for all of them.
          type={type as 'text'}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
    </Field>
  )
}

export function TextAreaField({ label, help, error, change, ...area }: TextProps & { rows: number }) {
  return (
    <Field label={label} help={help} error={error}>
      {(attributes) => (
        <textarea {...attributes} {...area} onInput={({ currentTarget }) => change(currentTarget.value)} />
      )}
    </Field>
  )
}

interface SelectProps<Value extends string> {
  value: Value
  options: readonly (readonly [value: Value, text: string])[]
  change: (value: Value) => void
}

export function SelectField<Value extends string>({
  label,
  error,
  ...select
}: SelectProps<Value> & Pick<FieldProps, 'label' | 'error'>) {
  return (
    <Field label={label} error={error}>
      {(attributes) => <Select {...attributes} {...select} />}
    </Field>
  )
}

interface SelectAttributes extends Partial<ControlAttributes> {
  'aria-label'?: string
  disabled?: boolean
}

export function Select<Value extends string>({
  value,
  options,
  change,
  ...attributes
}: SelectProps<Value> & SelectAttributes) {
  const choose = (name: string) => {
    const chosen = options.find(([option]) => option === name)
    if (chosen !== undefined) change(chosen[0])
  }
  return (
    <select {...attributes} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  )
}
