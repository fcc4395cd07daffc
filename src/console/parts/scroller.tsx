/** Something longer than its place: it scrolls, by keyboard too. */
import type { ComponentChildren } from 'preact'

export function Scroller({ label, kind, children }: { label: string; kind: string; children: ComponentChildren }) {
  return (
    // What scrolls has to be reached by keyboard: not every browser sees to that by itself.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section class={kind} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
