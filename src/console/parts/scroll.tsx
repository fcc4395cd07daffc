/** A part that may be larger than its place. It scrolls alone, also by keyboard, and the page stays still. */
import type { ComponentChildren } from 'preact'

interface Props {
  label: string
  /** Its class, if it is another one. */
  kind?: string
  children: ComponentChildren
}

export function Scroll({ label, kind = 'scroll', children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a key scrolls only what can have the focus
    <section class={kind} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
