/** Types of lock.mjs for the tests. */
import type { Fs } from './folders.d.mts'

export type Lock = { ok: true; release(): Promise<void> } | { ok: false; holder: string }
export function takeLock(fs: Fs, state: string, self?: { pid: number; place: string }): Promise<Lock>
