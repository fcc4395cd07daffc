/** What endpoints of all wires want of an image: base64 of a type that they read, whose bytes begin as that type does. */
const STARTS: Record<string, readonly RegExp[]> = {
  'image/png': [/^\u0089PNG\r\n\u001a\n/],
  'image/jpeg': [/^\u00ff\u00d8\u00ff/],
  'image/gif': [/^GIF8[79]a/],
  'image/webp': [/^RIFF[^]{4}WEBP/],
}

/** Whether an endpoint can read the image. */
export function isReadable(media_type: unknown, data: unknown): boolean {
  if (typeof media_type !== 'string' || typeof data !== 'string' || data.length % 4 !== 0) return false
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return false
  return STARTS[media_type]?.some((start) => start.test(atob(data))) ?? false
}

/** The same of a data URL. */
export function isReadableUrl(url: unknown): boolean {
  const [, media_type, data] = /^data:([a-z]+\/[a-z]+);base64,([^]*)$/.exec(String(url)) ?? []
  return isReadable(media_type, data)
}
