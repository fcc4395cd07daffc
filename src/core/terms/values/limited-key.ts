/** Which keys may have limits of their own. The names of others only tell callers apart. */

/** Keys of the registry have names that begin so. Neither a key of the configuration nor a login does. */
const REGISTRY_KEY_PREFIX = 'key_'

/** The name of a key that may have limits of its own. null: it has none, or nobody knows which key made the task. */
export const limitedKey = (key_name: string | null | undefined): string | null =>
  key_name?.startsWith(REGISTRY_KEY_PREFIX) === true ? key_name : null
