/** The blocks that messages consist of on this wire. */
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
export interface ResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content?: string
}
/** A `thinking` or `redacted_thinking` block with its signature. Only the endpoint reads what is in it. */
export type ThinkingBlock = Record<string, unknown>

/** `cache_control` ends a part of the request that the endpoint puts into its cache. */
export type Block = (TextBlock | CallBlock | ResultBlock | ThinkingBlock) & {
  cache_control?: { type: 'ephemeral' }
}

/** A text without a visible character is refused as a block. */
export const textBlocks = (text: string): TextBlock[] => (text.trim() === '' ? [] : [{ type: 'text', text }])
