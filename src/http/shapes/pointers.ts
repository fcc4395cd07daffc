/** Names of callers in messages and pointers. */

/** A name as a message shows it. It is cut, because a key may be as long as a body. */
export const printableName = (name: PropertyKey) => String(name).slice(0, 80).toWellFormed()
/** A reference token of RFC 6901. */
export const pointerToken = (key: PropertyKey) => `/${printableName(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
