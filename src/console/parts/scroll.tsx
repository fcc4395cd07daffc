/** What may be wider or longer than its place scrolls by itself, also by keyboard, and never moves the page. */
import type { ComponentChildren } from 'preact'

interface Props {
  label: string
  /** Its class where it is more than that. */
  kind?: string
  children: ComponentChildren
}

export function Scroll({ label, kind = 'scroll', children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without the focus no key would scroll it
    <section class={kind} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
