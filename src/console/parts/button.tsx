/** A button. While it is busy it stays where it is, keeps the focus and says so; a second press does nothing. */
import type { ComponentChildren } from 'preact'
import './button.css'

interface Props {
  children: ComponentChildren
  onClick?: () => void
  kind?: 'plain' | 'main' | 'danger' | 'quiet'
  type?: 'button' | 'submit'
  busy?: boolean
  disabled?: boolean
  /** A name for screen readers where the text alone does not say what it is about. */
  label?: string
  pressed?: boolean
  /** Of what it shows and hides. */
  expanded?: boolean
}

export function Button({
  children,
  onClick,
  kind = 'plain',
  type = 'button',
  busy = false,
  disabled = false,
  label,
  pressed,
  expanded,
}: Props) {
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={disabled}
      aria-disabled={busy}
      aria-busy={busy}
      aria-label={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.()
      }}
    >
      {busy && <span class="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}
