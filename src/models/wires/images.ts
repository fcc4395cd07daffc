/** What all wires do alike with images: which are sent, which words stand for the others, and what a refusal says of them. */
import { imagesOf, type Message } from '../../core/terms/effect.ts'
import type { ImageType } from '../../core/terms/files/images.ts'
import type { ModelRequest } from '../../shell/ports.ts'
import { refusalText } from './refusal-text.ts'
import type { Dialect, Wire, WireCall } from './wire.ts'

/** An image as it is sent, in base64. */
export interface ShownImage {
  name: string
  media_type: ImageType
  data: string
}

const GONE = 'the image is not there any more'
/** What stands in place of an image that is not sent. */
const WORDS = {
  none: 'this model sees no images',
  refused: 'the endpoint has refused the images of this request',
  // It is sent, unless its bytes are gone.
  shown: GONE,
}

/** A message without references, and the images that are sent with it. */
interface SentMessage {
  message: Message
  shown: ShownImage[]
}

/** The images of a message that are sent. Of the others its content tells in words why the model does not see them. */
export function splitImages(
  message: Message,
  { request, dialect }: Pick<WireCall, 'request' | 'dialect'>,
): SentMessage {
  const images = imagesOf(message)
  if (images.length === 0) return { message, shown: [] }
  const shown: ShownImage[] = []
  const words: string[] = []
  for (const { name, media_type, digest } of images) {
    const data = request.images?.get(digest)
    if (data !== undefined && dialect.images === 'shown') shown.push({ name, media_type, data })
    else words.push(`(${name}: ${data === undefined ? GONE : WORDS[dialect.images]})`)
  }
  const content = [message.content, ...words].join('\n')
  const plain: Message =
    message.role === 'tool'
      ? { role: message.role, tool_call_id: message.tool_call_id, content }
      : { role: 'user', content }
  return { message: plain, shown }
}

/**
 * The messages for a wire whose results of calls are texts alone: the images of all results of a reply come behind them, as a message of
 * the user.
 */
export function imagesBehindResults(
  messages: readonly Message[],
  call: Pick<WireCall, 'request' | 'dialect'>,
): SentMessage[] {
  const sent: SentMessage[] = []
  let behind: ShownImage[] = []
  for (const [index, given] of messages.entries()) {
    const { message, shown } = splitImages(given, call)
    const isResult = message.role === 'tool'
    sent.push({ message, shown: isResult ? [] : shown })
    if (isResult) behind.push(...shown)
    if (behind.length === 0 || messages[index + 1]?.role === 'tool') continue
    sent.push({ message: { role: 'user', content: '' }, shown: behind })
    behind = []
  }
  return sent
}

/** Stands before an image, so that the model knows which one it is. */
export const labelOf = ({ name }: ShownImage): string => `${name}:`

export const dataUrl = ({ media_type, data }: ShownImage): string => `data:${media_type};base64,${data}`

const sendsImages = ({ messages, images }: ModelRequest): boolean =>
  images !== undefined && messages.some((message) => imagesOf(message).some(({ digest }) => images.has(digest)))

/** How endpoints say that a model takes no images, also by refusing a content of parts. */
const NO_IMAGES = [
  /only supported by certain models/i,
  /not a multi-?modal model/i,
  /\bat most 0 image/i,
  /(?:\bnot|n't) support (?:the )?(?:image|vision|multi-?modal)(?!s? ?(?:format|type|size|media|larger|bigger|above|over|with|\/))/i,
  /\b(?:images?|vision|multi-?modal|image_url|input_image)(?: (?:input|content|modality|understanding)s?)? (?:is|are) (?:currently )?not (?:supported|allowed|enabled|available)/i,
  /unknown variant\W{1,4}image/i,
  /invalid value\W{1,4}(?:input_image|image_url)/i,
  /content\W[^\n]{0,80}(?:must|should) be a (?:valid )?string/i,
  /content\W[^\n]{0,40}(?:'array' not in|expected 'string')/i,
  /不支持[^\n]{0,10}图/,
]
/** OpenRouter says it with a 404, as it does of a model that does not exist. */
const NO_ENDPOINT = /\bno endpoints? found that support image/i
const OF_IMAGES = /\bimages?\b|image_url|input_image/i
/** llama.cpp says it with a 500. */
const TELLING: ReadonlySet<number> = new Set([400, 422, 500])
/** The status for a body that is too large, which may come from a proxy that says nothing of images. */
const TOO_LARGE = 413

/** The lessons of a wire with those about images: first that a model takes none, and last that it has refused the ones of this request. */
export const withImageLessons =
  (next: Wire['next']): Wire['next'] =>
  (dialect, refusal, request) => {
    if (dialect.images !== 'shown' || !sendsImages(request)) return next(dialect, refusal, request)
    const { status } = refusal
    const said = refusalText(refusal.text)
    if (status === 404) return NO_ENDPOINT.test(said) ? withImages('none', dialect) : next(dialect, refusal, request)
    if (status === TOO_LARGE) return withImages('refused', dialect)
    if (TELLING.has(status) && NO_IMAGES.some((words) => words.test(said))) return withImages('none', dialect)
    if (status !== 400 && status !== 422) return next(dialect, refusal, request)
    return next(dialect, refusal, request) ?? (OF_IMAGES.test(said) ? withImages('refused', dialect) : null)
  }

const withImages = (images: Dialect['images'], dialect: Dialect): Dialect => ({ ...dialect, images })
