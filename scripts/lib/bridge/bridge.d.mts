/** Types of bridge.mjs for the tests. */
import type { FSWatcher } from 'node:fs'
import type { DelegationClient } from '../delegations.d.mts'
import type { Told } from '../delegations/told.d.mts'
import type { Folders, Fs } from './folders.d.mts'

export interface Given {
  fs: Fs
  folders: Folders
  client: DelegationClient
  controller: AbortController
  tell(told: Told): void
  wait(ms: number, stop?: AbortSignal): Promise<void>
  worker: string
  lease_s: number
  steal_s: number
  quiet_ms: number
  max: number
  watch?: (path: string) => FSWatcher
}
export interface OpenCommand {
  delegation_id: string
  command_id: string
  written: boolean
}
export interface Bridge extends Given {
  stop: AbortSignal
  open: Map<string, OpenCommand>
  deliveries: Map<string, { done: Promise<void> }>
}
export function createBridge(given: Given): Bridge
export function runBridge(bridge: Bridge): Promise<void>
export function recover(bridge: Bridge): Promise<void>
export function takePending(bridge: Bridge): Promise<boolean>
export function renewUnreported(bridge: Bridge, command_id: string): Promise<void>
