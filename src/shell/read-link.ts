/**
 * Links for readers that cannot send a header, such as a browser's EventSource or a calendar program (ruling 22): a token that lets its
 * holder read one thing of one tenant until it expires, and do nothing else.
 */
import * as z from 'zod'
import { signedLinks } from './links.ts'

/** What a link is for, and how long it lasts. */
export interface LinkKind {
  purpose: string
  life_ms: number
}
const DAY_MS = 24 * 3_600_000
export const EVENTS_LINK: LinkKind = { purpose: 'read:events', life_ms: DAY_MS }

/** Calendar programs keep the link they were given and cannot ask for a new one. */
export const CALENDAR_LINK: LinkKind = { purpose: 'read:calendar', life_ms: 365 * DAY_MS }
export type LinkName = 'events' | 'calendar'

export interface Readable {
  tenant: string
  /** The task it is of; empty where it is nothing of a task. */
  task: string
}
export interface ReadLinks {
  sign(readable: Readable, now_ms: number): Promise<string>
  /** null: forged, of another purpose, or expired. */
  open(token: string, now_ms: number): Promise<Readable | null>
}

/** Tenant, task, expiry in seconds since the epoch. */
const Claims = z.tuple([z.string(), z.string(), z.int()])

export function readLinks(secret: string, { purpose, life_ms }: LinkKind): ReadLinks {
  const links = signedLinks(secret)
  return {
    sign: ({ tenant, task }, now_ms) => links.sign(purpose, [tenant, task, Math.ceil((now_ms + life_ms) / 1000)]),
    async open(token, now_ms) {
      const claims = Claims.safeParse(await links.open(purpose, token))
      if (!claims.success) return null
      const [tenant, task, expires_s] = claims.data
      return expires_s * 1000 > now_ms ? { tenant, task } : null
    },
  }
}
