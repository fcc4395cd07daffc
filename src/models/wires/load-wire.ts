/** Loads a wire with its first call, so that a start pays for none. */
import type { WireName } from '../../core/terms/effect.ts'
import type { Wire } from './wire.ts'

const WIRES: Record<WireName, () => Promise<Wire>> = {
  chat: async () => (await import('./chat/wire.ts')).chatWire,
  responses: async () => (await import('./responses/wire.ts')).responsesWire,
  messages: async () => (await import('./messages/wire.ts')).messagesWire,
  workers_ai: async () => (await import('./workers-ai/wire.ts')).workersAiWire,
}

export const loadWire = (name: WireName): Promise<Wire> => WIRES[name]()
