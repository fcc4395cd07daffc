/** A fold whose content is drawn only while it is open. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface Props {
  title: ComponentChildren
  children: () => ComponentChildren
  kind?: string
  /** A name for screen readers, if the title alone does not say what the fold belongs to. */
  label?: string
}

export function Fold({ title, children, kind = '', label }: Props) {
  const [open, set] = useState(false)
  return (
    <details class={kind} onToggle={({ currentTarget }) => set(currentTarget.open)}>
      <summary aria-label={label}>{title}</summary>
      {open && children()}
    </details>
  )
}
