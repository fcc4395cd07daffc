/** A fold of a form. It opens when a field in it has an error; otherwise the reader opens and closes it. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  title: ComponentChildren
  kind: string
  hasError: boolean
  children: ComponentChildren
}

export function ErrorFold({ title, kind, hasError, children }: Props) {
  const fold = useRef<HTMLDetailsElement>(null)
  useLayoutEffect(() => {
    if (hasError && fold.current !== null) fold.current.open = true
  }, [hasError])
  return (
    <details ref={fold} class={kind}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
