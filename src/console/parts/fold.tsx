/** Something that is drawn only once it is opened. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface Props {
  title: ComponentChildren
  children: () => ComponentChildren
  kind?: string
  /** What it is called where its title alone does not say of what it is. */
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
