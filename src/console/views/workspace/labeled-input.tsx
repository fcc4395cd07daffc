/** An input with its label, for one member of a draft. */
import type { Ref } from 'preact'
import { Field } from '../../parts/field.tsx'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | null
  help?: string
  type?: 'text' | 'number' | 'datetime-local'
  min?: number
  focus?: Ref<HTMLInputElement>
  placeholder?: string
}

export function LabeledInput({
  label,
  value,
  onChange,
  error = null,
  help = '',
  type = 'text',
  focus,
  ...more
}: Props) {
  return (
    <Field label={label} error={error} help={help}>
      {(attributes) => (
        <input
          {...attributes}
          {...more}
          ref={focus ?? null}
          // Preact types each kind of input by its literal, and these attributes are valid for all three.
          type={type as 'text'}
          value={value}
          autocomplete="off"
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}
