/** Which images a request shows. More than a few would cost more than they tell, so the older ones are named in words. */
import { imagesOf, type Message, type Recall } from '../../terms/effect.ts'
import { IMAGES_MAX, SHOWN_BYTES_MAX, type ImageRef } from '../../terms/files/images.ts'
import type { Locale } from '../../terms/locale.ts'

/** What is said in place of images that are not shown any more. */
const NOT_SHOWN: Record<Locale, string> = {
  en: 'not shown again: read_file shows it again',
  zh: '不再显示：可用 read_file 再次查看',
}

/** Says of an action that its images stand behind the text, each behind its name. */
const BESIDE: Record<Locale, string> = { en: 'shown behind this text', zh: '附于本文之后' }

/** The images of a result. Only `read_file` has them. */
export function imagesAt(recall: Recall, row: number): readonly ImageRef[] {
  const { event } = recall(row)
  return event.kind === 'tool_returned' ? (event.images ?? []) : []
}

/** Where the images of an action are: beside the text, or not in this request. null: it has none. */
export function placeOfImages(own: readonly ImageRef[], shown: ReadonlySet<ImageRef>, locale: Locale): string | null {
  if (own.length === 0) return null
  return own.some((image) => shown.has(image)) ? BESIDE[locale] : NOT_SHOWN[locale]
}

/** The images that are shown, of lists that are given oldest first: the newest ones of all lists together. */
export function newestImages(lists: readonly (readonly ImageRef[])[]): ReadonlySet<ImageRef> {
  // An image that was looked at twice is shown once, where it was seen last.
  const distinct = new Map(lists.flat().map((image, place) => [image.digest, { image, place }]))
  const inOrder = [...distinct.values()].toSorted((one, other) => one.place - other.place)
  const newest = inOrder.slice(-IMAGES_MAX).map(({ image }) => image)
  let bytes = newest.reduce((sum, image) => sum + image.bytes, 0)
  while (bytes > SHOWN_BYTES_MAX) bytes -= newest.shift()?.bytes ?? bytes
  return new Set(newest)
}

/** The messages with the newest images alone. Where others were, words say how they are seen again. */
export function withNewestImages(messages: readonly Message[], locale: Locale): Message[] {
  const shown = newestImages(messages.map(imagesOf))
  return messages.map((message) => {
    if (message.role !== 'tool' || message.images === undefined) return message
    const { images, content, ...rest } = message
    const kept = images.filter((image) => shown.has(image))
    const left_out = images.flatMap((image) => (shown.has(image) ? [] : [`(${image.name}: ${NOT_SHOWN[locale]})`]))
    return { ...rest, content: [content, ...left_out].join('\n'), ...(kept.length === 0 ? {} : { images: kept }) }
  })
}
