/** A labelled control with its help and its flaw; `children` gets the ids that tie them together for screen readers. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import './field.css'

export interface Ties {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: 'true'
}

interface Props {
  label: string
  help?: string
  /** Of the help, where it is not that of the page. */
  helpLang?: string
  flaw?: string | null
  children: (ties: Ties) => ComponentChildren
}

export function Field({ label, help = '', helpLang, flaw = null, children }: Props) {
  const id = useId()
  const described = [help === '' ? [] : `${id}-help`, flaw === null ? [] : `${id}-flaw`].flat().join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(flaw === null ? {} : { 'aria-invalid': 'true' }),
      })}
      {help !== '' && (
        <p id={`${id}-help`} class="soft small" lang={helpLang}>
          {help}
        </p>
      )}
      {flaw !== null && (
        <p id={`${id}-flaw`} class="flaw small" role="alert">
          {flaw}
        </p>
      )}
    </div>
  )
}
