/** A labelled control with its help and its error; `children` gets the ids that tie them together for screen readers. */
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
  /** Of the help, where it is not that of the page. */
  helpLang?: string
  error?: string | null
  children: (ties: ControlAttributes) => ComponentChildren
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
