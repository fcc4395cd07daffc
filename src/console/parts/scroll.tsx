/** What may be wider than its place scrolls by itself, also by keyboard, and never moves the page. */
import type { ComponentChildren } from 'preact'

export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without the focus no key would scroll it
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
