/**
 * Links for readers that cannot send a header, such as a browser's EventSource or a calendar program (U22): a token that lets its
 * holder read one thing of one tenant until it expires, and do nothing else.
 */
import * as z from 'zod'
import type { Links } from './signed-links.ts'

/** What a link is for, and how long it lasts. */
interface LinkKind {
  purpose: string
  life_ms: number
  /** Links that are made within so long are the same one: an answer that shows one stays as it is. */
  same_ms: number
}
const DAY_MS = 24 * 3_600_000
export const EVENTS_LINK: LinkKind = { purpose: 'read:events', life_ms: DAY_MS, same_ms: 1_000 }

/** Calendar programs keep the link they were given and cannot ask for a new one. */
export const CALENDAR_LINK: LinkKind = { purpose: 'read:calendar', life_ms: 365 * DAY_MS, same_ms: 1_000 }
/** All files of a task: what it made is shown to people, who may look at it some days later. */
export const FILES_LINK: LinkKind = { purpose: 'read:files', life_ms: 7 * DAY_MS, same_ms: DAY_MS }
export type LinkName = 'events' | 'calendar' | 'files'

export interface Readable {
  tenant: string
  /** The task it is of; empty where it is nothing of a task. */
  task: string
  /** How often the links of the task had been ended when this one was made. */
  link_epoch: number
}
export interface ReadLinks {
  sign(readable: Readable, now_ms: number): Promise<string>
  /** null: forged, of another purpose, or expired. */
  open(token: string, now_ms: number): Promise<Readable | null>
}

/** Tenant, task, expiry in seconds since 1970, and the epoch of its links, which links of an earlier release do not name. */
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
