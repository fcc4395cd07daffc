/** A button that sends a request, with the curl line of that request. */
import type { ApiRequest } from '../api/request.ts'
import { Button, type ButtonProps } from './button.tsx'
import { CopyCurl } from './copy.tsx'

interface Props extends Omit<ButtonProps, 'children'> {
  text: string
  /** null: there is nothing to send yet. */
  request: ApiRequest | null
}

export function RequestButton({ text, request, ...button }: Props) {
  return (
    <>
      <Button {...button}>{text}</Button>
      {request !== null && <CopyCurl request={request} of={button.label ?? text} />}
    </>
  )
}
