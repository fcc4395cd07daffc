/** The blocks that messages consist of on this wire. */
import type { ShownImage } from '../images.ts'

interface TextBlock {
  type: 'text'
  text: string
}
export interface CallBlock {
  type: 'tool_use'
  id: string
  name: string
  input: object
}
interface ImageBlock {
  type: 'image'
  source: { type: 'base64'; media_type: string; data: string }
}
export interface ResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content?: string | (TextBlock | ImageBlock)[]
}
/** A `thinking` or `redacted_thinking` block with its signature. Only the endpoint reads what is in it. */
export type ThinkingBlock = Record<string, unknown>

/** `cache_control` ends a part of the request that the endpoint puts into its cache. */
export type Block = (TextBlock | CallBlock | ResultBlock | ImageBlock | ThinkingBlock) & {
  cache_control?: { type: 'ephemeral' }
}

/** A text without a visible character is refused as a block. */
export const textBlocks = (text: string): TextBlock[] => (text.trim() === '' ? [] : [{ type: 'text', text }])

export const imageBlock = ({ media_type, data }: ShownImage): ImageBlock => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
})
