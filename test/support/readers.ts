/** The two ways in which a task reads the replies of its model. */
import { objectReader } from '../../src/core/mode/reply.ts'

export const STRICT = objectReader({ strict_replies: true })
export const LENIENT = objectReader({ strict_replies: false })
