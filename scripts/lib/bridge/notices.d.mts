/** Types of notices.mjs for the tests. */
import type { Bridge } from './bridge.d.mts'

export function scan(bridge: Bridge): Promise<void>
export function notice(bridge: Bridge, name: string): void
