/** Something that is drawn only once it is opened. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface Props {
  title: ComponentChildren
  children: () => ComponentChildren
  kind?: string
}

export function Fold({ title, children, kind = '' }: Props) {
  const [open, set] = useState(false)
  return (
    <details class={kind} onToggle={({ currentTarget }) => set(currentTarget.open)}>
      <summary>{title}</summary>
      {open && children()}
    </details>
  )
}
