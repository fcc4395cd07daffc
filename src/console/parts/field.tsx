/** A control with its label, help and error. `children` gets the attributes that tie them together for screen readers. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import './field.css'

export interface ControlAttributes {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: 'true'
}

interface Props {
  label: string
  help?: string
  /** The language of the help, if it differs from the language of the page. */
  helpLang?: string
  error?: string | null
  children: (attributes: ControlAttributes) => ComponentChildren
}

export function Field({ label, help = '', helpLang, error = null, children }: Props) {
  const id = useId()
  const described = [help === '' ? [] : `${id}-help`, error === null ? [] : `${id}-flaw`].flat().join(' ')
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
        <p id={`${id}-flaw`} class="flaw small" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
