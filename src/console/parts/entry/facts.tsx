/** Short facts beside each other, each with its name. */
import type { ComponentChildren } from 'preact'
import './facts.css'

export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts small">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
