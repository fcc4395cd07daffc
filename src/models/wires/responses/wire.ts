import type { Wire } from '../wire.ts'
import { chatWire } from '../chat/wire.ts'

export const responsesWire: Wire = chatWire
