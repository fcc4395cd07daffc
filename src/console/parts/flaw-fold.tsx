/** A fold of a form: opened where something within it is wrong; what its reader opens or closes stays so. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  title: ComponentChildren
  kind: string
  isFlawed: boolean
  children: ComponentChildren
}

export function FlawFold({ title, kind, isFlawed, children }: Props) {
  const fold = useRef<HTMLDetailsElement>(null)
  useLayoutEffect(() => {
    if (isFlawed && fold.current !== null) fold.current.open = true
  }, [isFlawed])
  return (
    <details ref={fold} class={kind}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
