/**
 * Links for readers that cannot send a header, such as an EventSource or a calendar program (U22). Their token lets its holder read one
 * thing of one tenant until it expires, and nothing else.
 */
import * as z from 'zod'
import type { Links } from './signed-links.ts'
import { DAY_MS } from '../../core/terms/plain/durations.ts'

/** The purpose and the lifetime of a kind of link. */
interface LinkKind {
  purpose: string
  life_ms: number
  /** Links that are made within this time are equal, so that an answer that shows one does not change. */
  same_ms: number
}
export const EVENTS_LINK: LinkKind = { purpose: 'read:events', life_ms: DAY_MS, same_ms: 1_000 }

/** Calendar programs keep the link they were given and cannot ask for a new one. */
export const CALENDAR_LINK: LinkKind = { purpose: 'read:calendar', life_ms: 365 * DAY_MS, same_ms: 1_000 }
/** A link to all files of a task is shown to people, who may open it some days later. */
export const FILES_LINK: LinkKind = { purpose: 'read:files', life_ms: 7 * DAY_MS, same_ms: DAY_MS }
export type LinkName = 'events' | 'calendar' | 'files'

export interface Readable {
  tenant: string
  /** The task; empty where the link is not about a task. */
  task: string
  /** The epoch of the task's links when this one was made. */
  link_epoch: number
}
export interface ReadLinks {
  sign(readable: Readable, now_ms: number): Promise<string>
  /** null for a token that is forged, expired or of another purpose. */
  open(token: string, now_ms: number): Promise<Readable | null>
}

/** Tenant, task, expiry in seconds since 1970, and the epoch of the links, which links of an earlier release do not name. */
const Claims = z.tuple([z.string(), z.string(), z.int(), z.int().optional()])

export const allReadLinks = (links: Links): Record<LinkName, ReadLinks> => ({
  events: readLinksBy(links, EVENTS_LINK),
  calendar: readLinksBy(links, CALENDAR_LINK),
  files: readLinksBy(links, FILES_LINK),
})

export function readLinksBy(links: Links, { purpose, life_ms, same_ms }: LinkKind): ReadLinks {
  const expiryOf = (now_ms: number) => (Math.ceil((now_ms + life_ms) / same_ms) * same_ms) / 1000
  return {
    sign: ({ tenant, task, link_epoch }, now_ms) => links.sign(purpose, [tenant, task, expiryOf(now_ms), link_epoch]),
    async open(token, now_ms) {
      const claims = Claims.safeParse(await links.open(purpose, token))
      if (!claims.success) return null
      const [tenant, task, expires_s, link_epoch = 0] = claims.data
      return expires_s * 1000 > now_ms ? { tenant, task, link_epoch } : null
    },
  }
}
