/** A bridge on a directory of its own: step by step or whole, with its time in the hands of the test. */
import nodeFs from 'node:fs/promises'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBridge, runBridge, type Bridge, type Given } from '../../scripts/lib/bridge/bridge.mjs'
import { openFolders } from '../../scripts/lib/bridge/folders.mjs'
import { scan } from '../../scripts/lib/bridge/notices.mjs'
import { delegationClient } from '../../scripts/lib/delegations.mjs'
import type { Told } from '../../scripts/lib/delegations/told.mjs'
import { newClock, type Clock } from './clock.ts'

export const QUIET_MS = 7
export const LEASE_S = 60
/** No test takes so long. */
export const STEAL_S = 3_600
export const RENEWAL_MS = (LEASE_S * 1_000) / 3

const directories: string[] = []
export function newDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'loop-agent-bridge-')))
  directories.push(directory)
  return directory
}
export function removeDirectories(): void {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
}

export interface Bench {
  dir: string
  bridge: Bridge
  clock: Clock
  told: Told[]
  events(): string[]
  /** Starts all loops; resolves when it was stopped. */
  run(): Promise<void>
  stop(): void
  /** Resolves once one more of this event was told. */
  until(event: string): Promise<Told>
  /** Looks through reports/pending, and waits until nothing is to be done there. */
  settleReports(): Promise<void>
}

export interface Manner {
  dir?: string
  worker?: string
  changes?: Partial<Given>
  fetch?: (url: string, init: object) => Promise<unknown>
}

export async function newBench(
  url: string,
  { dir = newDirectory(), worker = 'one', changes = {}, fetch }: Manner = {},
): Promise<Bench> {
  const controller = new AbortController()
  const clock = newClock()
  // Renewals come when the test wants them.
  clock.hold(RENEWAL_MS)
  const told: Told[] = []
  let heard: { event: string; done(told: Told): void }[] = []
  const tell = (one: Told) => {
    told.push(one)
    for (const { done } of heard.filter(({ event }) => event === one.event)) done(one)
    heard = heard.filter(({ event }) => event !== one.event)
  }
  const fs = changes.fs ?? nodeFs
  const folders = await openFolders(fs, dir)
  const client = delegationClient({
    url,
    key: 'dev-key',
    stop: controller.signal,
    ...(fetch === undefined ? {} : { fetch }),
  })
  const rest = { worker, lease_s: LEASE_S, steal_s: STEAL_S, quiet_ms: QUIET_MS, max: 100 }
  const bridge = createBridge({ fs, folders, client, controller, tell, wait: clock.wait, ...rest, ...changes })
  return {
    dir,
    bridge,
    clock,
    told,
    events: () => told.map(({ event }) => event),
    run: () => runBridge(bridge),
    stop: () => controller.abort(),
    until: (event) => new Promise((done) => heard.push({ event, done })),
    settleReports: async () => {
      await scan(bridge)
      await Promise.all([...bridge.deliveries.values()].map(({ done }) => done))
    },
  }
}

/** All files below commands, reports and .bridge, by their path, but for what a bridge keeps for good. */
export function filesOf(dir: string): string[] {
  const all = readdirSync(dir, { recursive: true, withFileTypes: true })
  return all
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((path) => !/^\.bridge\/(?:worker|sessions)$/.test(path))
    .toSorted()
}

export const at = (dir: string, path: string) => join(dir, path)
export const textOf = (dir: string, path: string) => readFileSync(join(dir, path), 'utf8')
export const isThere = (dir: string, path: string) => existsSync(join(dir, path))
export const put = (dir: string, path: string, text: string) => writeFileSync(join(dir, path), text)
export const REPORT = '---\nstatus: SUCCESS\nsession_id: b7b7\n---\n\n## 核心成果\nDone.\n\n---\nmore\n'
export const reportPath = (command_id: string) => `reports/pending/report-${command_id}.md`
