/** A value of the service as JSON, to be read and copied. */
import { Copy } from '../copy.tsx'
import { Scroll } from '../scroll.tsx'

export function JsonText({ title, copy, value }: { title: string; copy: string; value: unknown }) {
  const text = JSON.stringify(value, null, 2)
  return (
    <>
      <div class="row">
        <h2>{title}</h2>
        <Copy text={text}>{copy}</Copy>
      </div>
      <Scroll label={title}>
        <pre>{text}</pre>
      </Scroll>
    </>
  )
}
