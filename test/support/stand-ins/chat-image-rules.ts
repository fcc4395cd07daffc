/** What the endpoints of chat completions refuse of the parts of a content, and how they say that a model takes no images. */
import { isObject, type Body } from './responses-world.ts'
import { isReadableUrl } from './images.ts'
import { objection, type ChatMessage, type ChatRequest, type Objection, type Rule } from './chat-rules.ts'

const VISION = 'https://platform.openai.com/docs/guides/images-vision'

/** The members of the parts that each role may have. */
const PARTS: Record<string, Record<string, readonly string[]>> = {
  system: { text: ['text'] },
  user: { text: ['text'], image_url: ['image_url'] },
  tool: { text: ['text'] },
  assistant: { text: ['text'], refusal: ['refusal'], thinking: ['thinking', 'closed'] },
}
const partsOf = ({ content }: ChatMessage): unknown[] => (Array.isArray(content) ? content : [])

function isPartOf(role: string, part: unknown): boolean {
  if (!isObject(part)) return false
  const members = PARTS[role]?.[String(part['type'])]
  return members !== undefined && Object.keys(part).every((name) => name === 'type' || members.includes(name))
}

/** The place of the first part of a request that is wrong. */
function placeOf({ messages }: ChatRequest, isWrong: (part: unknown, message: ChatMessage) => boolean): string | null {
  for (const [index, message] of messages.entries()) {
    const at = partsOf(message).findIndex((part) => isWrong(part, message))
    if (at !== -1) return `messages.[${index}].content.[${at}].type`
  }
  return null
}

const isImage = (part: unknown): part is Body => isObject(part) && part['type'] === 'image_url'
const isBlank = ({ role, content }: ChatMessage): boolean =>
  role !== 'assistant' && typeof content !== 'string' && !(Array.isArray(content) && content.length > 0)

export const PART_RULES: readonly Rule[] = [
  {
    rule: 'a content is a text, or parts that its role may have',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    broken: (request) => {
      const place = placeOf(request, (part, { role }) => !isPartOf(role, part))
      const index = request.messages.findIndex(isBlank)
      if (place === null && index === -1) return null
      return objection.openai("Invalid value: expected one of 'text'.", place ?? `messages.[${index}].content`)
    },
  },
  {
    rule: 'an image is a data URL of what it says',
    source: VISION,
    broken: (request) => {
      const isUnread = (part: unknown) =>
        isImage(part) && !(isObject(part['image_url']) && isReadableUrl(part['image_url']['url']))
      const place = placeOf(request, isUnread)
      return place === null
        ? null
        : objection.openai('You uploaded an unsupported image. Please make sure your image is valid.', place)
    },
  },
]

/** A rule of a model that takes no images, with the place of the first one. */
export const noImages = (
  source: string,
  object: (place: string) => Objection,
  isBlind: (request: ChatRequest) => boolean = () => true,
): Rule => ({
  rule: 'a model without vision takes no images',
  source,
  broken: (request) => {
    const place = isBlind(request) ? placeOf(request, isImage) : null
    return place === null ? null : object(place)
  },
})
