/** A button. A busy button keeps its place and the focus, says that it is busy, and ignores a second press. */
import type { ComponentChildren } from 'preact'
import './button.css'

export interface ButtonProps {
  children: ComponentChildren
  onClick?: () => void
  kind?: 'plain' | 'main' | 'danger' | 'quiet'
  type?: 'button' | 'submit'
  busy?: boolean
  disabled?: boolean
  /** A name for screen readers, if the text alone does not say what the button acts on. */
  label?: string
  pressed?: boolean
  /** Whether the part that the button shows and hides is shown. */
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
}: ButtonProps) {
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
