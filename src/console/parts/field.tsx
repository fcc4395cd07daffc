/** A control with its label, help and error. `children` gets the attributes that tie them together for screen readers. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import './field.css'

export interface ControlAttributes {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: 'true'
}

export interface FieldProps {
  label: string
  help?: string | undefined
  /** The language of the help, if it differs from the language of the page. */
  helpLang?: string
  error?: string | null | undefined
  children: (attributes: ControlAttributes) => ComponentChildren
}

export function Field({ label, help = '', helpLang, error = null, children }: FieldProps) {
  const id = useId()
  const described = [help === '' ? [] : `${id}-help`, error === null ? [] : `${id}-error`].flat().join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(error === null ? {} : { 'aria-invalid': 'true' }),
      })}
      {help !== '' && (
        <p id={`${id}-help`} class="soft small" lang={helpLang}>
          {help}
        </p>
      )}
      {error !== null && (
        <p id={`${id}-error`} class="field-error small" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
