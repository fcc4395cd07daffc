/** What the header `Link` of the calendar says. */

/** Where it can be read without a key; null when the header names no such place, or one that is no web address. */
export function alternateOf(link: string | null): string | null {
  const target = /<([^<>]+)>\s*;\s*rel="alternate"/.exec(link ?? '')?.[1]
  return target !== undefined && /^https?:\/\//.test(target) && URL.canParse(target) ? target : null
}
